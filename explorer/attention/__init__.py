"""What is known of attention without a model: the patterns heads are measured by."""

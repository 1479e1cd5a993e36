"""What is known of checkpoints before they are loaded."""

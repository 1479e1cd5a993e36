"""What wrote a prediction: a logit as the sum of what was added to the stream."""

"""Encoders with a head for a task, fine-tuned: answers, endings, labels, reviews."""

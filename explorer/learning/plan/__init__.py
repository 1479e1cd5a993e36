"""What a run of training is to be: its options, their contradictions, and what it will cost."""

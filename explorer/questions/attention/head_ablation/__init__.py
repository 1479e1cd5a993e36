"""What does the model still predict when some attention heads contribute nothing?"""

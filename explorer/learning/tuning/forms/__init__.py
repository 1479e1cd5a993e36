"""What a model is fine-tuned to say: classes of a text, labels of words, spans, or a choice."""

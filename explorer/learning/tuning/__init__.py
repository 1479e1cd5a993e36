"""Fine-tuning: a model that is there learns a task of labelled texts."""

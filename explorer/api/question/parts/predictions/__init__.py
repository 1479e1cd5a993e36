"""Parts of what is predicted: at masks, by two models, before and after, of classes."""

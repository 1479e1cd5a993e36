"""Tasks that miniatures are fine-tuned for: answers, reviews of films, tasks in text."""

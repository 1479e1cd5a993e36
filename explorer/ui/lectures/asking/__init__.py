"""What steps ask of whoever looks at them: questions, hints, answers, and what is kept of them."""

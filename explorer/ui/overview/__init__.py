"""The first page: what stands out for the sentence and the models of now, over many questions."""

NAME = "overview"
"""What the page is called where pages are named by their questions; it is of no question."""

"""What algorithms that find pieces are called."""

from explorer.text import N_, Phrase, verbatim

ALGORITHMS = {"byte-level BPE": N_("byte-level BPE"), "unigram": N_("unigram")}
"""What is said of them; names of others stay as they are."""


def algorithm_said(algorithm: str) -> Phrase:
    """How a tokenizer finds pieces."""
    return Phrase(ALGORITHMS[algorithm]) if algorithm in ALGORITHMS else verbatim(algorithm)

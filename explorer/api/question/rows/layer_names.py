"""How the rows of a model's layers are called, in sentences and beside cells."""

from explorer.api.question.rows.layers import EMBEDDINGS
from explorer.text import N_, Phrase


def layer_said(name: str) -> str:
    """A row's name in a sentence."""
    return row_phrase(name).said


def row_phrase(name: str) -> Phrase:
    """The same where no language is known."""
    return Phrase(N_("embeddings")) if name == EMBEDDINGS else layer_phrase(name)


def layer_phrase(name: str) -> Phrase:
    """It behind "in", "at" or "is"."""
    if name == EMBEDDINGS:
        return Phrase(N_("the embeddings"))
    if name.startswith("decoder"):
        return Phrase(N_("decoder pass {number}"), number=name.split()[1])
    return Phrase(N_("layer {number}"), number=name)


def label_phrase(name: str) -> Phrase:
    """A row's name beside the cells, where no language is known."""
    if name.startswith("decoder"):
        return Phrase(N_("pass {number}"), number=name.split()[1])
    return Phrase(N_("emb.") if name == EMBEDDINGS else name)


def layer_label(name: str) -> str:
    """A row's name beside the cells."""
    return label_phrase(name).said

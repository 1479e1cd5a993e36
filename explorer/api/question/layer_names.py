"""How the rows of a model's layers are called, in sentences and beside cells."""

from explorer.api.question.layers import EMBEDDINGS
from explorer.text import N_, Phrase, _


def layer_said(name: str) -> str:
    """A row's name in a sentence."""
    if name == EMBEDDINGS:
        return _("embeddings")
    if name.startswith("decoder"):
        return _("decoder pass {number}", number=name.split()[1])
    return _("layer {number}", number=name)


def layer_phrase(name: str) -> Phrase:
    """The same where no language is known, behind "in", "at" or "is"."""
    if name == EMBEDDINGS:
        return Phrase(N_("the embeddings"))
    if name.startswith("decoder"):
        return Phrase(N_("decoder pass {number}"), number=name.split()[1])
    return Phrase(N_("layer {number}"), number=name)


def layer_label(name: str) -> str:
    """A row's name beside the cells."""
    if name == EMBEDDINGS:
        return _("emb.")
    return _("pass {number}", number=name.split()[1]) if name.startswith("decoder") else name

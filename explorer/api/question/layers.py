"""From where a question counts layers, said in one way wherever it names one.

Some count as checkpoints do, the first layer 0; others as papers do, the embeddings 0 and the first
layer 1.
"""

from explorer.text import _

FROM_0, FROM_1 = 0, 1


def layers_counted(start: int | None) -> str:
    """A sentence; "" for a question that names no layer."""
    return "" if start is None else _("Layers are counted from {start}.", start=str(start))


def layer_title(start: int) -> str:
    """The title of an axis, of a column or of an option, within a sentence: "layer (from 1)"."""
    return _("layer (from {start})", start=str(start))


def layer_title_of(model: str, start: int) -> str:
    """The same where there are two models: "layer of BERT (from 1)"."""
    return _("layer of {model} (from {start})", model=model, start=str(start))

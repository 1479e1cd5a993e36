"""What classifiers say of a text, and heads for two sentences of a pair."""

from typing import TYPE_CHECKING

from explorer.api.family import (
    Context,
    Encoded,
    LoadedModel,
    PairClassifier,
    Unavailable,
    UserMistake,
)
from explorer.text import N_

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def can_classify(model: LoadedModel, *, pair: bool) -> bool:
    """Whether the model tells classes of such texts apart, with weights of its own.

    Args:
        model: Loaded.
        pair: There is a second text, without which nothing can be said of a next sentence.
    """
    head = model.ports.get(PairClassifier)
    return head is not None and (pair or not head.judges_pairs)


def class_logits(
    model: LoadedModel, encoded: Encoded, context: Context, *, pair: bool
) -> "tuple[tuple[str, ...], NDArray[np.float32]]":
    """The classes' names, and a raw score for each, float32.

    Raises:
        Unavailable: The model has no such head.
        UserMistake: It judges pairs, and there is no second text.
        Cancelled: The run was cancelled; checked before every layer.
    """
    head = model.ports.get(PairClassifier)
    if head is None:
        raise Unavailable(
            N_("{model} is no classifier: it has no head for classes."), model=model.title
        )
    if head.judges_pairs and not pair:
        raise UserMistake(N_("The next sentence is judged of pairs."), N_("Add a second text."))
    found: NDArray[np.float32] = head.logits(encoded, context).cpu().numpy()
    return head.labels, found

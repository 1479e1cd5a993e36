"""A model that reads the entities of a request beside whatever it encodes of its text."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.api import Encoded, Knowledge, LoadedModel, Mention
from explorer.document import Document, carried_mentions


def reading_entities(model: LoadedModel, request: Any, mentions: Sequence[Mention]) -> LoadedModel:
    """The model with the entities put beside the words that name them.

    A question may change the text that it was asked of, and encode that: an entity stays with its
    words as long as they are there, at the place to which the change moved them.

    Args:
        model: Left as it is; one that reads no entities is returned.
        request: With a text, and a pair or none.
        mentions: The entities of these.
    """
    if Knowledge not in model.ports:
        return model
    own = model.encode
    before = Document(request.text, getattr(request, "pair", None))

    def encode(text: str, pair: str | None = None, *rest: Any, **told: Any) -> Encoded:
        kept = carried_mentions(mentions, before, Document(text, pair))
        return own(text, pair, *rest, **{"entities": kept, **told})

    return replace(model, encode=encode, entities=tuple(mentions))

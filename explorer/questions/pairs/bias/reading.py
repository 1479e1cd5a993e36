"""A loaded model as measures of bias read it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.question import (
    Attentions,
    Context,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    Unavailable,
    UserMistake,
)
from explorer.hf.predict.rows import in_blocks
from explorer.learning.bias.reading import BiasQuery, BiasText, Floats, received
from explorer.text import N_


class PortReader:
    """Reads by the model's ports.

    Args:
        model: One that fills masks.
        context: Can stop it.
    """

    def __init__(self, model: LoadedModel, context: Context) -> None:
        self._model = model
        self._predictor: Predictor = model.port(Predictor)
        self._context = context

    def read(self, text: str) -> BiasText:
        """As every page reads a text.

        Raises:
            UserMistake: It is longer than the model reads.
        """
        encoded = self._model.encode(text, None)
        if encoded.left_out is not None:
            raise UserMistake(
                N_("A sentence is longer than the model reads."), N_("Choose shorter ones.")
            )
        return _text(text, encoded)

    def without(self, text: BiasText, places: Sequence[int]) -> BiasText:
        """Every row of the input without them."""
        encoded: Encoded = text.source
        count = len(encoded.tokens)
        kept = [place for place in range(count) if place not in places]
        inputs: dict[str, Any] = {
            name: row[:, kept] if row.shape[-1] == count else row
            for name, row in encoded.inputs.items()
        }
        tokens = tuple(encoded.tokens[place] for place in kept)
        return _text(text.text, replace(encoded, inputs=inputs, tokens=tokens))

    def rows(self, queries: Sequence[BiasQuery]) -> Iterator[Floats]:
        """Those of one length share passes, as memory allows."""
        asked = [Query(one.text.source, one.asked, dict.fromkeys(one.hidden)) for one in queries]
        counts = [len(one.asked) for one in asked]
        for block in in_blocks(counts, self._model, self._context):
            found = self._predictor.log_probabilities(asked[block], self._context)
            yield from (one.cpu().numpy() for one in found)

    def attention(self, text: BiasText) -> Floats | None:
        """That of the stack that reads, where every piece has a place in all of its layers."""
        port: Attentions | None = self._model.ports.get(Attentions)
        if port is None:
            return None
        try:
            stack = next(iter(port.capture(text.source, self._context).values()))
        except Unavailable:
            return None
        maps = [np.asarray(one, np.float64) for one in stack.weights]
        if any(one.shape[-1] != len(text.ids) for one in maps):
            return None
        return received(maps)


def _text(text: str, encoded: Encoded) -> BiasText:
    tokens = encoded.tokens
    return BiasText(
        text,
        tuple(one.id for one in tokens),
        tuple(not one.special for one in tokens),
        tuple((one.start, one.end) for one in tokens),
        encoded,
    )

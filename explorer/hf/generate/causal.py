"""How a model that reads from the left goes on with a text."""

from collections.abc import Callable, Mapping
from typing import Any

from explorer.api.family import Encoded, GenerationPrompt, LoadedModel, UserMistake
from explorer.hf.generate.rows import ContinuedRows, ends_of, room_after
from explorer.hf.generate.rules import rules_of
from explorer.text import N_


class CausalNextTokens:
    """The head behind the last token, whose states see all that stands before it.

    Args:
        model: Who goes on.
        head: From last hidden states (n x hidden) to logits (n x vocabulary).
        who: What a sentence calls the model.
        goes_on: Its layers take keys and values of what was read before (transformers' cache).
    """

    apart = denoises = False

    def __init__(
        self, model: LoadedModel, head: Callable[[Any], Any], who: str, *, goes_on: bool
    ) -> None:
        self._model, self.head, self.who = model, head, who
        self.goes_on = goes_on

    def writing(self, encoded: Encoded, *, cached: bool = True) -> "CausalWriting":
        """As `CausalLM.writing`."""
        if encoded.mask_positions:
            raise UserMistake(
                N_("{who} reads from the left: it can't see what follows a mask."),
                N_("Take the masks away."),
                who=self.who,
            )
        if encoded.left_out is not None:
            raise UserMistake(
                N_("The text has more tokens than the model can read: {limit}."),
                N_("Shorten it, so that there is room to go on."),
                limit=encoded.left_out.limit,
            )
        count = len(encoded.tokens)
        while count and encoded.tokens[count - 1].special and count > _first(encoded):
            count -= 1
        ids = tuple(encoded.input_ids[0, :count].tolist())
        opening = GenerationPrompt(
            tokens=encoded.tokens[:count],
            ids=ids,
            apart=False,
            ends=ends_of(self._model),
            room=room_after(ids, self._model.max_length),
            rules=rules_of(self._model),
        )
        others = {
            name: one[:, :count] for name, one in encoded.inputs.items() if name != "input_ids"
        }
        # What else a token is told of (its language) is made for whole texts.
        return CausalWriting(
            self._model, opening, self.head, others, cached=cached and self.goes_on and not others
        )


def _first(encoded: Encoded) -> int:
    """How many special tokens stand before the text, one of which begins an empty one."""
    own = (place for place, token in enumerate(encoded.tokens) if not token.special)
    return next(own, min(1, len(encoded.tokens)))


class CausalWriting(ContinuedRows):
    """Continuations of one text."""

    def __init__(
        self,
        model: LoadedModel,
        opening: GenerationPrompt,
        head: Callable[[Any], Any],
        others: Mapping[str, Any],
        *,
        cached: bool,
    ) -> None:
        super().__init__(model, opening, cached=cached)
        self._head, self._others = head, others

    def new_cache(self) -> Any:
        """Keys and values of every layer."""
        from transformers import DynamicCache

        return DynamicCache()

    def read(self, ids: Any, cache: Any) -> Any:
        """The head on the last token's state alone."""
        import torch

        more: dict[str, Any] = {}
        for name, one in self._others.items():
            whole = torch.cat([one, one[:, -1:].expand(-1, ids.shape[1] - one.shape[1])], dim=1)
            more[name] = whole.expand(len(ids), -1)
        if cache is not None:
            more |= {"past_key_values": cache, "use_cache": True}
        return self._head(self.model.encoder(input_ids=ids, **more)[:, -1])

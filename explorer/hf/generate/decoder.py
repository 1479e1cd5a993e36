"""What a decoder writes in answer to the text that its encoder read, as a port."""

from typing import Any

from explorer.api.family import Encoded, GenerationPrompt, LoadedModel
from explorer.hf.attention.weights import decoder_start
from explorer.hf.generate.rows import ContinuedRows, ends_of, room_after
from explorer.hf.generate.rules import rules_of


class DecoderNextTokens:
    """The decoder's text: an answer to the encoder's, or what stands in place of its masks.

    Args:
        model: Who writes.
        who: What a sentence calls it.
        denoises: It was trained to write its encoder's text anew, with what masks hide.
        longest: Pieces that its decoder has places for; None for as many as its encoder.
    """

    apart = True

    def __init__(
        self,
        model: LoadedModel,
        who: str,
        *,
        denoises: bool = False,
        longest: int | None = None,
    ) -> None:
        self._model, self.who, self.denoises = model, who, denoises
        self._longest = longest
        self.goes_on = True

    def writing(self, encoded: Encoded, *, cached: bool = True) -> "DecoderWriting":
        """As `CausalLM.writing`."""
        ids = (decoder_start(self._model),)
        opening = GenerationPrompt(
            tokens=encoded.tokens,
            ids=ids,
            apart=True,
            ends=ends_of(self._model),
            room=room_after(ids, self._longest or self._model.max_length),
            rules=rules_of(self._model),
        )
        return DecoderWriting(self._model, opening, encoded, cached=cached and self.goes_on)


class DecoderWriting(ContinuedRows):
    """Answers to one text, which is read once."""

    def __init__(
        self, model: LoadedModel, opening: GenerationPrompt, encoded: Encoded, *, cached: bool
    ) -> None:
        super().__init__(model, opening, cached=cached)
        self._encoded = encoded
        self._states: Any = None

    def new_cache(self) -> Any:
        """Keys and values of the decoder, and those of the text that it looks back at."""
        from transformers import DynamicCache, EncoderDecoderCache

        return EncoderDecoderCache(DynamicCache(), DynamicCache())

    def read(self, ids: Any, cache: Any) -> Any:
        """The last token's logits."""
        from transformers.modeling_outputs import BaseModelOutput

        if self._states is None:
            self._states = self.model.encoder(**self._encoded.inputs)
        states = self._states.expand(len(ids), -1, -1)
        return self.model.module(
            encoder_outputs=BaseModelOutput(last_hidden_state=states),
            decoder_input_ids=ids,
            past_key_values=cache,
            use_cache=cache is not None,
        ).logits[:, -1]

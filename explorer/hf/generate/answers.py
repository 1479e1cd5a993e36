"""Answers that a decoder writes, of a question and a passage that stand in one text."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from explorer.api.family import CausalLM, LoadedModel, QAPrompt, Token
from explorer.text import N_

LAYOUT = "question: {question} context: {passage}"
"""As the questions of SQuAD stand in T5's training (Raffel et al. 2020, appendix D)."""
WROTE_MASKS = N_(
    "It wrote the token of a mask: this checkpoint was trained to fill masks, and not to answer."
)


class LaidOutAnswers:
    """A question and a passage in one layout.

    Args:
        model: Whose text it is.
        port: What writes.
        is_mask: Whether a piece stands for a mask.
        layout: With "{question}" and then "{passage}" at its end.
    """

    def __init__(
        self,
        model: LoadedModel,
        port: CausalLM,
        is_mask: Callable[[int], bool],
        layout: str = LAYOUT,
    ) -> None:
        self._model, self._port, self._layout = model, port, layout
        self.is_mask = is_mask

    def prompt(self, passage: str, question: str) -> QAPrompt:
        """As `GenerativeQA.prompt`."""
        before = self._layout.partition("{passage}")[0].format(question=" ".join(question.split()))
        encoded = self._model.encode(before + passage)
        tokens = tuple(
            _moved(one, len(before))
            for one in encoded.tokens
            if not one.special and one.end > len(before)
        )
        return QAPrompt(self._layout, encoded, tokens, self._port.writing(encoded))

    def text(self, ids: Sequence[int]) -> str:
        """As `GenerativeQA.text`."""
        return str(self._model.tokenizer.decode(list(ids))).strip()


def _moved(token: Token, characters: int) -> Token:
    return replace(token, start=max(token.start - characters, 0), end=token.end - characters)

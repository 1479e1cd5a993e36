"""How a model goes on with a text: a port, and what it keeps while it writes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from explorer.api.context import Context
from explorer.api.encoded import Encoded
from explorer.api.tokens import Token


@dataclass(frozen=True)
class GenerationPrompt:
    """What stands before the first token that a model writes.

    Attributes:
        tokens: What it reads, in order, special ones included; of a text that is too long, its
            beginning.
        ids: Pieces that stand before the first new one in the stack that writes: the text's own,
            or those that start a decoder.
        apart: What is written is a text of its own (a decoder's), and none that goes on behind
            the tokens.
        ends: Pieces any of which ends the text; none for a model that knows no end.
        room: How many pieces it can write at most; None where there is no limit.
        rules: What the checkpoint asks of every text that it writes: fields of transformers'
            generation config, by name.
    """

    tokens: tuple[Token, ...]
    ids: tuple[int, ...]
    apart: bool
    ends: tuple[int, ...]
    room: int | None
    rules: Mapping[str, Any] = field(default_factory=dict)


class GenerationState(Protocol):
    """One text that a model goes on with, in one or more ways side by side.

    Attributes:
        opening: What stands before it.
    """

    opening: GenerationPrompt

    def logits(self, written: Sequence[Sequence[int]], context: Context) -> Any:
        """What comes next, for each of some continuations.

        What was read for the call before is not read again, where the model keeps keys and values
        (a cache): a continuation that begins with one of those goes on from it, so that one token
        more costs one token, however long the text is and however the continuations were sorted,
        doubled and dropped in between.

        Args:
            written: Pieces behind the opening, of each continuation; equally many in all.
            context: Can stop it.

        Returns:
            Tensor (continuations x vocabulary), float32: raw scores (logits) of the next piece, of
            which a softmax makes probabilities. Rows that no piece has are among them.

        Raises:
            MachineFault: They are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


class CausalLM(Protocol):
    """Goes on with a text, piece by piece, each after all that stands before it.

    Radford et al. 2018, section 3.1, of models with one stack; Raffel et al. 2020, section 2.1, of
    a decoder that writes what an encoder's text asks for.

    Attributes:
        who: What a sentence calls the model: "GPT-2", "This model".
        apart: What it writes is a text of its own, in answer to one that it has read whole.
        denoises: It was trained to write its text anew, with what a mask hides in the mask's place
            (Lewis et al. 2020).
    """

    who: str
    apart: bool
    denoises: bool

    def writing(self, encoded: Encoded, *, cached: bool = True) -> GenerationState:
        """Begin to write.

        Special tokens that the tokenizer puts behind a text are left out: it goes on.

        Args:
            encoded: The text, without masks for a model that reads from the left.
            cached: Keep keys and values of what was read, where the model's class can. Without
                them everything is read anew for every token, with the same outcome.

        Raises:
            UserMistake: The text leaves no room for a token, or there is nothing to go on with.
        """


@dataclass(frozen=True)
class QAPrompt:
    """A question and a passage as one text, and the answer that is written to it.

    Attributes:
        layout: How both stand in it: "question: {question} context: {passage}".
        encoded: The text as the model reads it.
        passage: The passage's own tokens, whose characters are those of the passage.
        writing: What the decoder writes.
    """

    layout: str
    encoded: Encoded
    passage: tuple[Token, ...]
    writing: GenerationState


class GenerativeQA(Protocol):
    """Answers a question about a passage in a text of its own, as any task (text to text).

    Raffel et al. 2020, section 2.1: whether it does is a matter of what it was trained on, which no
    checkpoint says. `SpanExtractor` is the way of heads that point at the passage.
    """

    def prompt(self, passage: str, question: str) -> QAPrompt:
        """Lay both out and begin to write."""

    def text(self, ids: Sequence[int]) -> str:
        """Pieces that were written, as a person reads them."""

    def is_mask(self, piece: int) -> bool:
        """Whether a piece stands for one of a text's masks: no answer has one."""

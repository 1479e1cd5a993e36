"""Log-probabilities of possible answers, of a model whose decoder writes a text of its own.

One that was trained to write its text anew reads a mask in the answer's place, and its decoder is
given what stands before it (Lewis et al. 2020, section 2.2). From any other the answer is asked as
the whole of what its decoder writes, without an end, which is lm-evaluation-harness' rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api.question import CausalLM, Context, Encoded, LoadedModel, Token
from explorer.document import Mask
from explorer.hf.generate.rules import first_of
from explorer.hf.predict.rows import part_of
from explorer.questions.generation.prompt.answers.scoring import places_of, refuse_unknown
from explorer.questions.generation.prompt.examples.template import WrittenPrompt
from explorer.text import N_

Pieces = tuple[int, ...]


@dataclass(frozen=True)
class PromptedAnswer:
    """An answer behind a prompt.

    Attributes:
        read: What the encoder reads.
        before: What the decoder is given before the answer.
        tokens: The answer's pieces.
    """

    read: Pieces
    before: Pieces
    tokens: tuple[Token, ...]

    @property
    def pieces(self) -> Pieces:
        """Their numbers in the vocabulary."""
        return tuple(token.id for token in self.tokens)


class DecoderScorer:
    """Scores answers by what a decoder writes, and no distribution is asked for twice.

    Args:
        model: Who answers.
        context: Can stop it.
    """

    def __init__(self, model: LoadedModel, context: Context) -> None:
        self._model, self._context = model, context
        self._port = model.port(CausalLM)
        self._known: dict[tuple[Pieces, Pieces, Pieces], float] = {}
        self._texts: dict[Pieces, Encoded] = {}

    def try_answer(self, written: WrittenPrompt, answer: str) -> PromptedAnswer | None:
        """An answer in its place; None where the text does not fit into the model.

        Raises:
            UserMistake: Nothing is left of the answer in the model's pieces, or it has none for it.
        """
        start = len(written.before) if self._port.denoises else 0
        text = written.with_answer(answer) if self._port.denoises else answer
        encoded = self._model.encode(text)
        places = places_of(encoded, start, start + len(answer))
        refuse_unknown(encoded, places, answer)
        ids = tuple(token.id for token in encoded.tokens)
        before = ids[: places[0]] if self._port.denoises else ()
        if self._port.denoises:
            whole = self._model.encode(text, None, (Mask(start, start + len(answer)),))
        else:
            whole = self._model.encode(written.before.rstrip())
        room = self._port.writing(whole).opening.room
        length = len(before) + len(places)
        if encoded.left_out or whole.left_out or (room is not None and length > room):
            return None
        read = tuple(whole.input_ids[0].tolist())
        self._texts.setdefault(read, whole)
        return PromptedAnswer(read, before, tuple(encoded.tokens[place] for place in places))

    def score(self, tried: Sequence[PromptedAnswer]) -> list[float]:
        """The log-probability of each answer, in nats.

        Raises:
            MachineFault: The logits are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """
        wanted: dict[tuple[Pieces, Pieces], set[Pieces]] = {}
        for one in tried:
            if any((one.read, one.before, head) not in self._known for head in _heads(one.pieces)):
                wanted.setdefault((one.read, one.before), set()).add(one.pieces)
        for done, ((read, before), answers) in enumerate(wanted.items()):
            part = part_of(self._context, N_("reading prompts"), done, len(wanted))
            part.check()
            self._read(read, before, answers, part)
        return [sum(self._added(one)) for one in tried]

    def by_piece(self, written: WrittenPrompt, answer: str) -> tuple[tuple[Token, float], ...]:
        """The pieces of an answer that was scored, and what each adds to its log-probability."""
        one = self.try_answer(written, answer)
        return () if one is None else tuple(zip(one.tokens, self._added(one), strict=True))

    def _added(self, one: PromptedAnswer) -> tuple[float, ...]:
        return tuple(self._known[one.read, one.before, head] for head in _heads(one.pieces))

    def _read(self, read: Pieces, before: Pieces, answers: set[Pieces], context: Context) -> None:
        """All that may be answered to one prompt, which is read once."""
        writing = self._port.writing(self._texts[read])
        forced = tuple(first_of(writing.opening))
        given = before if before[: len(forced)] == forced else (*forced, *before)
        for depth in range(max(map(len, answers))):
            longer = [one for one in answers if len(one) > depth]
            heads = sorted({one[:depth] for one in longer})
            rows = writing.logits([(*given, *head) for head in heads], context).log_softmax(-1)
            for head, row in zip(heads, rows, strict=True):
                for one in longer:
                    if one[:depth] == head:
                        self._known[read, before, one[: depth + 1]] = float(row[one[depth]])


def _heads(pieces: Pieces) -> list[Pieces]:
    """The beginnings of an answer, each one piece longer."""
    return [pieces[:count] for count in range(1, len(pieces) + 1)]

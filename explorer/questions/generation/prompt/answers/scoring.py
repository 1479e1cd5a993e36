"""Log-probabilities of possible answers behind prompts, as few distributions as are needed.

An answer is put into its place, the whole text is cut by the model's tokenizer, and the pieces that
the answer became are asked for from left to right. So the space before it belongs to its first
piece wherever the model's pieces carry spaces, and is asked for where it is a piece of its own and
the model reads from the left, which is lm-evaluation-harness' rule. A model that
reads from the left is not told what closes the answer; one that reads both sides has the answer
hidden by as many masks as it has pieces left, and one that fills spans by one sentinel.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    Token,
    UserMistake,
    tokens_at,
)
from explorer.hf.predict.rows import in_blocks, part_of
from explorer.questions.generation.prompt.examples.template import WrittenPrompt
from explorer.text import N_

Key = tuple[tuple[int, ...], tuple[int, ...], int]
"""What a distribution depends on: pieces before it, pieces behind it, and how many are hidden."""


@dataclass(frozen=True)
class ScoredAnswer:
    """An answer behind a prompt.

    Attributes:
        encoded: The whole text.
        places: Where the answer's pieces are.
    """

    encoded: Encoded
    places: tuple[int, ...]

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The answer's pieces."""
        return tuple(self.encoded.tokens[place] for place in self.places)

    @property
    def pieces(self) -> tuple[int, ...]:
        """Their numbers in the vocabulary."""
        return tuple(token.id for token in self.tokens)


class Scorer:
    """Scores answers, and no distribution is asked for twice.

    Args:
        model: Who answers.
        context: Can stop it.
    """

    def __init__(self, model: LoadedModel, context: Context) -> None:
        self._model, self._context = model, context
        self._predictor = model.port(Predictor)
        self._known: dict[tuple[Key, int], float] = {}

    def try_answer(self, written: WrittenPrompt, answer: str) -> ScoredAnswer | None:
        """An answer in its place; None where the text does not fit into the model.

        Raises:
            UserMistake: Nothing is left of the answer in the model's pieces, or it has none for it.
        """
        causal = self._predictor.direction is Direction.CAUSAL
        text = written.before + answer if causal else written.with_answer(answer)
        encoded = self._model.encode(text)
        if encoded.left_out is not None:
            return None
        # A space of its own before the answer belongs to it, too, as the harness has it.
        before = written.before.rstrip() if causal else written.before
        start, end = len(before), len(written.before) + len(answer)
        places = places_of(encoded, start, end)
        refuse_unknown(encoded, places, answer)
        return ScoredAnswer(encoded, places)

    def score(self, tried: Sequence[ScoredAnswer]) -> list[float]:
        """The log-probability of each answer, in nats.

        Raises:
            UserMistake: Nothing stands before an answer, and the model reads from the left.
            MachineFault: The logits are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """
        keys_of = [self._keys(one) for one in tried]
        wanted: dict[Key, set[int]] = {}
        for one, pairs in zip(tried, keys_of, strict=True):
            for key, piece in zip(pairs, one.pieces, strict=True):
                if (key, piece) not in self._known:
                    wanted.setdefault(key, set()).add(piece)
        queries: list[Query] = []
        keys: list[tuple[Key, ...]] = []
        asked: set[Key] = set()
        for one, pairs in zip(tried, keys_of, strict=True):
            due = {at: key for at, key in enumerate(pairs) if key in wanted and key not in asked}
            for query, own in self._queries(one, due):
                queries.append(query)
                keys.append(own)
                asked.update(own)
        counts = [len(query.asked) for query in queries]
        for block in in_blocks(counts, self._model, self._context):
            part = part_of(self._context, N_("reading prompts"), block.start, len(queries))
            found = self._predictor.log_probabilities(queries[block], part)
            for own, rows in zip(keys[block], found, strict=True):
                for key, row in zip(own, rows, strict=True):
                    pieces = sorted(wanted[key])
                    values = row[pieces].tolist()
                    self._known |= {
                        (key, piece): v for piece, v in zip(pieces, values, strict=True)
                    }
        return [
            sum(self._known[pair] for pair in zip(pairs, one.pieces, strict=True))
            for one, pairs in zip(tried, keys_of, strict=True)
        ]

    def by_piece(self, written: WrittenPrompt, answer: str) -> tuple[tuple[Token, float], ...]:
        """The pieces of an answer that was scored, and what each adds to its log-probability."""
        one = self.try_answer(written, answer)
        if one is None:
            return ()
        pairs = zip(self._keys(one), one.pieces, strict=True)
        return tuple(zip(one.tokens, (self._known[pair] for pair in pairs), strict=True))

    def _keys(self, one: ScoredAnswer) -> tuple[Key, ...]:
        ids = tuple(one.encoded.input_ids[0].tolist())
        direction, end = self._predictor.direction, one.places[-1] + 1
        if direction is Direction.CAUSAL:
            return tuple((ids[:place], (), 0) for place in one.places)
        hides = direction is Direction.BOTH
        return tuple(
            (ids[:place], ids[end:], len(one.places) - number if hides else 0)
            for number, place in enumerate(one.places)
        )

    def _queries(
        self, one: ScoredAnswer, due: Mapping[int, Key]
    ) -> Iterator[tuple[Query, tuple[Key, ...]]]:
        """What must be asked for an answer, with the keys of the distributions.

        Args:
            one: The answer.
            due: What was not asked yet, by the number of its piece.
        """
        if not due:
            return
        if self._predictor.direction is Direction.BOTH:
            for number, key in due.items():
                hidden = dict.fromkeys(one.places[number:])
                yield Query(one.encoded, (one.places[number],), hidden), (key,)
            return
        spans = self._predictor.direction is Direction.SPANS
        hidden = dict.fromkeys(one.places) if spans else {}
        places = tuple(one.places[number] for number in due)
        yield Query(one.encoded, places, hidden), tuple(due.values())


def places_of(encoded: Encoded, start: int, end: int) -> tuple[int, ...]:
    """The tokens of some of a text's characters."""
    return tokens_at(encoded.tokens, start, end)


def refuse_unknown(encoded: Encoded, places: Sequence[int], answer: str) -> None:
    """Refuse an answer that a vocabulary has no pieces for.

    Raises:
        UserMistake: It has none.
    """
    if not places or any(encoded.tokens[place].unknown for place in places):
        raise UserMistake(
            N_("This vocabulary has no pieces for “{word}”."),
            N_("Take it out of the table, or ask another model."),
            word=answer,
        )

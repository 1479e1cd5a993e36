"""What T5 expects in the place of hidden tokens, as a port."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.family import (
    Context,
    Direction,
    Encoded,
    LoadedModel,
    Query,
    SpansFound,
    Unavailable,
    UserMistake,
)
from explorer.hf import cancellable, decoder_start, must_be_numbers
from explorer.text import N_

from .encoding import SENTINEL, sentinel_of
from .search import SpanQuery, best_spans


@dataclass(frozen=True)
class DecodingPass:
    """One run of the model: what it reads, what it writes, and where it is read.

    Attributes:
        inputs: What the encoder reads, sentinels included.
        target: What the decoder is given, the token that starts it included.
        read: Places in the target behind which the asked pieces stand, in the order asked.
    """

    inputs: tuple[int, ...]
    target: tuple[int, ...]
    read: tuple[int, ...]


class SentinelPredictor:
    """Every run of hidden tokens is one sentinel; the decoder writes sentinel, span, sentinel, ...

    Raffel et al. 2020, section 3.1.4. Within a run each piece is predicted after those before it.
    """

    direction = Direction.SPANS
    who = "T5"
    reads_pairs = True

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    @property
    def mask_id(self) -> int:
        """The number of the first sentinel."""
        sentinel = sentinel_of(self._model, 0)
        if sentinel is None:
            raise Unavailable(N_("This model's tokenizer has no sentinels."))
        return sentinel.id

    # ---- token by token --------------------------------------------------------------------------

    def log_probabilities(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `Predictor.log_probabilities`.

        What stands in the text at a hidden position is what the decoder is given in its place when
        it comes to later ones, as in training.

        Raises:
            UserMistake: A token is asked for that is not hidden, or there are more hidden runs
                than sentinels.
        """
        import torch

        tasks = [self.task_of(query) for query in queries]
        found: list[Any] = []
        with torch.inference_mode(), cancellable(context):
            for done, task in enumerate(tasks):
                if len(tasks) > 1:
                    context.progress(N_("predicting"), float(done), float(len(tasks)))
                context.check()
                found.append(self._rows(task, 1)[0])
        return found

    def pieces_read(self, query: Query) -> tuple[int, ...]:
        """As `explorer.hf.predict.passes.copies.BatchedForward.pieces_read`."""
        return self.task_of(query).inputs

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        return self._rows(self.task_of(query), count)

    def _rows(self, task: DecodingPass, count: int) -> Any:
        """Log-probabilities (copies x asked x vocabulary)."""
        import torch

        device = torch.device(self._model.device)
        logits = self._model.module(
            input_ids=torch.tensor([task.inputs], device=device).expand(count, -1),
            decoder_input_ids=torch.tensor([task.target], device=device).expand(count, -1),
        ).logits[:, list(task.read)]
        rows = torch.log_softmax(logits.float(), dim=-1)
        must_be_numbers(self._model, rows)
        return rows

    def task_of(self, query: Query) -> DecodingPass:
        """What the model reads and writes to answer a query."""
        tokens, pieces = query.encoded.tokens, query.pieces
        numbers = {place: n for n, place in enumerate(query.encoded.mask_positions)}
        inputs: list[int] = []
        target = [decoder_start(self._model)]
        places: dict[int, int] = {}
        runs, before = 0, -2
        for place, token in enumerate(tokens):
            piece = pieces.get(place, token.id)
            is_mask = place in numbers and place not in pieces
            if piece is not None and not is_mask:
                inputs.append(piece)
                continue
            joins = piece is None and before == place - 1 and tokens[before].part == token.part
            if not joins:
                sentinel = sentinel_of(self._model, runs)
                if sentinel is None:
                    raise UserMistake(
                        N_("T5 tells {runs} hidden spans apart, and there are more here."),
                        N_("Hide fewer tokens at once."),
                        runs=runs,
                    )
                inputs.append(sentinel.id)
                target.append(sentinel.id)
                runs += 1
            before = place if piece is None else -2
            hidden: tuple[int, ...] = (token.id,)
            if is_mask:
                hidden = query.written.get(place, ())
                target += hidden
                places[place] = len(target) - 1
            else:
                places[place] = len(target) - 1
                target += hidden
        missing = [place for place in query.asked if place not in places]
        if missing:
            raise UserMistake(
                N_(
                    "T5 predicts hidden tokens only, and one that is asked for is visible in the "
                    "text."
                ),
                N_("Hide it."),
            )
        read = tuple(places[place] for place in query.asked)
        return DecodingPass(tuple(inputs), tuple(target[: max(read) + 1]), read)

    # ---- span by span ----------------------------------------------------------------------------

    def best_spans(
        self, encoded: Encoded, written: Sequence[tuple[int, ...]], count: int, context: Context
    ) -> SpansFound:
        """As `SpanPredictor.best_spans`.

        A later sentinel is filled after the spans of the earlier ones. No empty span is found, and
        none longer than the search looks for.
        """
        import torch

        with torch.inference_mode(), cancellable(context):
            question = self._question(encoded, written)
            return best_spans(question, count, context)

    def piece_rows(
        self,
        encoded: Encoded,
        written: Sequence[tuple[int, ...]],
        ids: tuple[int, ...],
        context: Context,
    ) -> tuple[Any, float]:
        """As `SpanPredictor.piece_rows`."""
        import torch

        from .search import logits_of

        with torch.inference_mode(), cancellable(context):
            question = self._question(encoded, written)
            tokens = torch.tensor([(*question.prefix, *ids)], device=question.states.device)
            rows = logits_of(question, tokens, None)[0].log_softmax(-1)
        first = len(question.prefix) - 1
        ends = rows[first + len(ids)].cpu().double()[list(question.ends)]
        return rows[first : first + len(ids)], float(torch.logsumexp(ends, dim=-1))

    def _question(self, encoded: Encoded, written: Sequence[tuple[int, ...]]) -> SpanQuery:
        prefix = [decoder_start(self._model)]
        for position, span in zip(encoded.mask_positions, written, strict=False):
            prefix += [encoded.tokens[position].id, *span]
        number = len(written)
        prefix.append(encoded.tokens[encoded.mask_positions[number]].id)
        return SpanQuery(
            module=self._model.module,
            states=self._model.encoder(**encoded.inputs),
            prefix=tuple(prefix),
            ends=ends_of(self._model, number),
            barred=barred_pieces(self._model),
        )


def ends_of(model: LoadedModel, number: int) -> tuple[int, ...]:
    """What may follow a span: the next sentinel, where there is one, or the end."""
    ends = [model.tokenizer.eos_token_id]
    following = model.tokenizer.get_vocab().get(f"<extra_id_{number + 1}>")
    return tuple(ends if following is None else [following, *ends])


def barred_pieces(model: LoadedModel) -> tuple[int, ...]:
    """Sentinels, padding, and rows of the embedding that no piece uses."""
    vocabulary: dict[str, int] = model.tokenizer.get_vocab()
    rows = int(model.config.vocab_size)
    none: Any = {n for piece, n in vocabulary.items() if SENTINEL.fullmatch(piece) and n < rows}
    unused = set(range(rows)) - set(vocabulary.values())
    return tuple(sorted(none | unused | {model.tokenizer.pad_token_id}))

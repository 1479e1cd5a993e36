"""What was done, then cards: distributions, ROC, confusion, places, errors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from explorer.api.question import (
    TOKENS,
    Amounts,
    Cards,
    Manner,
    OneCard,
    Part,
    Roc,
    Rows,
    Said,
    column,
)
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD, Counts
from explorer.questions.detection.cards import (
    Histogram,
    Verdicts,
    confusion_card,
    histogram_card,
    roc_card,
)
from explorer.questions.detection.many_draws.question import (
    ErrorExample,
    ManyDrawsResult,
    VerdictPlace,
)
from explorer.questions.detection.wording import shown_piece
from explorer.text import N_, NN_, Phrase

PLACES = 24
ERRORS = 8


@dataclass(frozen=True)
class Errors(Part):
    """Tokens that are judged wrongly, each in its sentence.

    Attributes:
        examples: The worst first.
    """

    DRAWN_BY: ClassVar[str] = f"{__package__}.sentence_line"

    examples: tuple[ErrorExample, ...]


@dataclass(frozen=True)
class FoundRow:
    """A token of the sentence, or a piece of a file, and how it is judged."""

    token: str = column(N_("token"))
    position: int | None = column(N_("position"), key=True, place=TOKENS, shown=False)
    recall: float | None = column(N_("recall"), shown=False)
    hits: str = column(
        N_("hits"),
        tip=N_("Of the replaced tokens, those that are called so."),
        ink=lambda _said: "muted",
    )
    false_alarms: int = column(
        N_("false alarms"),
        tip=N_("Originals that are called replaced."),
        ink=lambda count: "danger" if count else "muted",
    )


def parts(
    result: ManyDrawsResult, threshold: float = DEFAULT_THRESHOLD
) -> Iterator[Said | Cards | Histogram | Roc | Verdicts | Amounts | Rows]:
    """What was done, then what is measured, on cards.

    Args:
        result: The answer.
        threshold: Above which a token is called replaced.
    """
    counts = result.counts_at(threshold)
    nothing = N_("Nothing was replaced: every draw hit the original.")
    yield Said(about(result), Manner.PLAIN)
    yield Cards(
        (
            histogram_card(result.probability, result.truth, threshold),
            roc_card(result.curve, counts, threshold, result.area),
            confusion_card(counts, threshold),
            _places(result, threshold),
            _errors(N_("Misses that look most original"), result.misses, nothing),
            _errors(
                N_("Originals that look most replaced"), result.false_alarms, N_("There are none.")
            ),
        ),
        filled=True,
    )
    many = N_("Many sentences at once: ask this question in “File of sentences”.")
    yield Said(many, Manner.HINT)


def about(result: ManyDrawsResult) -> Phrase:
    """What was done, in sentences."""
    said = [
        Phrase(N_("{draws} draws of one sentence."), draws=result.draws)
        if result.sentences == 1
        else Phrase(
            N_("{draws} draws of {sentences} sentences of {file}."),
            draws=result.draws,
            sentences=result.sentences,
            file=result.source,
        ),
        Phrase(
            N_(
                "Masked tokens: {chosen}; replaced: {replaced}; draws that hit the original, and "
                "count as original: {guessed}."
            ),
            chosen=result.chosen,
            replaced=result.chosen - result.guessed,
            guessed=result.guessed,
        ),
        Phrase(
            N_("Mean losses: generator {generator} nats, discriminator {discriminator} nats."),
            generator=f"{result.generator_loss:.3f}",
            discriminator=f"{result.discriminator_loss:.3f}",
        ),
    ]
    if result.skipped:
        passed = NN_(
            "{count} sentence could not be corrupted and was passed over.",
            "{count} sentences could not be corrupted and were passed over.",
        )
        said.append(Phrase(passed, count=result.skipped))
    return Phrase.joined(said)


def _places(result: ManyDrawsResult, threshold: float) -> OneCard:
    """Where it errs: a row for every token of the sentence, or for the pieces with most errors."""
    found = list(zip(result.places, result.counts_by_place(threshold), strict=True))
    of_a_file = any(place.position is None for place, _counts in found)
    if of_a_file:
        found.sort(key=lambda one: -(one[1].misses + one[1].false_alarms))
    rows = Rows(
        FoundRow,
        tuple(_row(place, counts) for place, counts in found),
        "recall",
        PLACES,
        scale=(0.0, 1.0),
        in_files=False,
    )
    more = len(found) - PLACES
    title = N_("Pieces with the most errors") if of_a_file else N_("By place in the sentence")
    rest = Phrase(N_("and {count} more"), count=more) if more > 0 else ""
    return OneCard(title, (rows, Said(rest)))


def _row(place: VerdictPlace, counts: Counts) -> FoundRow:
    hits = Phrase(N_("{hits} of {replaced}"), hits=counts.hits, replaced=counts.replaced)
    return FoundRow(
        shown_piece(place.piece),
        place.position,
        counts.recall,
        hits if counts.replaced else "–",
        counts.false_alarms,
    )


def _errors(title: str, examples: tuple[ErrorExample, ...], nothing: str) -> OneCard:
    """The worst errors of a kind, each in its sentence."""
    return OneCard(title, (Errors(examples[:ERRORS]) if examples else Said(nothing),))

"""Several masks filled together, beside what each of them says alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.question import Changes, Manner, OwnPicture, Ranked, Rows, Said, Sentence, column
from explorer.api.question.parts.gestures import Where
from explorer.document import Document
from explorer.questions.masking.joint_decoding.fillings import fillings_of
from explorer.questions.masking.joint_decoding.question import (
    METHOD,
    DecodingMethod,
    JointDecodingRequest,
    JointDecodingResult,
)
from explorer.questions.masking.joint_decoding.wording import (
    BARS,
    BARS_FROM_LEFT,
    STEPS,
    STEPS_FROM_LEFT,
    TABLE,
    order_said,
    verdict,
)
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.formatting.probabilities import in_digits
from explorer.text.glossary import sentence_of
from explorer.text.pieces import drawn

DEPENDENCE = "dependence"
"""The picture that the page paints: the second mask, given each word at the first."""
BESIDE = ("alone", "moved", "kl")
"""Columns of what is known of a model that sees what stands behind a mask."""


@dataclass(frozen=True)
class FilledMaskRow:
    """A mask of the best filling being filled."""

    step: int = column(N_("step"))
    mask: str = column(N_("mask"))
    word: str = column(N_("word"))
    now: float = column(
        N_("now"),
        written=in_digits,
        tip=N_(
            "The word's probability when it was filled, the masks before it being filled already."
        ),
    )
    alone: float | None = column(
        N_("alone"),
        written=in_digits,
        ink=lambda _alone: "muted",
        tip=N_("The same word's probability while everything was masked."),
    )
    moved: float | None = column(
        N_("probability moved"),
        written=percent,
        tip=sentence_of("total variation"),
        dispensable=True,
    )
    kl: float | None = column(
        N_("KL"), unit=N_("nats"), digits=3, tip=sentence_of("KL divergence"), dispensable=True
    )
    entropy: str = column(
        N_("entropy"),
        tip=N_("In nats: while everything was masked, and when it was filled."),
        dispensable=True,
    )


def parts(result: JointDecodingResult) -> Iterator[Said | Sentence | Ranked | OwnPicture | Rows]:
    """What came of it, the sentence, the fillings, two masks as a table, the steps."""
    names = mask_names(result)
    yield Said(verdict(result), Manner.PLAIN)
    yield _sentence(result, names)
    yield Said(Phrase.joined(filter(None, (order_said(result, names), result.note))))
    yield fillings_of(result)
    yield Said(BARS if result.independent is not None else BARS_FROM_LEFT, Manner.ABOUT)
    if result.dependence is not None:
        first, second = names[result.dependence.first], names[result.dependence.second]
        code, number = N_("Mask {number}, once {first} is filled"), result.dependence.second + 1
        yield Said(Phrase(code, number=number, first=first), Manner.TITLE)
        yield Said(Phrase(TABLE, first=first, second=second), Manner.EXPLANATION, near=True)
        yield OwnPicture(DEPENDENCE)
    if len(result.steps) > 1:
        yield Said(N_("Step by step"), Manner.TITLE)
        yield Said(STEPS if result.alone else STEPS_FROM_LEFT, Manner.EXPLANATION, near=True)
        yield _steps(result, names)


def mask_names(result: JointDecodingResult) -> tuple[Phrase, ...]:
    """How the masks are called: by their number in the text."""
    return tuple(Phrase(N_("mask {number}"), number=n + 1) for n in range(len(result.order)))


def _sentence(result: JointDecodingResult, names: tuple[Phrase, ...]) -> Sentence:
    """The sentence with the best filling; masks are put in order by choosing them."""
    when = {mask: step for step, mask in enumerate(result.order, start=1)}
    best = result.fillings[0]
    positions = list(enumerate(result.positions))
    ordered = positions if len(result.order) > 1 else []
    code = N_("{mask}: filled as number {when}. Click to put it next in an order of your own.")
    return Sentence(
        result.tokens,
        {at: verbatim(f"{when[mask]}. {drawn(best.chosen[mask])}") for mask, at in positions},
        {at: Phrase(code, mask=names[mask], when=when[mask]) for mask, at in ordered},
        {at: _put_next(result, mask) for mask, at in ordered},
    )


def _put_next(result: JointDecodingResult, mask: int) -> Changes:
    """Put a mask next in the order by hand; all in order, begin again with it."""
    count = len(result.order)

    def change(now: Document, _where: Where) -> Document:
        # The order of now: several masks may be clicked before an answer comes.
        asked = JointDecodingRequest.of(now)
        order = asked.order if asked.method is DecodingMethod.BY_HAND else ()
        known = [one for one in order if one < count and one != mask]
        complete = len(known) + (mask in order) >= count
        after = [mask] if complete else [*known, mask]
        by_hand = now.with_option(METHOD.key, DecodingMethod.BY_HAND.value)
        return by_hand.with_option("joint_decoding.order", after)

    return Changes(change, Phrase(N_("fill mask {mask} next"), mask=mask + 1))


def _steps(result: JointDecodingResult, names: tuple[Phrase, ...]) -> Rows:
    """How the best filling came about: a row a mask, in the order they were filled."""
    best = result.fillings[0]
    rows = []
    for number, step in enumerate(result.steps, start=1):
        chosen = best.chosen[step.mask]
        entropy = decimal(step.entropy, 2)
        if step.entropy_alone is not None:
            entropy = f"{decimal(step.entropy_alone, 2)} → {entropy}"
        rows.append(
            FilledMaskRow(
                number,
                names[step.mask],
                drawn(chosen),
                chosen.probability,
                best.alone[step.mask].probability if best.alone else None,
                step.total_variation,
                step.kl,
                entropy,
            )
        )
    known = {name for row in rows for name in BESIDE if getattr(row, name) is not None}
    hidden = tuple(name for name in BESIDE if name not in known)
    return Rows(FilledMaskRow, tuple(rows), in_files=False, hidden=hidden)

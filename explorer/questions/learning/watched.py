"""Watched sentences: what every frame says, and one of them next to the exact answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum

from explorer.api.question import (
    Cards,
    Compared,
    ComparedPlace,
    ComparedSide,
    ComparedWord,
    Manner,
    OneCard,
    Option,
    Rows,
    Said,
    Sets,
    Width,
    column,
)
from explorer.questions.learning.runs import MeasuredFrame, WatchedBlank
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.lists import one_after_another

SHOWN_WORDS = 3
SIDES = (ComparedSide("exact", N_("exact")), ComparedSide("model", N_("model")))
TAUGHT = (ComparedSide("teacher", N_("teacher")), ComparedSide("student", N_("student")))
GREY = N_("Grey: the exact answers.")
NO_TEXT = N_("No text of this world goes so: there is no exact answer.")
BEGINS = N_("Exact of the texts that begin so; as it is, the sentence is none of them.")
AT = N_("Step {step}")
FAR = N_("Excess loss here: {excess} nats.")
BLANK = N_("Mask {number} of {count}")


@dataclass(frozen=True)
class WatchedRow:
    """What a frame says where the mask is."""

    sentence: str = column(N_("sentence"))
    step: int = column(N_("training step"))
    words: str = column(N_("likeliest words"), wraps=True)
    excess: float | None = column(
        N_("excess loss"),
        unit=N_("nats"),
        digits=3,
        tip=N_("KL(exact ‖ model) at the mask; of several masks the sum."),
    )


def watched_parts(
    frames: Sequence[MeasuredFrame], step: int, frame: Option[int]
) -> Iterator[Cards]:
    """A card for each sentence: a frame's answer next to the exact one, and those of all frames.

    Args:
        frames: Of a run.
        step: The frame's; another number is that of the newest frame.
        frame: The option that holds it.
    """
    sentences = dict.fromkeys(one for frame in frames for one in frame.watched)
    if not sentences:
        return
    known = {one.step: one for one in frames if one.exact}
    shown = known.get(step, next(reversed(known.values()), None))
    yield Cards(tuple(_card(one, frames, shown, frame) for one in sentences), Width.WIDE)


def _card(
    sentence: str,
    frames: Sequence[MeasuredFrame],
    shown: MeasuredFrame | None,
    frame: Option[int],
) -> OneCard:
    inside: list[Said | Compared | Rows] = []
    if shown is not None and (blanks := shown.exact.get(sentence)):
        inside += _compared(blanks, shown.step)
    looks = {one.step for one in frames if sentence in one.exact}
    film = Rows(
        WatchedRow,
        tuple(_rows(sentence, frames)),
        hidden=("sentence",),
        drops_empty=True,
        gesture=(lambda row: _looks_at(row.step, frame) if row.step in looks else None)
        if looks
        else None,
        chosen=lambda row: bool(looks) and shown is not None and row.step == shown.step,
        words=(lambda _row: N_("Compare this frame with the exact answers")) if looks else None,
    )
    return OneCard(verbatim(sentence), (*inside, film))


def _looks_at(step: int, frame: Option[int]) -> Sets:
    return Sets({frame.key: frame.written(step)}, Phrase(N_("look at step {step}"), step=step))


def _rows(sentence: str, frames: Sequence[MeasuredFrame]) -> Iterator[WatchedRow]:
    for frame in frames:
        blanks = frame.watched.get(sentence, ())
        words = [
            one_after_another(
                [verbatim(f"{word} {percent(share)}") for word, share in blank[:SHOWN_WORDS]]
            )
            for blank in blanks
        ]
        if words:
            far = [one.excess for one in frame.exact.get(sentence, ()) if one.excess is not None]
            excess = fsum(far) if far else None
            yield WatchedRow(sentence, frame.step, " / ".join(words), excess)


def _compared(blanks: Sequence[WatchedBlank], step: int) -> Iterator[Said | Compared]:
    if not any(one.words for one in blanks):
        yield Said(NO_TEXT)
        return
    yield Said(Phrase(AT, step=step), Manner.STRONG)
    places = tuple(_place(one, number, len(blanks)) for number, one in enumerate(blanks, 1))
    sides = TAUGHT if any(one.taught for one in blanks) else SIDES
    yield Compared(sides, (), places, top=1.0)


def _place(one: WatchedBlank, number: int, count: int) -> ComparedPlace:
    told = [] if one.excess is None else [Phrase(FAR, excess=decimal(one.excess, 3))]
    if one.is_beginning:
        told.append(Phrase(BEGINS))
    if not one.words:
        told.append(Phrase(NO_TEXT))
    words = tuple(
        ComparedWord(word, (exact, own), (place, rank))
        for place, (word, exact, own, rank) in enumerate(one.words, 1)
    )
    if one.taught:
        told.append(Phrase(GREY))
        words = tuple(
            ComparedWord(word, (taught, own), (None, rank), beneath=(exact, exact))
            for (word, exact, own, rank), taught in zip(one.words, one.taught, strict=True)
        )
    title = Phrase(BLANK, number=number, count=count) if count > 1 else ""
    return ComparedPlace(None, words, title, tuple(told))

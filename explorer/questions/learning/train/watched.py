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
    OneCard,
    Rows,
    Said,
    Sets,
    Width,
    column,
)
from explorer.questions.learning.train.options import FRAME
from explorer.questions.learning.train.question import MeasuredFrame, WatchedBlank
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.lists import one_after_another

SHOWN_WORDS = 3
SIDES = (ComparedSide("exact", N_("exact")), ComparedSide("model", N_("model")))
NO_TEXT = N_("No text of this world goes so: there is no exact answer.")
BEGINS = N_("Exact of the texts that begin so; as it is, the sentence is none of them.")
FAR = N_("Excess loss here: {excess} nats.")
BLANK = N_("Mask {number} of {count}")


@dataclass(frozen=True)
class WatchedRow:
    """What a frame says where the mask is."""

    sentence: str = column(N_("sentence"))
    step: int = column(N_("step"))
    words: str = column(N_("likeliest words"), wraps=True)
    excess: float | None = column(
        N_("excess loss"),
        unit=N_("nats"),
        digits=3,
        tip=N_("KL(exact ‖ model) at the mask; of several masks the sum."),
    )


def watched_parts(frames: Sequence[MeasuredFrame], step: int) -> Iterator[Rows | Cards]:
    """The film of the answers, and those of a frame next to the exact ones.

    Args:
        frames: Of a run.
        step: The frame's; another number is that of the newest frame.
    """
    rows = tuple(_rows(frames))
    if not rows:
        return
    known = {one.step: one for one in frames if one.exact}
    shown = known.get(step, next(reversed(known.values()), None))
    yield Rows(
        WatchedRow,
        rows,
        title=N_("Watched sentences"),
        group="sentence",
        hidden=("sentence",),
        drops_empty=True,
        gesture=(lambda row: _looks_at(row.step)) if known else None,
        chosen=lambda row: shown is not None and row.step == shown.step,
        words=(lambda _row: N_("Compare this frame with the exact answers")) if known else None,
    )
    if shown is not None:
        cards = tuple(_card(sentence, shown) for sentence in shown.exact)
        yield Cards(cards, Width.WIDE)


def _looks_at(step: int) -> Sets:
    return Sets({FRAME.key: FRAME.written(step)}, Phrase(N_("look at step {step}"), step=step))


def _rows(frames: Sequence[MeasuredFrame]) -> Iterator[WatchedRow]:
    for sentence in dict.fromkeys(one for frame in frames for one in frame.watched):
        for frame in frames:
            blanks = frame.watched.get(sentence, ())
            words = [
                one_after_another(
                    [verbatim(f"{word} {percent(share)}") for word, share in blank[:SHOWN_WORDS]]
                )
                for blank in blanks
            ]
            if words:
                far = [
                    one.excess for one in frame.exact.get(sentence, ()) if one.excess is not None
                ]
                excess = fsum(far) if far else None
                yield WatchedRow(sentence, frame.step, " / ".join(words), excess)


def _card(sentence: str, frame: MeasuredFrame) -> OneCard:
    blanks = frame.exact[sentence]
    title = Phrase(N_("{sentence}, step {step}"), sentence=verbatim(sentence), step=frame.step)
    if not any(one.words for one in blanks):
        return OneCard(title, (Said(NO_TEXT),))
    places = tuple(_place(one, number, len(blanks)) for number, one in enumerate(blanks, 1))
    return OneCard(title, (Compared(SIDES, (), places, top=1.0),))


def _place(one: WatchedBlank, number: int, count: int) -> ComparedPlace:
    told = [] if one.excess is None else [Phrase(FAR, excess=decimal(one.excess, 3))]
    if one.is_beginning:
        told.append(Phrase(BEGINS))
    if not one.words:
        told.append(Phrase(NO_TEXT))
    words = tuple(ComparedWord(word, (exact, own)) for word, exact, own in one.words)
    title = Phrase(BLANK, number=number, count=count) if count > 1 else ""
    return ComparedPlace(None, words, title, tuple(told))

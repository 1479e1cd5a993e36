"""What was measured, and whether a student's layers are like those they were taught by."""

from collections.abc import Mapping

from explorer.api.question import FIRST, row_phrase
from explorer.questions.layers.layer_similarity.question import (
    ENGLISH,
    KOREAN,
    SENTENCES,
    TYPED,
    UNBIASED,
    WORDS,
    LayerSimilarityResult,
)
from explorer.questions.layers.layer_similarity.taught import DISTILBERT
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import whole

SOURCES = {
    ENGLISH: N_("the small world, in English"),
    KOREAN: N_("the small world, in Korean"),
    TYPED: N_("the typed text"),
}
SAMPLES = {WORDS: N_("{count} words"), SENTENCES: N_("{count} means")}


def made_from(result: LayerSimilarityResult) -> tuple[str, ...]:
    """What was measured on, for a caption, which has the models' ids already."""
    return (measured_on(result, {one.model.id: one.model.name for one in result.models}).said,)


def measured_on(result: LayerSimilarityResult, titles: Mapping[str, str]) -> Phrase:
    """Which text, how much of it, and how wide the states are."""
    source = Phrase(SOURCES[result.source]) if result.source in SOURCES else result.source
    told = [
        Phrase(
            N_("Measured on {samples} from {sentences} different sentences of {source}."),
            samples=samples_said(result),
            sentences=whole(result.sentences),
            source=source,
        )
    ]
    if result.unit == WORDS:
        cut = N_(
            "The models split the text differently: aligned words are represented by "
            "their last piece."
        )
        told.append(Phrase(cut))
    elif result.unit == SENTENCES:
        told.append(Phrase(N_("Each sentence is represented by the mean of its tokens.")))
    width = whole(result.first.width)
    if result.second is None:
        told.append(Phrase(N_("A state has {width} numbers."), width=width))
    else:
        both = N_("States of {first} have {width} numbers, those of {second} {other}.")
        first, second = (titles[one.model.id] for one in result.models)
        other = whole(result.second.width)
        told.append(Phrase(both, first=first, width=width, second=second, other=other))
    if result.more and result.source not in (ENGLISH, KOREAN):
        rest = N_("The rest of the text is not read: there are tokens enough.")
        told.append(Phrase(rest))
    if result.cut:
        fits = N_("{count} of the sentences did not fit as a whole.")
        told.append(Phrase(fits, count=whole(result.cut)))
    return Phrase.joined(told)


def samples_said(result: LayerSimilarityResult) -> Phrase:
    """How many of what."""
    return Phrase(SAMPLES.get(result.unit, N_("{count} tokens")), count=whole(result.samples))


def taught_said(result: LayerSimilarityResult, measure: str, titles: Mapping[str, str]) -> Phrase:
    """Whether each of the student's layers is most like the one it was made from."""
    names = (result.first, result.columns)
    student, teacher = names if result.student == FIRST else names[::-1]
    best = result.best_for_student(result.unbiased if measure == UNBIASED else result.cka)
    right = sum(one == taught for one, taught in zip(best, result.taught_by, strict=True))
    framed = N_("Framed: the layer of {teacher} that each layer of {student} was taught to match.")
    if student.model.family == DISTILBERT:
        framed = N_(
            "Framed: the layer of {teacher} that each layer of {student} began as a copy of."
        )
    lines = [
        Phrase(framed, teacher=titles[teacher.model.id], student=titles[student.model.id]),
        Phrase(
            N_("It is the most alike for {right} of {count} layers."), right=right, count=len(best)
        ),
    ]
    lines += [
        Phrase(
            N_("Layer {layer} is most like {best}, not like {taught}."),
            layer=student.layers[row],
            best=row_phrase(teacher.layers[one]),
            taught=row_phrase(teacher.layers[taught]),
        )
        for row, (one, taught) in enumerate(zip(best, result.taught_by, strict=True), start=1)
        if one != taught
    ]
    return Phrase.joined(lines)

"""What was measured, and whether a student's layers are like those they were taught by."""

from collections.abc import Mapping

from explorer.api import FIRST
from explorer.api.question.layer_names import layer_said
from explorer.questions.layers.layer_similarity.matrix import values_of
from explorer.questions.layers.layer_similarity.question import (
    ENGLISH,
    KOREAN,
    SENTENCES,
    TYPED,
    WORDS,
    LayerSimilarityResult,
)
from explorer.questions.layers.layer_similarity.taught import DISTILBERT
from explorer.text import _
from explorer.text.formatting.numbers import whole


def made_from(result: LayerSimilarityResult) -> tuple[str, ...]:
    """What was measured on, for a caption, which calls models by their ids."""
    models = [one.model.id for one in (result.first, result.second) if one is not None]
    return (measured_on(result, {one: one for one in models}),)


def measured_on(result: LayerSimilarityResult, titles: Mapping[str, str]) -> str:
    """Which text, how much of it, and how wide the states are."""
    names = {
        ENGLISH: _("the small world, in English"),
        KOREAN: _("the small world, in Korean"),
        TYPED: _("the typed text"),
    }
    said = [
        _(
            "Measured on {samples} from {sentences} different sentences of {source}.",
            samples=samples_said(result),
            sentences=whole(result.sentences),
            source=names.get(result.source, result.source),
        )
    ]
    if result.unit == WORDS:
        said.append(
            _(
                "The models cut the text differently: words that end alike stand by their "
                "last piece."
            )
        )
    elif result.unit == SENTENCES:
        said.append(_("Each sentence stands by the mean of its tokens."))
    if result.second is None:
        said.append(_("A state has {width} numbers.", width=whole(result.first.width)))
    else:
        said.append(
            _(
                "A state of {first} has {width} numbers, one of {second} {other}.",
                first=titles[result.first.model.id],
                width=whole(result.first.width),
                second=titles[result.second.model.id],
                other=whole(result.second.width),
            )
        )
    if result.more and result.source not in (ENGLISH, KOREAN):
        said.append(_("The rest of the text is not read: there are tokens enough."))
    if result.cut:
        said.append(_("{count} of the sentences did not fit as a whole.", count=whole(result.cut)))
    return " ".join(said)


def samples_said(result: LayerSimilarityResult) -> str:
    """How many of what."""
    count = whole(result.samples)
    if result.unit == WORDS:
        return _("{count} words", count=count)
    if result.unit == SENTENCES:
        return _("{count} means", count=count)
    return _("{count} tokens", count=count)


def taught_said(result: LayerSimilarityResult, measure: str, titles: Mapping[str, str]) -> str:
    """Whether each of the student's layers is most like the one it was made from."""
    names = (result.first, result.columns)
    student, teacher = names if result.student == FIRST else names[::-1]
    best = result.best_for_student(values_of(result, measure))
    right = sum(one == taught for one, taught in zip(best, result.taught_by, strict=True))
    who = {"teacher": titles[teacher.model.id], "student": titles[student.model.id]}
    lines = [
        _("Framed: the layer of {teacher} that each layer of {student} began as a copy of.", **who)
        if student.model.family == DISTILBERT
        else _(
            "Framed: the layer of {teacher} that each layer of {student} was taught to match.",
            **who,
        ),
        _("It is the most alike for {right} of {count} layers.", right=right, count=len(best)),
    ]
    lines += [
        _(
            "Layer {layer} is most like {best}, not like {taught}.",
            layer=student.layers[row],
            best=layer_said(teacher.layers[one]),
            taught=layer_said(teacher.layers[taught]),
        )
        for row, (one, taught) in enumerate(zip(best, result.taught_by, strict=True), start=1)
        if one != taught
    ]
    return " ".join(lines)

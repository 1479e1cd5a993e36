"""What to look at first: the part in which two models differ most, or the numbers they share."""

from explorer.api.question import Headline, beyond
from explorer.questions.architecture.compare_architectures.ancestry import LIKE
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesResult,
    Level,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal, whole
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING


def headline(result: CompareArchitecturesResult) -> Headline:
    """Of tensors, what is the same; of parts, where layers came from, or the largest difference."""
    if result.level is Level.TENSORS:
        return Headline(_of_tensors(result))
    came = _descent(result)
    return Headline(_of_parts(result)) if came is None else came


def _descent(result: CompareArchitecturesResult) -> Headline | None:
    """The layer that most plainly came from one of the other model's; None where none did."""
    if result.ancestry is None:
        return None
    found = [
        (float(result.ancestry.cosines[mine, theirs]), mine, theirs)
        for mine, theirs in enumerate(result.ancestry.came_from)
        if theirs is not None
    ]
    if not found:
        return None
    cosine, mine, theirs = max(found)
    one, other = result.titles
    sentence = Phrase(
        NN_(
            "{count} layer of {one} shares its origin with one of {other}: layer {mine} with "
            "layer {theirs} (cosine {cosine}).",
            "{count} layers of {one} share their origin with layers of {other}, most plainly "
            "layer {mine} with layer {theirs} (cosine {cosine}).",
        ),
        count=len(found),
        one=one,
        other=other,
        mine=str(mine),
        theirs=str(theirs),
        cosine=decimal(cosine, 2),
    )
    return Headline(sentence, strength=beyond(cosine, LIKE, 1.0))


def _of_parts(result: CompareArchitecturesResult) -> Phrase:
    if not result.parts:
        return NOTHING
    one, other = result.titles
    most = max(result.parts, key=lambda p: abs(p.first.parameters - p.second.parameters))
    values = {
        "part": Phrase(most.role),
        "one": one,
        "other": other,
        "first": whole(most.first.parameters),
        "second": whole(most.second.parameters),
    }
    if most.first.parameters == most.second.parameters:
        return Phrase(
            N_("{one} and {other} have equally many parameters in every part, {total} in all."),
            total=whole(result.parameters[0].unique),
            **values,
        )
    return Phrase(
        N_("They differ most in “{part}”: {one} has {first} parameters there, {other} {second}."),
        **values,
    )


def _of_tensors(result: CompareArchitecturesResult) -> Phrase:
    compared = result.tensors
    if compared is None:
        return NOTHING  # the page says why
    one, other = result.titles
    if compared.shared_parameters:
        return Phrase(
            N_("{one} and {other} share {shared} numbers, {share} of those that {one} has."),
            one=one,
            other=other,
            shared=whole(compared.shared_parameters),
            share=in_percent(min(1.0, compared.shared_parameters / result.parameters[0].unique)),
        )
    told = [t for t in compared.tensors if t.correlation is not None]
    if not told:
        return Phrase(
            N_(
                "{one} and {other} share no numbers: no tensor of one has a counterpart in the "
                "other."
            ),
            one=one,
            other=other,
        )
    most = max(told, key=lambda t: abs(t.correlation or 0.0))
    return Phrase(
        N_(
            "They share no tensor; the two most alike, {name}, have a correlation of {correlation}."
        ),
        name=most.name,
        correlation=decimal(most.correlation or 0.0, 2),
    )

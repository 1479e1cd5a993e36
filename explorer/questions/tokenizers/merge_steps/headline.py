"""What to look at first: the step that decides what the word becomes."""

from explorer.api.question import Headline, lead
from explorer.questions.tokenizers.merge_steps.question import MergeStepsResult, SegmentationMethod
from explorer.text import N_, NN_, Phrase
from explorer.text.phrase import NOTHING


def headline(result: MergeStepsResult, **_shown: object) -> Headline:
    """The merge that was learnt last, the piece tried for longest, or how likely the best way is.

    A tokenizer whose steps end elsewhere has a warning, and its steps decide nothing.
    """
    if not result.agrees:
        return Headline(NOTHING)
    if result.method is SegmentationMethod.MERGES:
        return Headline()  # the latest merge of a word is one for every word
    if result.method is SegmentationMethod.LONGEST:
        return Headline(_of_longest(result))
    return Headline(_of_lattice(result))


def _of_longest(result: MergeStepsResult) -> Phrase:
    tried: list[tuple[int, str, str]] = []
    for part in result.parts:
        found: list[tuple[int, str]] = []
        failed = 0
        for step in part.steps[1:]:
            begin = step.ends[-2] if len(step.ends) > 1 else 0
            if step.found:
                found.append((failed, "".join(part.letters[begin:])))
                failed = 0
            else:
                failed += 1
        if failed:
            # The last step says that the word as a whole is unknown, and is no try.
            begin = part.steps[-2].ends[-2] if len(part.steps[-2].ends) > 1 else 0
            return Phrase(
                N_(
                    "The vocabulary has no piece at the start of “{rest}”, so the whole of "
                    "“{word}” becomes “{piece}”."
                ),
                rest="".join(part.letters[begin:]),
                word="".join(part.letters),
                piece=part.pieces[0],
            )
        tried += [(n, piece, rest) for (n, rest), piece in zip(found, part.pieces, strict=True)]
    if not tried:
        return NOTHING
    failed, piece, rest = max(tried, key=lambda one: one[0])
    if not failed:
        return NOTHING
    return Phrase(
        NN_(
            "At the start of “{rest}” the vocabulary has nothing longer than “{piece}”: {count} "
            "longer piece is tried in vain.",
            "At the start of “{rest}” the vocabulary has nothing longer than “{piece}”: {count} "
            "longer pieces are tried in vain.",
        ),
        count=failed,
        rest=rest,
        piece=piece,
    )


def _of_lattice(result: MergeStepsResult) -> Phrase:
    """Of the part whose best way is the least sure one."""
    parts = [part for part in result.parts if part.paths]
    if not parts:
        return NOTHING
    part = min(parts, key=lambda one: one.paths[0].probability)
    ways = [(" ".join(part.cut(one.ends)), one.probability) for one in part.paths]
    return lead(ways)

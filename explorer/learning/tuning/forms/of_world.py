"""Tasks of the small world that are no classes of texts: roles of words, answers, endings.

What is held out is made of documents with a sentence that no bundled model was trained on, and is
the same for every run.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from explorer.learning.tuning.forms.choices import ChoiceExample, ChoicesForm
from explorer.learning.tuning.forms.learnt import LabelledTexts
from explorer.learning.tuning.forms.spans import AskedPassage, SpansForm
from explorer.learning.tuning.forms.words import WordLabelledText, WordsForm
from explorer.world.corpus import CorpusDocument, documents, has_withheld, held_out_documents
from explorer.world.labelling.knowledge_spans import word_offsets
from explorer.world.labelling.tags import TAGGED, TAGS, tags
from explorer.world.tasks.questions import PassageQuestion, QuestionWriter

DRAWN: Final = 5000
"""Examples that are drawn at most for those to be trained on."""
HELD_OUT: Final = 250
POOL: Final = 2000
"""Documents that passages and endings are made of."""
ENDINGS: Final = 4
"""As SWAG has them (Zellers et al. 2018)."""
HELD_OUT_SEED: Final = 44


def roles(count: int, seed: int) -> LabelledTexts:
    """What each word does in its text: who, what, where, with what, when.

    Args:
        count: How many are learnt from; 0 for as many as are drawn at most.
        seed: Of what is drawn.
    """
    learnt = (one for one in documents(seed) if one.kind in TAGGED and not has_withheld(one))
    training = itertools.islice(map(_labelled, learnt), count or DRAWN)
    held_out = [_labelled(one) for one in _held_out() if one.kind in TAGGED][:HELD_OUT]
    return LabelledTexts(WordsForm(), TAGS, tuple(training), tuple(held_out))


def _labelled(document: CorpusDocument) -> WordLabelledText:
    numbers = tuple(TAGS.index(tag) for tag in tags(document))
    return WordLabelledText(document.text, tuple(word_offsets(document)), numbers)


def answers(count: int, seed: int) -> LabelledTexts:
    """Questions about people at work, and where a passage answers them, or that it does not.

    Args:
        count: How many are learnt from; 0 for as many as are drawn at most.
        seed: Of what is drawn.
    """
    training = itertools.islice(_asked(_learnt(seed), seed), count or DRAWN)
    held_out = itertools.islice(_asked(_held_out(), HELD_OUT_SEED), HELD_OUT)
    # Nothing is left open by a passage, so that who reads it answers every question.
    return LabelledTexts(SpansForm(), (), tuple(training), tuple(held_out), best=1.0)


def _asked(drawn: Sequence[CorpusDocument], seed: int) -> Iterator[AskedPassage]:
    writer, rng = QuestionWriter(drawn), random.Random(seed)  # noqa: S311
    while True:
        one: PassageQuestion = writer.draw(rng)
        yield AskedPassage(one.text, one.passage, one.answers)


def endings(count: int, seed: int) -> LabelledTexts:
    """Which of four sentences follows the beginning of a text; the others end texts of its kind.

    Args:
        count: How many are learnt from; 0 for as many as are drawn at most.
        seed: Of what is drawn.
    """
    training = itertools.islice(_ending(_learnt(seed), seed), count or DRAWN)
    held_out = itertools.islice(_ending(_held_out(), HELD_OUT_SEED), HELD_OUT)
    return LabelledTexts(ChoicesForm(), (), tuple(training), tuple(held_out))


def _ending(drawn: Sequence[CorpusDocument], seed: int) -> Iterator[ChoiceExample]:
    rng = random.Random(seed)  # noqa: S311
    by_kind: dict[str, list[str]] = {}
    for one in drawn:
        by_kind.setdefault(one.kind, []).extend(one.sentences[1:])
    several = [one for one in drawn if len(one.sentences) > 1]
    while True:
        document = rng.choice(several)
        cut = rng.randrange(1, len(document.sentences))
        before, right = " ".join(document.sentences[:cut]), document.sentences[cut]
        offered = {*by_kind[document.kind]} - {*document.sentences}
        if len(offered) >= ENDINGS - 1:
            choices = [right, *rng.sample(sorted(offered), ENDINGS - 1)]
            rng.shuffle(choices)
            yield ChoiceExample(before, tuple(choices), choices.index(right))


def _learnt(seed: int) -> tuple[CorpusDocument, ...]:
    return tuple(itertools.islice((d for d in documents(seed) if not has_withheld(d)), POOL))


@functools.cache
def _held_out() -> tuple[CorpusDocument, ...]:
    return tuple(held_out_documents(HELD_OUT * 5 // 4))


DRAWN_FROM: Final[Mapping[str, Callable[[int, int], LabelledTexts]]] = {
    "roles": roles,
    "answers": answers,
    "endings": endings,
}
"""By the task's name."""

"""A step of a scene made of what is on screen: a document, a question and who answers it."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from explorer.api.question import Question, UserMistake
from explorer.document import Document, Mask
from explorer.files.foreign import json_of
from explorer.lectures.scene import Step
from explorer.samples.typed_documents import PAIR_SIGN, document_of, written

LONGEST_NAME = 60
"""Characters of a file's name."""


def step_of(
    document: Document,
    question: Question[Any, Any],
    models: Sequence[str],
    asks: Callable[[Document], object],
) -> Step:
    """The step that asks what a document asks.

    Args:
        document: What is on screen.
        question: The question.
        models: Checkpoints as they are to lie in A and B.
        asks: What the question asks of a document, with the models there are.
    """
    return Step(
        question=question.name,
        models=tuple(models),
        text=document.text,
        masked=_masked(document, 0),
        pair=document.pair,
        pair_masked=_masked(document, 1),
        entities=_entities(document),
        options=_options(document, question, asks),
        top_k=document.top_k,
    )


def file_name(title: str) -> str:
    """A name for a scene's file, without an ending: the words of its title."""
    return re.sub(r"\W+", "_", title.casefold()).strip("_")[:LONGEST_NAME] or "scene"


def _masked(document: Document, part: int) -> tuple[str, ...]:
    """What is masked, as words where these say which, else as characters."""
    told: list[str] = []
    for mask in document.masks:
        if mask.part == part:
            words = document.part(part)[mask.start : mask.end]
            told.append(words if _says(document, part, told, words, mask) else _place(mask))
    return tuple(told)


def _says(document: Document, part: int, told: list[str], words: str, mask: Mask) -> bool:
    """Whether words that are masked after some others are those of a mask, and it alone."""
    texts = (document.text, document.pair)
    places = ((*told, words), ()) if part == 0 else ((), (*told, words))
    try:
        masks = document_of(*texts, *places).masks
    except UserMistake:
        return False
    return mask in masks and len(masks) == len(told) + 1


def _place(mask: Mask) -> str:
    return written(mask).removeprefix(PAIR_SIGN)


def _entities(document: Document) -> tuple[str, ...]:
    """Which characters name which entity."""
    places = ((Mask(one.start, one.end, one.part), one.entity) for one in document.entities)
    return tuple(f"{written(place)}={entity}" for place, entity in places)


def _options(
    document: Document, question: Question[Any, Any], asks: Callable[[Document], object]
) -> dict[str, object]:
    """What the question is set to, where that is not as usual, and what else it goes by."""
    declared = {one.key: one for one in question.options}
    found = {}
    for key, said in document.options:
        value = json_of(said)
        if key in declared:
            if declared[key].of(document) != declared[key].default:
                found[key] = value
        elif not key.startswith(f"{question.name}."):
            without = document.with_option(key, None)
            if key == question.swap or asks(without) != asks(document):
                found[key] = value
    return found

"""Models of the library that can be asked too, one after the other."""

from collections.abc import Iterator

from explorer.api.question import Checkpoint
from explorer.questions.many.file_of_sentences.options import FURTHER
from explorer.questions.many.file_of_sentences.question import (
    FileOfSentencesResult,
    question_asked,
)
from explorer.text import _, said
from explorer.text.formatting.quantities import in_bytes
from explorer.text.lists import all_of
from explorer.ui.blocks import Block, Chip, Chips, Edit, Shown, hint

CHIPS, LEAST = 5, 2
"""Chips there is room for, and how many models are offered at least: the option takes any name."""


def further_models(shown: Shown) -> Iterator[Block]:
    """A switch for each that is asked, and for some that could be."""
    result: FileOfSentencesResult = shown.result
    question = question_asked(result.operation)
    if shown.alone or question is None or not question.one_answers:
        return
    chosen = FURTHER.of(shown.now)
    loaded = {card.stamp.id for card in shown.cards.values()}
    known = {one.id: one for one in shown.library}
    able = [
        one
        for one in shown.library
        if question.name in one.operations and one.folder is not None and not one.pickled
        if one.id not in loaded and one.id not in chosen
    ]
    chips = [_chip(shown, known.get(name), name) for name in chosen]
    if FURTHER.most is None or len(chosen) < FURTHER.most:
        offered = able[: max(LEAST, CHIPS - len(chosen))]
        chips += [_chip(shown, one, one.id) for one in offered]
    if chips:
        yield Chips(chips, title=_("In columns too"))
    if result.waiting and not shown.is_begun:
        yield hint(_said([known[name] for name in result.waiting if name in known]))


def _chip(shown: Shown, one: Checkpoint | None, name: str) -> Chip:
    """Puts a model into the columns, or takes it out."""
    chosen = FURTHER.of(shown.now)
    title = name if one is None else one.title
    if name in chosen:
        left = tuple(other for other in chosen if other != name)
        act: Edit = shown.setting(FURTHER, left, _("leave {title} out", title=title))
        tip = _("Leave {title} out", title=title)
    else:
        act = shown.setting(FURTHER, (*chosen, name), _("ask {title} too", title=title))
        tip = _("Load {title} when the others are done, ask it, and unload it", title=title)
    return Chip(title, act, pressed=name in chosen, tip=tip, key=("further", name))


def _said(waiting: list[Checkpoint]) -> str:
    """What running loads, before it does."""
    titles = said(all_of(one.title for one in waiting))
    sizes = [size for one in waiting if (size := one.weights_bytes.get("float32"))]
    if not sizes:
        return _("Run loads {models}, one at a time, and lets each go.", models=titles)
    return _(
        "Run loads {models}, one at a time, and lets each go: {size} of memory at most.",
        models=titles,
        size=in_bytes(max(sizes)),
    )

"""The page of a question that has none of its own: what must be known, then part below part."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from explorer.api.question import Part, Places, Question, Ranked, Table
from explorer.api.question.parts.fetched import Fetched
from explorer.api.question.parts.part import CHOSEN
from explorer.document import Document
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.beside import Beside
from explorer.ui.blocks.page.last_values import remembered
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.pins import of_pinned
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.text import explanation, heading
from explorer.ui.parts.drawing import blocks_of, module_of
from explorer.ui.parts.fetched import wanted_by
from explorer.ui.parts.looking import Looking, Pictures

NOW, BEFORE = "table", "pinned_table"
"""What the module of a kind may have: its rows beside a pinned answer, and that one's rows."""


def page_of_parts(
    question: Question[Any, Any], pictures: Pictures | None = None, **declared: Any
) -> Page:
    """A page that shows all parts of an answer, each as its kind looks.

    Args:
        question: The question.
        pictures: What it draws itself, by the names of its parts that are an `OwnPicture`.
        declared: What else its page declares, as `Page` has it: what options can be set to, files
            of its own kinds. A question without any needs no page.py.
    """
    for kind in question.part_kinds:
        module_of(kind)

    def blocks(shown: Shown) -> Iterator[Block]:
        if question.about:
            yield explanation(_(question.about), of_page=True)
        looking = Looking(question, shown, pictures or {})
        yield from blocks_of_all(parts_shown(question, shown), looking)
        if question.beside is not None and Ranked in question.part_kinds:
            # Rows of several places have none of their own for the exact answers.
            yield Beside()

    follows = any(one.key == f"{question.name}.{CHOSEN}" for one in question.options)
    follows = follows or "selected" in question.parts_take
    follows = follows or any(kind.FOLLOWS for kind in question.part_kinds)
    if Fetched in question.part_kinds:
        declared["wants"] = lambda shown: tuple(
            wanted_by(parts_shown(question, shown), Looking(question, shown))
        )
    draws_pinned = any(kind.DRAWS_PINNED for kind in question.part_kinds)
    known = {"follows": follows, "draws_pinned": draws_pinned, **_tables(question)}
    return Page(question, blocks, **{**known, **declared})


def _tables(question: Question[Any, Any]) -> dict[str, Callable[[Shown], Table | None]]:
    """The rows for export, and those of a pinned answer, where a kind knows more than its own."""
    if question.table.__module__ != Question.__module__:  # the question has rows of its own
        return {}

    def told(name: str, shown: Shown) -> Table | None:
        first = next(_with_rows(parts_shown(question, shown)), None)
        make = None if first is None else getattr(module_of(type(first)), name, None)
        if make is not None:
            return make(first, Looking(question, shown))  # type: ignore[no-any-return]
        of = of_pinned(shown) if name == BEFORE else shown
        return question.table(of.result, **question.settings_of(of.now))

    modules = [module_of(kind) for kind in question.part_kinds]
    has = (name for name in (NOW, BEFORE) if any(hasattr(one, name) for one in modules))
    return {name: partial(told, name) for name in has}


def _with_rows(parts: Sequence[Part]) -> Iterator[Part]:
    return (one for part in parts for _title, one in part.parts_with_rows())


def blocks_of_all(parts: Sequence[Part], looking: Looking) -> Iterator[Block]:
    """Part below part, with the titles where there are several.

    Args:
        parts: Of an answer, or of a pool.
        looking: At them.
    """
    for part in parts:
        if part.title and len(parts) > 1:
            yield heading(said(part.title))
        yield from blocks_of(part, looking)


def parts_shown(question: Question[Any, Any], shown: Shown) -> Sequence[Part]:
    """The parts of the answer that is shown, as it is looked at now.

    Args:
        question: The question.
        shown: All that its page may know.
    """
    titles = tuple((card.stamp.id, card.title) for card in shown.cards.values())
    settings = question.settings_of(shown.now)
    if shown.looked_at is not None:
        # What is under the mouse is shown in the place of what was chosen.
        chosen = (name for name, option in question.follows.items() if isinstance(option, Places))
        settings |= dict.fromkeys(chosen, shown.looked_at)
    if "selected" in question.parts_take:
        settings["selected"] = shown.selected
    if "card" in question.parts_take:
        cards = (one for one in shown.cards.values() if one.stamp == shown.result.model)
        settings["card"] = next(cards, None)
    return _parts(question, shown.result, shown.asked, titles, **settings)


@remembered(4)
def _parts(
    question: Question[Any, Any],
    result: Any,
    asked: Document,
    titles: tuple[tuple[str, str], ...],
    /,
    **settings: Any,
) -> Sequence[Part]:
    """The same objects as long as they show the same, so that nothing is counted or drawn anew."""
    return question.parts_of(result, asked, dict(titles), **settings)

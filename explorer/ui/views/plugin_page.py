"""A plugin's page, so that what it raises is told on the page and stops nothing else."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from explorer.api.question import Asking, Headline, Loaded, Question, Table
from explorer.engine.plugins.border.code import in_words
from explorer.questions.brought import Brought
from explorer.text import _
from explorer.ui.blocks.block import Block, PlacedBlock
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.parts import alone
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import warning
from explorer.ui.views.page_faults import told

T = TypeVar("T")


class _WatchedQuestion(Question[Any, Any]):
    """A plugin's question, whose requests are made by what tells of its faults."""

    make: Callable[[Asking, Loaded], Any]

    def asked_of(self, document: Asking, loaded: Loaded) -> Any:
        """Nothing where the plugin fails."""
        return self.make(document, loaded)


def _watched(
    one: Brought, make: Callable[[Asking, Loaded], Any], **changed: Any
) -> _WatchedQuestion:
    held = {field.name: getattr(one.question, field.name) for field in fields(Question)}
    watched = _WatchedQuestion(**held | changed)
    object.__setattr__(watched, "make", make)
    return watched


def broken(one: Brought, error: Exception) -> Page:
    """In the place of a page that can't be imported: it asks nothing and says why."""
    said = told(one, error)
    silent = _watched(
        one, lambda _document, _loaded: None, conditions=(), options=(), waiting_hint=said
    )
    return Page(silent, lambda _shown: [warning(said)])


def guarded(page: Page, one: Brought) -> Page:
    """The same page; where something in it fails, a warning stands, or nothing."""

    def tried(work: Callable[..., T] | None, otherwise: T) -> Any:
        def call(*arguments: Any) -> T:
            assert work is not None
            try:
                return work(*arguments)
            except Exception as error:  # noqa: BLE001 - a plugin can raise anything
                told(one, error)
                return otherwise

        return None if work is None else call

    def blocks(make: Callable[[Shown], Iterable[Block]]) -> Callable[[Shown], list[Block]]:
        def call(shown: Shown) -> list[Block]:
            try:
                made = alone(make(shown)) if shown.alone else make(shown)
                return [_GuardedBlock(block, one, block.above) for block in made]
            except Exception as error:  # noqa: BLE001 - a plugin can raise anything
                return [warning(told(one, error))]

        call.__module__ = f"{one.folder}.page"
        return call

    def table(shown: Shown) -> Table:
        try:
            return one.question.table(shown.result) if page.table is None else page.table(shown)
        except Exception as error:  # noqa: BLE001 - a plugin can raise anything
            told(one, error)
            return Table(("problem",), ((in_words(error),),))

    asks: Any = one.question.asked_of
    nothing: Mapping[str, Any] = {}
    return replace(
        page,
        of=_watched(
            one,
            tried(asks, None),
            headline=_guarded_headline(one),
            is_expensive=tried(one.question.is_expensive, False),
            waiting_hint=one.question.waiting_hint
            or _(
                "The plugin {title} can't ask this. The Plugins dialog says why.", title=one.title
            ),
        ),
        blocks=blocks(page.blocks),
        stays=None if page.stays is None else blocks(page.stays),
        table=table,
        other_tables={name: tried(make, None) for name, make in page.other_tables.items()},
        disabled=tried(page.disabled, nothing),
    )


def _guarded_headline(one: Brought) -> Callable[..., Headline] | None:
    tells = one.question.headline
    if tells is None:
        return None

    def headline(result: Any, **settings: Any) -> Headline:
        try:
            first = tells(result, **settings)
            if isinstance(first, Headline) and isinstance(first.sentence, str):
                return first
            raise TypeError("headline gives no Headline with a sentence")
        except Exception as error:  # noqa: BLE001 - a plugin can raise anything
            told(one, error)
            return Headline()

    return headline


@dataclass(frozen=True)
class _GuardedBlock:
    """A block that may fail when it is laid out."""

    block: Block
    one: Brought
    above: Space

    def at(self, width: float) -> PlacedBlock:
        """As the block has it, or a warning in its place."""
        try:
            return self.block.at(width)
        except Exception as error:  # noqa: BLE001 - a plugin can raise anything
            return warning(told(self.one, error)).at(width)

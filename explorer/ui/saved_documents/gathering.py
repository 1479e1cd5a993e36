"""What a document holds, taken from the window; and a window brought to what a document holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from explorer.api.question import SLOTS
from explorer.questions.former_names import document_today
from explorer.text import _
from explorer.ui.saved_documents.file import NamedModel, OnScreen, SavedDocument
from explorer.ui.window.pages.page_layout import arrange, layout_of

if TYPE_CHECKING:
    from explorer.ui.blocks.page.shown import Pinned
    from explorer.ui.lectures.lecturing import Lecturing
    from explorer.ui.sheet.sheet import Sheet
    from explorer.ui.window.host import HostWindow


def on_screen_now(
    window: HostWindow, lecturing: Lecturing, sheet: Sheet, awaited: Mapping[str, NamedModel]
) -> OnScreen:
    """What is on screen.

    Args:
        window: The window.
        lecturing: Its lecture.
        sheet: Its comparison sheet.
        awaited: Models that the document names and that are not loaded yet, by slot.
    """
    bench, at = window.bench, lecturing.at
    held = {
        slot: NamedModel(
            card.stamp.id, card.title, card.stamp.fingerprint, bench.models.own_of(slot).dtype
        )
        for slot, card in bench.models.cards.items()
    }
    return OnScreen(
        models={slot: one for slot in SLOTS if (one := awaited.get(slot) or held.get(slot))},
        active=bench.models.active,
        document=bench.state.document,
        pages=layout_of(window.view_area),
        sheet=sheet.title,
        lecture=lecturing.path if at is not None else "",
        scene=at.scene.name if at is not None else "",
        step=at.number if at is not None else 0,
        own_place=bench.settings_store.settings.own_place if at is not None else None,
    )


def pins_now(window: HostWindow) -> dict[str, Pinned]:
    """The pinned answers, by their pages."""
    askers = window.bench.asking.askers.items()
    return {name: one for name, asker in askers if (one := asker.page.baseline) is not None}


def bring_on_screen(
    saved: SavedDocument, window: HostWindow, lecturing: Lecturing, sheet: Sheet
) -> None:
    """Show what a document holds, all but its models and its scene."""
    read, state = saved.on_screen, window.bench.state
    lecturing.leave_scene()
    own = read.own_place
    document = read.document if own is None else own.document
    state.edit(_("open a document"), document_today(document))
    arrange(window.view_area, read.pages)
    if own is not None and window.view_area.has(own.operation):
        window.view_area.bring_forward(own.operation)
    wanted = {one.operation: one.pinned for one in saved.pins}
    for question in pins_now(window).keys() - wanted.keys():
        window.view_of(question).unpin()
    for question, pinned in wanted.items():
        if window.view_area.has(question):
            window.view_of(question).pin_answer(pinned)
    found = (one.entry() for one in saved.entries)
    sheet.show(read.sheet, [one for one in found if one is not None])

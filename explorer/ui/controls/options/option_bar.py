"""Controls for the options that a question declares: made, filled and heard in one place."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget

from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import (
    Choice,
    Entry,
    FilePath,
    HeadChoice,
    ModelCard,
    ModelName,
    Option,
    Switch,
    Whole,
    Words,
)
from explorer.document import Document
from explorer.text import _
from explorer.ui.blocks.page.page import Offer
from explorer.ui.controls.options.checkpoint_picker import CheckpointPicker
from explorer.ui.controls.options.head_list import HeadList
from explorer.ui.controls.options.labelled import LabelledField
from explorer.ui.controls.options.option_fields import Tell, field_of, next_button
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.document.gestures import quoted, set_options

ALL = Offer()
"""All that an option declares."""
IN_SIGHT = 3
"""Options that stand above a page at most; the others stand in its settings."""


def is_tool(option: Option[Any]) -> bool:
    """Whether it is a button with an icon, which stands among the tools of a page."""
    return isinstance(option, Switch) and bool(option.glyph)


def in_sight(options: Sequence[Option[Any]]) -> set[str]:
    """The keys of those that stand above a page: what says so, else the first ones declared."""
    there = [one for one in options if one.in_bar and not is_tool(one)]
    chosen = [one for one in there if one.in_sight] or there
    return {one.key for one in chosen[:IN_SIGHT]}


def has_others(options: Sequence[Option[Any]]) -> bool:
    """Whether a question has more options than stand above its page."""
    # A head is chosen with its layer, in one list.
    alone = [one for one in options if not (isinstance(one, Whole) and one.counts == "heads")]
    there = {one.key for one in alone if one.in_bar and not is_tool(one)}
    return bool(there - in_sight(alone))


class OptionBar(QObject):
    """The controls of a question's options, in order.

    Args:
        options: What a question declares.
        parent: Where those stand that are in sight, and the tools until a header takes them.
        panel: Where the others stand; they do beside the first ones where that is left out.

    Attributes:
        tools: Buttons with icons, by the option's key.
        row: What stands above the page.
        others: What stands in the panel.
        widgets: All of those, by the option's key, and the buttons to a next number as "key.next".
        fields: By the option's key: what takes its value; each named after it.
        is_placed: The tools stand where they are seen, and may show themselves.

    Signals:
        changed: An option's key and what the document is to hold of it.
        edited: An Edit that sets several of them, as another file sets back what was read of one.
        moved: The same of a slider that moves or of letters that are typed, many of which are one
            step.
        differing: Whether any of those in the panel differs from its default.
    """

    changed = Signal(str, object)
    edited = Signal(object)
    moved = Signal(str, object)
    differing = Signal(bool)

    def __init__(
        self, options: Sequence[Option[Any]], parent: QWidget, panel: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        there = tuple(one.translated() for one in options if one.in_bar)
        self._head_of = {
            layer.key: head
            for layer, head in pairwise(there)
            if isinstance(layer, Whole) and isinstance(head, Whole)
            if (layer.counts, head.counts) == ("layers", "heads")
        }
        """The option of the head that is chosen with a layer, by the layer's key."""
        self._options = tuple(one for one in there if one not in self._head_of.values())
        self._fill: dict[str, Tell] = {}
        self._tips: dict[str, str] = {}
        self._limit: dict[str, Callable[[Document], None]] = {}
        self._offered: dict[str, tuple[Entry, ...]] = {}
        self.is_placed = False
        self._document = Document()
        self._pickers: list[tuple[ModelName, CheckpointPicker]] = []
        self.tools: dict[str, QWidget] = {}
        self.row: dict[str, LabelledField] = {}
        self.others: dict[str, LabelledField] = {}
        self.widgets: dict[str, QWidget] = {}
        self.fields: dict[str, QWidget] = {}
        seen = in_sight(self._options) if panel is not None else {o.key for o in self._options}
        for option in self._options:
            if is_tool(option):
                self._make(option, parent)
                self.tools[option.key] = self.widgets[option.key] = self.fields[option.key]
            else:
                is_seen = option.key in seen
                self._make_labelled(option, parent if is_seen or panel is None else panel, is_seen)
            self._tips[option.key] = option.tip or self.fields[option.key].toolTip()
            self.widgets[option.key].setToolTip(plain_tip(self._tips[option.key]))
            self._offer(option, ALL, Document())

    def show_options(
        self,
        document: Document,
        disabled: Mapping[str, str],
        limits: Mapping[str, int] | None = None,
        offers: Mapping[str, Offer] | None = None,
    ) -> None:
        """Show what a document sets, without telling.

        Args:
            document: The one of now.
            disabled: Options that mean nothing to the answer that is shown, and why.
            limits: The greatest values of whole numbers, where those are not their own.
            offers: What options can be set to now, where it is not all that they declare.
        """
        self._document = document
        for option in self._options:
            value = option.of(document)
            offer = (offers or {}).get(option.key, ALL)
            self._offer(option, offer, document)
            if offer.value is not None:
                value = offer.value
            if option.key in self._limit:
                self._limit[option.key](document)
            self._show_change(option)
            field = self.fields[option.key]
            if isinstance(option, Whole) and isinstance(field, QSpinBox):
                with QSignalBlocker(field):
                    field.setMaximum((limits or {}).get(option.key, option.high))
            if isinstance(field, HeadList) and option.key in self._head_of:
                self._show_head(option, field, document, disabled, limits or {})
                continue
            # Buttons show a number that none of them has by being up, all of them.
            beside = isinstance(option, Choice) and option.beside
            self._fill[option.key](option.held(document) if beside else value)
            widget = self.widgets[option.key]
            why = disabled.get(option.key, "")
            widget.setEnabled(not why)
            said = why or self._tip_of(option, value) or self._tips[option.key]
            widget.setToolTip(plain_tip(said))
        self.differing.emit(any(one.is_changed for one in self.others.values()))

    def _show_head(
        self,
        layer: Option[Any],
        field: HeadList,
        document: Document,
        disabled: Mapping[str, str],
        limits: Mapping[str, int],
    ) -> None:
        """Show a layer with its head; of a layer that is given only its heads can be chosen."""
        head = self._head_of[layer.key]
        last, why = limits.get(layer.key, -1), disabled.get(layer.key, "")
        layers = range(last if why and last >= 0 else 0, last + 1)
        field.show_head(layer.of(document), head.of(document), layers, limits.get(head.key, -1) + 1)
        field.setToolTip(plain_tip(why or self._tips[layer.key]))

    def _choose_head(self, option: Option[Any], layer: int, number: int) -> None:
        head = self._head_of[option.key]
        values = {head.key: head.written(number)}
        if not (option.idle is not None and option.idle(self._document)):
            values[option.key] = option.written(layer)
        self.edited.emit(set_options(self._document, values, _("choose a head")))

    def _tip_of(self, option: Option[Any], value: Any) -> str:
        """Of the chosen entry."""
        entries = self._offered.get(option.key, ()) if isinstance(option, Choice) else ()
        return next((one.tip for one in entries if one.value == value), "")

    def _offer(self, option: Option[Any], offer: Offer, document: Document) -> None:
        """Let a widget have what can be chosen now."""
        widget, field = self.widgets[option.key], self.fields[option.key]
        entries = offer.entries or (option.entries if isinstance(option, Choice) else ())
        if isinstance(field, QComboBox) and entries != self._offered.get(option.key):
            with QSignalBlocker(field):
                field.clear()
                for number, entry in enumerate(entries):
                    field.addItem(entry.title, entry.value)
                    field.setItemData(number, plain_tip(entry.tip), Qt.ItemDataRole.ToolTipRole)
        self._offered[option.key] = tuple(entries)
        there = offer.there and (option.when is None or option.when(document))
        there = there and (self.is_placed or option.key not in self.tools)
        if widget.isHidden() == there:
            widget.setVisible(there)

    def show_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Say which loaded model stands for none that is named."""
        others = [slot for slot in cards if slot != active]
        for option, picker in self._pickers:
            slot = next(iter(others), "") if option.other else active
            picker.set_first(_loaded_said(cards.get(slot), slot, alone=len(self._pickers) == 1))

    def show_library(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Offer every checkpoint whose config is known, here or not."""
        known = [(one.id, one.title) for one in checkpoints if one.family and one.architecture]
        for _option, picker in self._pickers:
            picker.set_choices(known)

    # ---- making ------------------------------------------------------------------------------

    def _make(self, option: Option[Any], parent: QWidget) -> QWidget:
        if option.key in self._head_of:
            heads = HeadList(parent)
            heads.setObjectName(option.key)
            heads.chosen.connect(lambda layer, head: self._choose_head(option, layer, head))
            self.fields[option.key] = heads
            return heads
        made = field_of(option, parent, self)
        self.fields[option.key], self._fill[option.key] = made.field, made.fill
        if made.limit is not None:
            self._limit[option.key] = made.limit
        if isinstance(option, ModelName) and isinstance(made.field, CheckpointPicker):
            self._pickers.append((option, made.field))
        return made.field

    def _make_labelled(self, option: Option[Any], parent: QWidget, is_seen: bool) -> None:
        label = _("Head") if option.key in self._head_of else option.label
        widget = LabelledField(option.key, label, parent, above=not is_seen)
        field = self._make(option, widget)
        beside = []
        if isinstance(option, Whole) and option.next_said and isinstance(field, QSpinBox):
            beside.append(next_button(option, field, self))
            self.widgets[f"{option.key}.next"] = beside[0]
        widget.hold(field, beside)
        widget.reset.connect(lambda: self.reset([option.key]))
        (self.row if is_seen else self.others)[option.key] = widget
        self.widgets[option.key] = widget

    # ---- what differs ------------------------------------------------------------------------

    def _show_change(self, option: Option[Any]) -> None:
        widget = self.widgets[option.key]
        if isinstance(widget, LabelledField):
            both = [one for one in (option, self._head_of.get(option.key)) if one is not None]
            typed_in = isinstance(option, Words) and option.is_input
            differs = any(one.of(self._document) != one.default for one in both) and not typed_in
            widget.show_change(
                ", ".join(one.said(one.default) for one in both) if differs else None
            )

    def reset(self, keys: Iterable[str] | None = None) -> None:
        """Set options back to their defaults, in one step.

        Args:
            keys: Of the options; None for all that stand above the page and in its settings.
        """
        wanted = set(keys if keys is not None else (*self.row, *self.others))
        wanted |= {self._head_of[key].key for key in wanted if key in self._head_of}
        every = (*self._options, *self._head_of.values())
        values = {
            one.key: one.written_in(self._document, one.default)
            for one in every
            if one.key in wanted and not (isinstance(one, Words) and one.is_input)
        }
        self.edited.emit(set_options(self._document, values, _("reset settings")))

    # ---- hearing -----------------------------------------------------------------------------

    def tell(self, option: Option[Any], value: Any) -> None:
        """A value was chosen."""
        values = {option.key: option.written_in(self._document, value)}
        if isinstance(option, HeadChoice):
            self.edited.emit(set_options(self._document, values, _("choose a head")))
        else:
            self.changed.emit(option.key, values[option.key])

    def tell_moved(self, option: Option[Any], value: Any) -> None:
        """A value on the way to another one."""
        self.moved.emit(option.key, option.written_in(self._document, value))

    def take_file(self, option: FilePath, path: str) -> None:
        """Set an option to a file that was chosen or dropped."""
        values = {**dict.fromkeys(option.resets), option.sets or option.key: path}
        if option.adds_to:
            held = self._document.option(option.adds_to, ())
            values = {option.adds_to: [*(one for one in held if one != path), path]}
        name = _("open {name}", name=quoted(PurePath(path).name))
        self.edited.emit(set_options(self._document, values, name))


def _loaded_said(card: ModelCard | None, slot: str, *, alone: bool) -> str:
    """What the entry of a loaded model says; "" where none is loaded."""
    if card is None:
        return ""
    if alone:
        return _("{title} (loaded)", title=card.title)
    return _("{title} (loaded as {slot})", title=card.title, slot=slot)

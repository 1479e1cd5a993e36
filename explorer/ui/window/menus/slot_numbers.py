"""The device and the number type of one slot, in the menu of its chip."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from explorer.text import _
from explorer.ui.settings.declared import Choices, devices, number_types
from explorer.ui.workbench.workbench import Workbench

AUTOMATIC = "auto"


def offer_numbers(bench: Workbench, slot: str, menu: QMenu) -> None:
    """Add what a slot can be loaded as, apart from the other one.

    Args:
        bench: With the models.
        slot: Which.
        menu: Of its chip.
    """
    choose, own = bench.actions.choose_numbers, bench.models.own_of(slot)
    menu.addSeparator()
    types = menu.addMenu(_("&Number type"))
    _choices(types, number_types(bench), own.dtype, lambda value: choose(slot, dtype=value))
    places = menu.addMenu(_("&Device"))
    _choices(places, devices(bench), own.device, lambda value: choose(slot, device=value))
    types.setObjectName("slot_number_type")
    places.setObjectName("slot_device")


def _choices(menu: QMenu, known: Choices, own: str, choose: Callable[[str], None]) -> None:
    group = QActionGroup(menu)
    usual = ("", _("As for &all models"))
    for value, title in (usual, *(one for one in known if one[0] != AUTOMATIC)):
        action = menu.addAction(title, partial(choose, value))
        action.setCheckable(True)
        action.setChecked(value == own)
        group.addAction(action)

"""What can be done with a series: compare two of its frames, and how fast its film plays."""

from functools import partial

from PySide6.QtWidgets import QMenu

from explorer.text import _, ngettext
from explorer.text.formatting.numbers import whole
from explorer.ui.library.moments.moments import PACES, ModelMoments

MOST_LISTED = 60
"""Frames in a menu; of more, some that are as far apart in their order."""


def fill_film_menu(menu: QMenu, moments: ModelMoments, slot: str) -> None:
    """Write anew what can be done with the series of a slot now."""
    menu.clear()
    frames, place = moments.frames(slot), moments.place(slot)
    other = moments.other(slot)
    if len(frames) > 1 and place >= 0:
        head = menu.addAction(_("Compare, loaded as model {slot}:", slot=other))
        head.setEnabled(False)
        if place > 0:
            words = _("First step: {step}", step=whole(frames[0].step))
            menu.addAction(words, partial(moments.compare, slot, 0))
        if place > 1:
            words = _("Previous step: {step}", step=whole(frames[place - 1].step))
            menu.addAction(words, partial(moments.compare, slot, place - 1))
        others = menu.addMenu(_("Another step"))
        others.setObjectName("other_steps")
        every = max(1, -(-len(frames) // MOST_LISTED))
        listed = sorted({*range(0, len(frames), every), len(frames) - 1} - {place})
        for at in listed:
            others.addAction(whole(frames[at].step), partial(moments.compare, slot, at))
        menu.addSeparator()
    paces = menu.addMenu(_("Speed of the film"))
    paces.setObjectName("paces")
    for pace in PACES:
        words = ngettext("{count} step a second", "{count} steps a second", pace)
        one = paces.addAction(words, partial(moments.play_at, pace))
        one.setCheckable(True)
        one.setChecked(pace == moments.pace)
    again = menu.addAction(_("Repeat from the first step"))
    again.setCheckable(True)
    again.setChecked(moments.repeats)
    again.triggered.connect(moments.repeat)
    if len(frames) > 1 and place >= 0:
        menu.addSeparator()
        menu.addAction(_("Ask at every step"), moments.steps_wanted.emit)
        menu.addAction(_("Save the page as a film…"), moments.file_wanted.emit)
        menu.addAction(
            _("Make the film of this model"),
            partial(moments.film_wanted.emit, frames[place].id),
        )

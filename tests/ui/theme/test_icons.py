import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon

from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import apply_theme, theme_of


def inked(made: QIcon, mode=QIcon.Mode.Normal) -> set[str]:
    image = made.pixmap(QSize(32, 32), 1.0, mode).toImage()
    pixels = [image.pixelColor(x, y) for x in range(32) for y in range(32)]
    return {p.name() for p in pixels if p.alpha() == 255}


def test_an_icon_is_drawn_in_the_themes_colour(qapp):
    made = icon("export-variant", "danger")
    for scheme in ("dark", "light"):
        apply_theme(qapp, scheme)
        assert inked(made) == {theme_of(scheme).danger.name()}
        assert not inked(made, QIcon.Mode.Disabled)


def test_qtawesomes_prefix_may_stand_before_the_name(qapp):
    assert inked(icon("mdi6.refresh")) == inked(icon("refresh"))


def test_an_unknown_icon_is_refused(qapp):
    with pytest.raises(KeyError):
        icon("no-such-glyph")


def test_an_icon_is_drawn_once_for_all_that_show_it_so(qapp):
    apply_theme(qapp, "light")

    def drawn(colour="muted", pixels=20, mode=QIcon.Mode.Normal):
        return icon("close", colour).pixmap(QSize(pixels, pixels), 1.0, mode).cacheKey()

    assert drawn() == drawn()
    others = {drawn("danger"), drawn(pixels=24), drawn(mode=QIcon.Mode.Disabled)}
    apply_theme(qapp, "dark")
    others.add(drawn())
    apply_theme(qapp, "light")
    assert len(others | {drawn()}) == 5

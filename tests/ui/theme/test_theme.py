import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.ui.theme.schemes import (
    NAMES,
    apply_theme,
    current_theme,
    system_scheme,
    theme_of,
    theme_signals,
)
from explorer.ui.theme.shapes import ink_on
from explorer.ui.theme.style_sheet import style_sheet

GROUNDS = ("window", "surface", "raised", "hover", "selection", "mask_fill", "pair_fill")
TEXTS = ("text", "muted", "accent", "mask", "positive", "warning", "danger", "pair")
MARKS = ("bar", "bar_original", "focus", "mask", "pair")


@pytest.fixture(autouse=True)
def leave_it_light(qapp):
    yield
    apply_theme(qapp, "light")


def luminance(colour: QColor) -> float:
    """Relative luminance of WCAG 2.1."""
    channels = [colour.redF(), colour.greenF(), colour.blueF()]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def contrast(one: QColor, two: QColor) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("table", ["sequential", "diverging"])
def test_letters_in_cells_can_be_read_on_every_colour(scheme, table):
    grounds = [QColor(*map(int, rgba)) for rgba in getattr(theme_of(scheme), table)]
    assert min(contrast(ink_on(ground), ground) for ground in grounds) > 4.5


def test_contrast_of_known_pairs():
    assert contrast(QColor("white"), QColor("black")) == pytest.approx(21.0)
    assert contrast(QColor("#767676"), QColor("white")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_texts_reach_aa_on_every_ground(scheme, ground):
    theme = theme_of(scheme)
    found = {name: contrast(theme.colour(name), theme.colour(ground)) for name in TEXTS}
    assert min(found.values()) >= 4.5, found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["window", "surface", "track", "mask_fill", "hover"])
def test_marks_reach_three_to_one(scheme, ground):
    theme = theme_of(scheme)
    found = {name: contrast(theme.colour(name), theme.colour(ground)) for name in MARKS}
    assert min(found.values()) >= 3.0, found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_on_the_accent(scheme):
    theme = theme_of(scheme)
    assert contrast(theme.on_accent, theme.accent) >= 4.5


def deuteranope(colour: QColor) -> np.ndarray:
    """As an eye without green cones sees it (Machado et al. 2009, severity 1)."""
    matrix = np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    )
    return matrix @ np.array([colour.redF(), colour.greenF(), colour.blueF()])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_bars_and_the_original_stay_apart_for_colour_blind_eyes(scheme):
    theme = theme_of(scheme)
    apart = np.abs(deuteranope(theme.bar) - deuteranope(theme.bar_original)).max()
    assert apart > 0.35


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sequential_map_only_gets_lighter(scheme):
    colours = theme_of(scheme).sequential
    assert colours.shape == (256, 4)
    assert colours.dtype == np.uint8
    lightness = [luminance(QColor(*map(int, rgba))) for rgba in colours]
    assert np.all(np.diff(lightness) > -1e-3)
    assert lightness[-1] > lightness[0] + 0.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_diverging_map_is_symmetric_about_its_middle(scheme):
    colours = theme_of(scheme).diverging
    lightness = np.array([luminance(QColor(*map(int, rgba))) for rgba in colours])
    assert np.abs(lightness - lightness[::-1]).max() < 0.12
    middle = lightness[127:129].mean()
    ends = lightness[[0, -1]].mean()
    assert middle > ends + 0.4 if scheme == "light" else middle < ends - 0.4
    assert colours[0, 2] > colours[0, 0]  # blue below zero
    assert colours[-1, 0] > colours[-1, 2]  # orange above
    with pytest.raises(ValueError, match="read-only"):
        colours[0] = 0


def test_applying_a_scheme_dresses_the_application(qapp):
    theme = apply_theme(qapp, "dark")
    assert current_theme() is theme
    assert theme.scheme == "dark"
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.window
    assert theme.surface.name() in qapp.styleSheet()
    assert "$" not in qapp.styleSheet()


class Dressed(QPushButton):
    """Counts how often it is dressed."""

    def __init__(self, parent: QWidget):
        super().__init__("Pressed", parent)
        self.times = 0

    def changeEvent(self, event: QEvent):
        super().changeEvent(event)
        self.times += event.type() == QEvent.Type.StyleChange


def test_what_is_deep_in_a_window_is_dressed_once(qapp, qtbot):
    apply_theme(qapp, "light")
    window = inside = QWidget()
    qtbot.addWidget(window)
    for _ in range(6):
        inside = QWidget(inside)
    button = Dressed(inside)
    window.show()
    qtbot.waitExposed(window)
    for scheme in ("dark", "light"):
        button.times = 0
        apply_theme(qapp, scheme)
        assert button.times == 1
        picture = button.grab().toImage()
        assert picture.pixelColor(button.width() // 2, 4) == current_theme().surface


def test_a_change_is_told_once(qapp, qtbot):
    apply_theme(qapp, "light")
    with qtbot.waitSignal(theme_signals().changed) as told:
        apply_theme(qapp, "dark")
    assert told.args[0].scheme == "dark"
    with qtbot.assertNotEmitted(theme_signals().changed):
        apply_theme(qapp, "dark")


def test_the_systems_scheme_is_followed_only_where_that_is_chosen(qapp, monkeypatch):
    apply_theme(qapp, "system")
    monkeypatch.setattr("explorer.ui.theme.schemes.system_scheme", lambda _app: "dark")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert current_theme().scheme == "dark"
    apply_theme(qapp, "light")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert current_theme().scheme == "light"


def test_a_system_that_says_nothing_is_light(qapp):
    apply_theme(qapp, "system")
    says = qapp.styleHints().colorScheme()
    assert system_scheme(qapp) == ("dark" if says == Qt.ColorScheme.Dark else "light")


def test_fonts_follow_the_systems_and_have_their_own_sizes(qapp):
    theme = theme_of("light")
    sizes = {role: theme.font(role).pixelSize() for role in ("small", "body", "token", "heading")}
    assert sizes["small"] < sizes["body"] < sizes["token"] < sizes["heading"]
    assert theme.font("body").family() == qapp.font().family()
    assert theme.font("strong").weight() > theme.font("body").weight()


def test_unknown_colours_are_refused():
    with pytest.raises(KeyError):
        theme_of("dark").colour("mauve")
    with pytest.raises(KeyError):
        style_sheet({name: "#000000" for name in NAMES if name != "surface"}, "light")

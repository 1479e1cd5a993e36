"""Colours, fonts and the application's style, in a dark and a light scheme.

The hues are Okabe and Ito's (2008, "Color Universal Design"), told apart by colour-blind eyes,
with lightness moved until texts reach WCAG 2.1 AA (4.5:1) on every ground they stand on and
marks reach 3:1. Blue is what the model says, orange is what the user hid from it, green is the
second text of a pair and the second of two models.
"""

from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from explorer.ui.theme.style_sheet import put_on, style_sheet

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    ColourMap = npt.NDArray[np.uint8]

Scheme = Literal["dark", "light"]
Choice = Literal["system", "dark", "light"]
FontRole = Literal["body", "strong", "small", "title", "heading", "token", "mono"]
"""What a text is, from which its font follows: "token" is for words, "mono" for digits."""

_COLOURS: Final = {
    # The light scheme first, then the dark one.
    "window": ("#f3f4f6", "#15171b"),
    "surface": ("#ffffff", "#1d2025"),
    "raised": ("#eceef2", "#2a2e35"),
    "text": ("#1a1d23", "#e7e9ed"),
    "muted": ("#565e6b", "#a3abb8"),
    "accent": ("#0a62a8", "#74b9f0"),
    "on_accent": ("#ffffff", "#0c1a27"),
    "mask": ("#8a4b00", "#f5bd58"),
    "mask_fill": ("#fff0d6", "#43341a"),
    "positive": ("#006b4f", "#46cfa4"),
    "warning": ("#7a5200", "#f0c65a"),
    "danger": ("#b3261e", "#ff9182"),
    "bar": ("#2579ba", "#4a9ad6"),
    "bar_original": ("#c96a00", "#e89b1c"),
    "bar_second": ("#00845f", "#3fc79c"),
    "track": ("#eceef2", "#2a2e35"),
    "border": ("#d3d7de", "#3a404a"),
    "edge": ("#7f8794", "#727a87"),
    "focus": ("#0a62a8", "#8cc8ff"),
    "hover": ("#e2e9f1", "#30363f"),
    "selection": ("#cfe3f5", "#1f415e"),
    "pair": ("#00694e", "#52cfa6"),
    "pair_fill": ("#dff1ea", "#1f3a33"),
}

NAMES: Final = tuple(_COLOURS)
"""The named colours of a theme."""

_VIRIDIS: Final = (
    *("#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c"),
    *("#22a884", "#44bf70", "#7ad151", "#bddf26", "#fde725"),
)
_DIVERGING: Final[dict[Scheme, tuple[str, ...]]] = {
    "light": ("#08457e", "#2b7bba", "#8dc0e3", "#f4f4f4", "#f5b878", "#cf7114", "#7d3c00"),
    "dark": ("#9fd3ff", "#4a9ad6", "#28567b", "#24272c", "#75501a", "#d08a2c", "#ffd08a"),
}


def _colour_map(anchors: tuple[str, ...]) -> "ColourMap":
    """256 RGBA colours (256 x 4, uint8) on straight lines between anchors."""
    import numpy as np  # here: the window needs no colour map before it can be seen

    stops = np.array([QColor(a).getRgb() for a in anchors], dtype=float)
    at = np.linspace(0, len(anchors) - 1, 256)
    channels = [np.interp(at, np.arange(len(anchors)), stops[:, c]) for c in range(4)]
    colours: ColourMap = np.rint(np.stack(channels, axis=1)).astype(np.uint8)
    colours.setflags(write=False)
    return colours


class Theme:
    """The colours and fonts of one scheme.

    Attributes:
        scheme: "dark" or "light".
    """

    window: QColor
    surface: QColor
    raised: QColor
    text: QColor
    muted: QColor
    accent: QColor
    on_accent: QColor
    mask: QColor
    mask_fill: QColor
    positive: QColor
    warning: QColor
    danger: QColor
    bar: QColor
    bar_original: QColor
    bar_second: QColor
    track: QColor
    border: QColor
    edge: QColor
    focus: QColor
    hover: QColor
    selection: QColor
    pair: QColor
    pair_fill: QColor

    def __init__(self, scheme: Scheme) -> None:
        self.scheme: Scheme = scheme
        for name, (light, dark) in _COLOURS.items():
            setattr(self, name, QColor(light if scheme == "light" else dark))

    @cached_property
    def sequential(self) -> "ColourMap":
        """Viridis, 256 x 4, uint8: for what runs from zero up."""
        return _colour_map(_VIRIDIS)

    @cached_property
    def diverging(self) -> "ColourMap":
        """Blue over neutral to orange, 256 x 4, uint8.

        The neutral colour is in the middle, so limits must be symmetric about zero.
        """
        return _colour_map(_DIVERGING[self.scheme])

    def colour(self, name: str) -> QColor:
        """A colour by its name in NAMES.

        Raises:
            KeyError: There is no such colour.
        """
        if name not in NAMES:
            raise KeyError(name)
        found: QColor = getattr(self, name)
        # A copy: who makes it paler must not make everybody's paler.
        return QColor(found)

    @staticmethod
    def font(role: FontRole) -> QFont:
        """A font for painting, in pixels, so that it is the same on screen, PNG and SVG."""
        return QFont(_font(role, _system_font.text()))

    @staticmethod
    def letters(role: FontRole) -> tuple[QFont, str]:
        """A font that is painted with as it is, and its text; the system's is asked for once."""
        system = _system_font.text()
        return _font(role, system), _font_key(role, system)

    @staticmethod
    def font_key(role: FontRole) -> str:
        """A font as text: what is measured with it can be kept under this key."""
        return _font_key(role, _system_font.text())

    def palette(self) -> QPalette:
        """The palette for Qt's own widgets."""
        palette = QPalette()
        role = QPalette.ColorRole
        for of, colour in {
            role.Window: self.window,
            role.WindowText: self.text,
            role.Base: self.surface,
            role.AlternateBase: self.raised,
            role.Text: self.text,
            role.Button: self.raised,
            role.ButtonText: self.text,
            role.BrightText: self.danger,
            role.ToolTipBase: self.raised,
            role.ToolTipText: self.text,
            role.PlaceholderText: self.muted,
            role.Highlight: self.accent,
            role.HighlightedText: self.on_accent,
            role.Link: self.accent,
            role.LinkVisited: self.accent,
            role.Accent: self.accent,
            role.Mid: self.border,
            role.Light: self.raised.lighter(110),
            role.Dark: self.border,
        }.items():
            palette.setColor(of, colour)
        faded = QColor(self.muted)
        faded.setAlpha(150)
        for of in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, of, faded)
        palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, self.border)
        return palette


_SIZES: Final[dict[str, tuple[float, QFont.Weight]]] = {
    # Points more than the system's own font, and the weight.
    "body": (0.0, QFont.Weight.Normal),
    "strong": (0.0, QFont.Weight.DemiBold),
    "small": (-1.0, QFont.Weight.Normal),
    "title": (1.0, QFont.Weight.DemiBold),
    "heading": (3.0, QFont.Weight.DemiBold),
    "token": (1.5, QFont.Weight.Normal),
    "mono": (0.0, QFont.Weight.Normal),
}


class _SystemFont:
    """The application's font as text; written anew only when it is another font."""

    def __init__(self) -> None:
        self._font: QFont | None = None
        self._text = ""

    def text(self) -> str:
        """As QFont.fromString reads it."""
        font = QApplication.font()
        if self._font is None or font != self._font:
            self._font, self._text = QFont(font), font.toString()
        return self._text


_system_font = _SystemFont()


@cache
def _font(role: FontRole, base: str) -> QFont:
    system = QFont()
    system.fromString(base)
    more, weight = _SIZES[role]
    font = QFont(system)
    if role == "mono":
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    points = system.pointSizeF() if system.pointSizeF() > 0 else system.pixelSize() * 0.75
    screen = QApplication.primaryScreen()
    dots = screen.logicalDotsPerInch() if screen else 96.0
    font.setPixelSize(round(max(points + more, 7.5) * dots / 72))
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@cache
def _font_key(role: FontRole, base: str) -> str:
    return _font(role, base).toString()


@cache
def theme_of(scheme: Scheme) -> Theme:
    """The one theme of a scheme."""
    return Theme(scheme)


STYLE = "Fusion"


class ThemeSignals(QObject):
    """Tells when the colours change.

    Signals:
        changed: With the new Theme; repaint, and make icons again.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.choice: Choice = "system"
        self.theme: Theme | None = None
        self.follows: QApplication | None = None
        self.dressed: QApplication | None = None

    def apply(self, app: QApplication) -> Theme:
        """Dress the application in the scheme that is chosen, or the system's."""
        theme = theme_of(self.choice if self.choice != "system" else system_scheme(app))
        new = theme is not self.theme
        self.theme = theme
        if self.dressed is not app:
            # Once: it takes longer than all the rest, and a style sheet hides the style's name.
            self.dressed = app
            app.setStyle(STYLE)
        app.setPalette(theme.palette())
        colours = {name: theme.colour(name).name() for name in NAMES}
        sheet = style_sheet(colours, theme.scheme)
        if sheet != app.styleSheet():
            # The same again would lay every widget out anew all the same.
            put_on(app, sheet)
        if new:
            self.changed.emit(theme)
        return theme

    def follow(self) -> None:
        """The system's scheme changed."""
        app = QApplication.instance()
        if self.choice == "system" and isinstance(app, QApplication):
            self.apply(app)


@cache
def theme_signals() -> ThemeSignals:
    """The one teller of theme changes."""
    return ThemeSignals()


def styled_application(program: str) -> QApplication:
    """The application, with the style that the themes are made for.

    Asked for with its arguments, Qt makes the style by itself: from `setStyle` a style comes back,
    and PySide6 spends a twentieth of the start on the enums of its class.
    """
    app = QApplication([program, "-style", STYLE])
    theme_signals().dressed = app
    return app


def system_scheme(app: QApplication) -> Scheme:
    """What the system asks for; light where it does not say."""
    return "dark" if app.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def apply_theme(app: QApplication, scheme: Choice = "system") -> Theme:
    """Dress the application, and go on following the system where that is chosen.

    Returns the theme that is now in force; widgets made by this program repaint themselves.
    """
    signals = theme_signals()
    hints = app.styleHints()
    if signals.follows is not app:
        signals.follows = app
        hints.colorSchemeChanged.connect(signals.follow)
    signals.choice = scheme
    # The window's frame and the file dialogs follow the hint, not the palette.
    asked = {"dark": Qt.ColorScheme.Dark, "light": Qt.ColorScheme.Light}
    hints.setColorScheme(asked.get(scheme, Qt.ColorScheme.Unknown))
    return signals.apply(app)


def current_theme() -> Theme:
    """The theme in force; before apply_theme, the system's."""
    signals = theme_signals()
    if signals.theme is None:
        app = QApplication.instance()
        return theme_of(system_scheme(app) if isinstance(app, QApplication) else "light")
    return signals.theme

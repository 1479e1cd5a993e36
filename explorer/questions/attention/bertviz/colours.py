"""What of bertviz' page says its colours: it is changed where the window's scheme is another."""

LIGHT_MODE = "light"
_MODEL, _HEAD = "#000", "#1d2025"
"""Grounds in the dark: bertviz' own of the model view, and the page's around the head view."""
_IN_DARK = (
    # Menus and check boxes.
    " :root { color-scheme: dark; }"
    # bertviz writes the numbers of layers and heads in black, whatever the ground.
    ' text[fill="black"] { fill: #ddd; }'
    # Words of the head view have no colour of their own; heads' colours are laid under them.
    " svg text:not([fill]) { fill: #eee; paint-order: stroke; "
    f"stroke: {_HEAD}; stroke-width: 3px; }}"
    # What lies under the word that the mouse is on.
    " rect.background { fill: #555; }"
)
"""What its script draws as on a light ground."""


def mode_said(mode: str) -> str:
    """How bertviz' model view is told its colours."""
    return f'"display_mode": "{mode}"'


def style_of(*, dark: bool, of_model: bool) -> str:
    """The ground and the ink of a page.

    Args:
        dark: Light on dark.
        of_model: It is the model view.
    """
    ground, ink = (_MODEL if of_model else _HEAD, "#ddd") if dark else ("#fff", "#111")
    return (
        f"<style>body {{ background: {ground}; color: {ink}; margin: 10px; }}"
        f"{_IN_DARK if dark else ''}</style>"
    )


def in_dark(html: str) -> str:
    """A page light on dark, as it is made so; no question is asked for that."""
    of_model = mode_said(LIGHT_MODE) in html
    html = html.replace(mode_said(LIGHT_MODE), mode_said("dark"))
    light, dark = (style_of(dark=one, of_model=of_model) for one in (False, True))
    return html.replace(light, dark, 1)

"""What of bertviz' page says its colours: it is changed where the window's scheme is another."""

LIGHT_MODE = "light"


def mode_said(mode: str) -> str:
    """How bertviz' model view is told its colours."""
    return f'"display_mode": "{mode}"'


def style_of(*, dark: bool) -> str:
    """The ground and the ink of a page."""
    ground, ink = ("#000", "#ddd") if dark else ("#fff", "#111")
    # bertviz writes the numbers of layers and heads in black, whatever the ground.
    numbers = f' text[fill="black"] {{ fill: {ink}; }}' if dark else ""
    return f"<style>body {{ background: {ground}; color: {ink}; margin: 10px; }}{numbers}</style>"


def in_dark(html: str) -> str:
    """The model view's page light on dark, as bertviz makes it; no question is asked for that."""
    html = html.replace(mode_said(LIGHT_MODE), mode_said("dark"))
    return html.replace(style_of(dark=False), style_of(dark=True), 1)

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

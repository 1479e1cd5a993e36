"""The small style sheet over Fusion, with the theme's colours filled in."""

import string
from collections.abc import Mapping
from functools import cache

from explorer.paths import Paths


@cache
def _template() -> string.Template:
    sheet = Paths.standard().resources / "styles" / "window.qss"
    return string.Template(sheet.read_text(encoding="utf-8"))


def style_sheet(colours: Mapping[str, str], scheme: str) -> str:
    """The style sheet with $names replaced.

    Args:
        colours: The theme's, by name.
        scheme: "dark" or "light": which of the small pictures beside the style sheet it shows.

    Raises:
        KeyError: It names a colour the theme lacks.
    """
    styles = (Paths.standard().resources / "styles").as_posix()
    return _template().substitute(colours, styles=styles, scheme=scheme)

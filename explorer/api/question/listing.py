"""Where the window lists a question."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Listing:
    """Where the window lists a question, while nobody has looked at its page yet.

    Attributes:
        heading: What it is listed under; "" for that of the other questions of its topic.
        order: Questions are listed in this order.
        icon: The icon of the Material Design set it is listed with.
        shortcut: What shows its page, as "Alt+1"; "" for none. Fingers remember them: what is given
            once stays, whatever is listed before it later.
        in_overview: Its answer comes within a moment and may hold something for any sentence: the
            Overview asks it by itself, of whatever models are loaded that can answer.
    """

    heading: str = ""
    order: int = 100
    icon: str = "view-dashboard-outline"
    shortcut: str = ""
    in_overview: bool = False

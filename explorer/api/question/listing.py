"""Where the window lists a question."""

import enum
from dataclasses import dataclass, field

from explorer.text import N_


class Topic(enum.StrEnum):
    """What a person wants to do, in the order in which the window lists it."""

    PREDICT = N_("Predict")
    COMPARE = N_("Compare models")
    LOOK_INSIDE = N_("Look inside")
    EXPLAIN = N_("Explain")
    PRETRAINING = N_("Pretraining objectives")
    LEARNING = N_("Learning")
    TASKS = N_("Tasks")
    KNOWLEDGE = N_("Knowledge graphs")
    TOKENIZERS = N_("Tokenizers")
    FILES = N_("Files")

    @classmethod
    def place(cls, heading: str) -> tuple[int, str]:
        """Sorts headings: these in their order, others after them by their words."""
        known = [str(one) for one in cls]
        return (known.index(heading), "") if heading in known else (len(known), heading)


@dataclass(frozen=True)
class Listing:
    """Where the window lists a question, while nobody has looked at its page yet.

    Attributes:
        heading: The topic it is listed under, or a heading of a plugin's own; "" for that of the
            other questions in its folder.
        order: Questions of one topic are listed in this order, and by their titles.
        icon: The icon of the Material Design set it is listed with.
        shortcut: What shows its page, as "Alt+1"; "" for none. Fingers remember them: what is given
            once stays, whatever is listed before it later.
        in_overview: About how many times a model reads a sentence for its answer, where that comes
            within a moment and may hold something for any sentence: the overview asks it by
            itself, those first that read least often. 0 where it is asked on its page alone.
        tab_of: The question on whose page it is a tab, by its name; "" for a page of its own. It
            stays a question for itself: asked, logged, found and shown by its own name.
    """

    heading: str = ""
    order: int = 100
    icon: str = "view-dashboard-outline"
    shortcut: str = ""
    in_overview: int = 0
    tab_of: str = field(default="", kw_only=True)

"""What is said of a scene on screen, in the panel and in presenter mode alike."""

from explorer.text import _
from explorer.ui.lectures.lecturing import At


def step_line(at: At) -> str:
    """Which step of how many."""
    return _("Step {number} of {count}", number=at.number + 1, count=len(at.scene.steps))


def next_tip(here: At | None, to: At | None, keys: str) -> str:
    """What the button that goes on leads to."""
    if here is None or to is None:
        return _("This is the last step of the lecture.")
    if to.scene == here.scene:
        return _("The next step ({keys})", keys=keys)
    return _("The next scene: {title} ({keys})", title=to.scene.title(), keys=keys)


def back_tip(here: At | None, to: At | None, keys: str) -> str:
    """What the button that goes back leads to."""
    if here is None or to is None:
        return _("This is the first step of the lecture.")
    if to.scene == here.scene:
        return _("The step before ({keys})", keys=keys)
    return _("The scene before: {title} ({keys})", title=to.scene.title(), keys=keys)

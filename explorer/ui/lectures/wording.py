"""What is said of a scene on screen, in the panel and in presenter mode alike."""

from explorer.text import _
from explorer.ui.lectures.lecturing import At, Lecturing


def step_line(at: At) -> str:
    """Which step of how many."""
    return _("Step {number} of {count}", number=at.number + 1, count=len(at.scene.steps))


def ready_said(lecturing: Lecturing) -> str:
    """That a step waits for the user to come back from another page; "" where none does."""
    return _("This step is ready: you opened another page.") if lecturing.is_ready else ""


def again_said(lecturing: Lecturing) -> tuple[str, str]:
    """Why the step is not on screen, and the button that brings it there; "" where it is."""
    if lecturing.problem:
        return "", _("Try again")
    if lecturing.is_ready:
        return ready_said(lecturing), _("Show this step")
    if lecturing.was_changed:
        return _("You have changed something since."), _("Show the scene again")
    return "", ""


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

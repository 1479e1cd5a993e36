"""What is said of a scene on screen, in the panel and in presenter mode alike."""

from explorer.lectures import Scene
from explorer.text import _
from explorer.ui.lectures.lecturing import At

UNCHECKED = "(not checked)"
"""What stands behind a source that nobody has looked up."""
NOTES = "lecture notes"


def step_line(at: At) -> str:
    """Which step of how many."""
    return _("Step {number} of {count}", number=at.number + 1, count=len(at.scene.steps))


def source_lines(scene: Scene) -> tuple[str, ...]:
    """Where a scene's claim is from, a line each, and what nobody has looked up."""
    return tuple(_source(one) for one in scene.sources)


def _source(written: str) -> str:
    bare = written.removesuffix(UNCHECKED).strip()
    source = _("the lecture notes") if bare == NOTES else bare
    if bare == written.strip():
        return source
    return _("{source}: not looked up yet", source=source)


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

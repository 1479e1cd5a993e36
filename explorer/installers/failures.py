"""What ends a build."""


class BuildFailure(Exception):
    """A step that did not work, with what to do about it; one or two sentences."""

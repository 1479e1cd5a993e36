"""What ends a build, or a check of what was built."""


class BuildFailure(Exception):
    """A step that did not work, with what to do about it; one or two sentences."""


class CheckFailure(Exception):
    """What went wrong with a bundle, with the last lines that the program said."""

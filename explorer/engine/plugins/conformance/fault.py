"""What a plugin raised while it was checked: in a line that says where, and with its traceback."""

import traceback
from collections.abc import Iterator
from pathlib import Path

from explorer.api.family import ExplorerError
from explorer.engine.plugins.plugin import MODULE_PREFIX

CHECKED = "_checked"
"""How the name of the copy that is checked ends: the program may have imported the plugin too."""


def told(error: BaseException) -> str:
    """An exception in a line, with the last place in the plugin's folder that it came through.

    "ZeroDivisionError: division by zero (question.py line 12, in headline)"
    """
    words = str(error.message) if isinstance(error, ExplorerError) else ""
    return f"{words or f'{type(error).__name__}: {error}'}{place_said(error)}"


def raised(error: BaseException) -> str:
    """The same as the end of a sentence: "it raised ZeroDivisionError (division by zero)"."""
    return f"it raised {type(error).__name__} ({error}){place_said(error)}"


def place_said(error: BaseException) -> str:
    """Where in the checked plugin's files it came from, in brackets; "" for nowhere."""
    places = [place for one in _causes(error) for place in _places(one)]
    return f" ({places[0]})" if places else ""


def trace_of(error: BaseException) -> str:
    """The traceback, where its code had a part in it, or the program's own failed; "" of a refusal.

    A sentence that the plugin raised itself says all that there is to say.
    """
    if isinstance(error, ExplorerError) and error.__cause__ is None:
        return ""
    return "".join(traceback.format_exception(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """What was raised first, then what was made of it."""
    if error.__cause__ is not None:
        yield from _causes(error.__cause__)
    yield error


def _places(error: BaseException) -> Iterator[str]:
    """Its frames in the copy that is checked, the last one first."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if module.startswith(MODULE_PREFIX) and module.endswith(CHECKED):
            code = frame.f_code
            yield f"{Path(code.co_filename).name} line {line}, in {code.co_name}"

"""Processes of the program's own code: what their environment says."""

import os
from pathlib import Path

import explorer


def search_path() -> str:
    """Where Python finds the program, before what it was told to look at."""
    own = str(Path(explorer.__file__).parents[1])
    return os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH", ""))))


def environment(**more: str) -> dict[str, str]:
    """This process's environment, with the program's own code.

    Args:
        more: Variables that are added.
    """
    own = {"PYTHONPATH": search_path(), "PYTHONUTF8": "1", "TOKENIZERS_PARALLELISM": "false"}
    return {**os.environ, **own, **more}

"""How a newer version is got, by the way this one was installed."""

import os
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import explorer
from explorer.desktop.launching import LAUNCHERS
from explorer.processes.own_processes import is_bundle
from explorer.text import N_

BUNDLE = N_("Fetch the new bundle where you got this one, and unpack it in its place.")
CHECKOUT = N_("git pull brings a checkout up to date; the next start completes its environment.")
UV_TOOL = N_("uv tool upgrade plm-explorer installs it.")
PIP = N_("pip install --upgrade plm-explorer installs it.")


def way_to_update(
    environment: Mapping[str, str] = os.environ, prefix: str = sys.prefix, code: str = ""
) -> str:
    """A sentence, marked for translation.

    Args:
        environment: In which a bundle says what it is.
        prefix: The interpreter's environment.
        code: The program's own file; where it lies if nothing is given.
    """
    if is_bundle() or any(environment.get(name) for name in LAUNCHERS):
        return BUNDLE
    if (Path(code or explorer.__file__).parents[1] / "main.py").is_file():
        return CHECKOUT
    parts = Path(prefix).parts
    return UV_TOOL if ("uv", "tools") in pairwise(parts) else PIP

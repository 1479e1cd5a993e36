"""The newest version that the package index has: uv or pip asks it, as the user set them up.

No address stands here: an index, a mirror, a proxy and certificates are those of uv's and pip's own
settings.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from explorer import __version__
from explorer.api.question import MachineFault, UserMistake
from explorer.bootstrap.failures import reason_of
from explorer.engine.environment.bundle import bundle
from explorer.engine.environment.index_settings import for_uv
from explorer.paths import APP_NAME
from explorer.processes.own_processes import interpreter, is_bundle, without_python_settings
from explorer.text import N_

PATIENCE_S = 30
"""Seconds that the index gets to answer."""

_IMPATIENT = {"UV_HTTP_TIMEOUT": "10", "UV_HTTP_RETRIES": "1"}
_OF_UV = re.compile(rf"^{re.escape(APP_NAME)}==(\S+)", re.MULTILINE)
_OF_PIP = re.compile(rf"^{re.escape(APP_NAME)} \(([^)]+)\)", re.MULTILINE)


@dataclass(frozen=True)
class Newest:
    """What the index has.

    Attributes:
        version: The newest that is no trial version and runs on this Python.
        is_newer: Than the one that runs.
    """

    version: str
    is_newer: bool


def newest(*, offline: bool = False, own: str = __version__) -> Newest:
    """Ask; takes as long as the index does.

    Args:
        offline: Nothing may reach the network.
        own: The version that runs.

    Raises:
        UserMistake: It may not be asked.
        MachineFault: Nobody can ask it, it can't be reached, or does not know the program.
    """
    if offline:
        raise UserMistake(
            N_("--offline keeps the program from asking for a newer version."),
            N_("Start once without --offline."),
        )
    command, environment, pattern = _way()
    try:
        asked = subprocess.run(
            command,
            input=APP_NAME,
            env=environment,
            # What lies in a checkout is no answer.
            cwd=tempfile.gettempdir(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _unreached() from error
    except OSError as error:
        raise _nobody() from error
    found = pattern.search(asked.stdout)
    if asked.returncode or found is None:
        failed = _unreached() if reason_of(asked.stderr).kind == "network" else _unknown()
        # Its details are the asked one's own words.
        raise failed from ChildProcessError(asked.stderr.strip())
    try:
        return Newest(found[1], Version(found[1]) > Version(own))
    except InvalidVersion as error:
        raise _unknown() from error


def _way() -> tuple[Sequence[str], Mapping[str, str], re.Pattern[str]]:
    came_in = bundle()
    uv = str(came_in.uv) if came_in is not None else None
    if uv is None and not is_bundle() and importlib.util.find_spec("pip") is not None:
        pip = [interpreter(), "-m", "pip", "index", "versions", APP_NAME]
        quick = ["--disable-pip-version-check", "--no-input", "--timeout", "10", "--retries", "1"]
        return [*pip, *quick], os.environ, _OF_PIP
    uv = uv or shutil.which("uv")
    if uv is None:
        raise _nobody()
    asked = [uv, "pip", "compile", "-", "--no-deps", "--no-header", "--no-annotate"]
    if not is_bundle():
        asked += ["--python", interpreter()]
    return [*asked, "--refresh", "-q"], {**_IMPATIENT, **for_uv(without_python_settings())}, _OF_UV


def _nobody() -> MachineFault:
    return MachineFault(
        N_("Neither uv nor pip is here, which could ask for the newest version."),
        N_("Look where you got the program from."),
    )


def _unreached() -> MachineFault:
    return MachineFault(
        N_("The package index can't be reached."), N_("Check the connection, then ask again.")
    )


def _unknown() -> MachineFault:
    return MachineFault(
        N_("The package index has no PLM Explorer for this Python."),
        N_("Look where you got the program from."),
    )

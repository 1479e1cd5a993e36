"""The file that starts a thin bundle."""

from pathlib import Path

from explorer.engine.environment.bundle import VARIABLE
from explorer.paths import APP_NAME

_SCRIPT = """\
#!/bin/sh
# Starts PLM Explorer from the folder that this file lies in, with nothing but what lies there (-I).
here=$(dirname "$(readlink -f "$0")")
export {variable}="$here" PLM_EXPLORER_LAUNCHER="$here/{name}"
exec "$here/python/bin/python3" -I -X utf8 -m explorer.cli "$@"
"""


def write_launcher(folder: Path) -> Path:
    """Write it; returns the file."""
    file = folder / APP_NAME
    file.write_text(_SCRIPT.format(variable=VARIABLE, name=APP_NAME), "utf-8")
    file.chmod(0o755)
    return file

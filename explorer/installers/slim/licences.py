"""Under which licences everything in a thin bundle is; what it fetches brings its own."""

import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution
from pathlib import Path

from explorer.installers.failures import BuildFailure
from explorer.installers.frozen.notices import FILE, components
from explorer.licences import KEPT, as_text, component_of, from_json, to_json

_ASKED = """
import sys
from importlib.metadata import distributions
from explorer.licences import component_of, installed, to_json
found = list(installed())
names = {one.name for one in found}
others = (component_of(one) for one in distributions())
found += [one for one in others if one.name not in names]
sys.stdout.buffer.write(to_json(found))
"""


def write_licences(folder: Path, python: Path, libraries: Iterable[Path], uv: Path) -> None:
    """Write into a bundle's folder what is in it: a text for people, and for the program the rest.

    What pip installed the program finds by itself, also when more is installed.

    Args:
        folder: The bundle.
        python: The bundle's, with the window's packages.
        libraries: Of the system's, that were copied.
        uv: The program, beside which pip put its licences.

    Raises:
        BuildFailure: uv's licences are not to be found.
    """
    asked = subprocess.run([str(python), "-I", "-c", _ASKED], capture_output=True, check=False)
    if asked.returncode:
        raise BuildFailure(f"The licences can't be told: {asked.stderr.decode()[-500:]}")
    places = uv.resolve().parents[1].glob("lib/python*/site-packages/uv-*.dist-info")
    others = [component_of(Distribution.at(place)) for place in places]
    if not others:
        raise BuildFailure(f"No licence lies beside {uv}. Install it with pip: pip install uv")
    # Its own library is Python's, which is told of.
    own = Path(sys.base_prefix)
    outside = [one for one in libraries if not one.is_relative_to(own)]
    others += components(outside)
    (folder / KEPT).write_bytes(to_json(others))
    (folder / FILE).write_text(as_text([*from_json(asked.stdout), *others]), "utf-8")

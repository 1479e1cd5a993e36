"""A recipe for conda-forge, in the form of rattler-build, and a line for pixi.

https://rattler-build.prefix.dev/latest/reference/recipe_file/
"""

import re
from pathlib import Path

from explorer.installers.stores.about import StoreFacts, digest
from explorer.paths import APP_NAME

NAMES = {
    "torch": "pytorch",
    "babel": "babel",
    "pyside6": "pyside6",
    "xstatic-jquery": "xstatic-jquery",
}
"""What packages are called there, where that is not their name in small letters."""
PIXI = """\
[workspace]
name = "models"
channels = ["conda-forge"]
platforms = ["linux-64", "osx-arm64", "win-64"]

[dependencies]
{name} = ">={version}"

[tasks]
start = "{name}"
"""


def requirement(line: str) -> str:
    """A line of pyproject.toml as conda has it: "torch>=2.6" is "pytorch >=2.6"."""
    found = re.match(r"[\w.-]+", line)
    name = "" if found is None else found[0]
    known = NAMES.get(name.lower(), name.lower())
    bounds = line[len(name) :].replace(" ", "")
    return f"{known} {bounds}".strip()


def recipe(of: StoreFacts, sdist: Path) -> str:
    """The text of recipe.yaml.

    Args:
        of: The version.
        sdist: The sources that it is made from.
    """
    run = [f"    - {requirement(line)}" for line in of.requires]
    lines = [
        "schema_version: 1",
        "",
        "package:",
        f"  name: {APP_NAME}",
        f'  version: "{of.version}"',
        "",
        "source:",
        f"  url: {of.download(sdist.name)}",
        f"  sha256: {digest(sdist)}",
        "",
        "build:",
        "  number: 0",
        "  noarch: python",
        "  script: python -m pip install . -vv --no-deps --no-build-isolation",
        "  python:",
        "    entry_points:",
        f"      - {APP_NAME} = explorer.cli:main",
        "",
        "requirements:",
        "  host:",
        f"    - python {of.python}",
        "    - hatchling >=1.27",
        "    - pip",
        "  run:",
        f"    - python {of.python}",
        *run,
        "",
        "tests:",
        "  - python:",
        "      imports:",
        "        - explorer",
        "  - script:",
        f"      - {APP_NAME} --version",
        "",
        "about:",
        f"  summary: {of.summary!r}",
        f"  license: {of.licence}",
        "  license_file: LICENSE",
        f"  homepage: {of.repository}",
        f"  repository: {of.repository}",
        "",
    ]
    return "\n".join(lines)


def pixi(of: StoreFacts) -> str:
    """A pixi.toml that has the program, and starts it by `pixi run start`."""
    return PIXI.format(name=APP_NAME, version=of.version)

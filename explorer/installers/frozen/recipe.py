"""What bundle.spec is told, for one program, system and signature."""

import json
from pathlib import Path

from explorer.installers.frozen import contents

PROGRAM = "plm-explorer"
SPEC = Path(__file__).with_name("bundle.spec")
START = Path(__file__).with_name("start.py")


def write(
    file: Path,
    root: Path,
    package: Path,
    *,
    version: str,
    licences: Path,
    identity: str | None = None,
) -> None:
    """Write a recipe.

    Args:
        file: A JSON file, for bundle.spec.
        root: The checkout.
        package: The folder `explorer` of the program as it was installed, with `bundled`.
        version: Of the program.
        licences: What `explorer.licences.to_json` gave.
        identity: Who signs, on macOS; None leaves it unsigned.
    """
    hidden = contents.own_modules(package)
    hidden += contents.imported_by_plugins(package / "bundled" / "plugins")
    hidden += contents.FOUND_BY_NAME
    data = [(str(one), _folder_of(one, package)) for one in contents.own_files(package)]
    # Beside the resources: explorer.licences looks there.
    data.append((str(licences), "explorer/bundled"))
    recipe = {
        "name": PROGRAM,
        "version": version,
        "start": str(START),
        "path": str(package.parent),
        "hidden": hidden,
        "data": data,
        "whole": contents.WHOLE,
        "with_files": contents.WITH_FILES,
        "with_sources": dict.fromkeys(contents.WITH_SOURCES, "pyz+py"),
        "metadata": contents.asked_for_versions(root),
        "dropped": contents.DROPPED,
        "dropped_files": contents.DROPPED_FILES,
        "dropped_names": contents.DROPPED_NAMES,
        "identity": identity,
    }
    file.write_text(json.dumps(recipe, indent=1), "utf-8")


def _folder_of(file: Path, package: Path) -> str:
    return Path(contents.OWN, file.parent.relative_to(package)).as_posix()

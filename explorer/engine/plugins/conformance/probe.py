"""Run in a fresh interpreter: what does a plugin import, before it is asked to load anything?

Usage: python -m explorer.engine.plugins.conformance.probe PLUGINS ID [CHECKPOINT ...]
       python -m explorer.engine.plugins.conformance.probe --question MODULE FOLDER
"""

import importlib
import json
import sys
from pathlib import Path

HEAVY = ("torch", "transformers", "tokenizers", "PySide6", "PyQt5", "PyQt6", "PySide2")
"""What must not be imported yet: the first three for time, the rest at all."""


def main(arguments: list[str]) -> int:
    """Import the plugin, then list its checkpoints; print what had been imported after each."""
    if arguments[0] == "--question":
        return _look_at_question(*arguments[1:])
    from explorer.engine.library.catalogue import Catalogue
    from explorer.engine.plugins.host import PluginHost

    plugins, name, *checkpoints = arguments
    host = PluginHost(Path(plugins), None, entry_points=False)
    host.family(name)
    importing = _heavy()
    catalogue = Catalogue(host, Path(plugins) / "none", Path(plugins) / "none", offline=True)
    problems = [row.problem for row in catalogue.list(tuple(checkpoints)) if row.folder]
    found = {"importing": importing, "listing": _heavy(), "problems": [p for p in problems if p]}
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


def _look_at_question(module: str, folder: str) -> int:
    """Import a question, then its page; print what each of them imported."""
    from explorer.engine.plugins.questions import make_package

    make_package(module.partition(".")[0], Path(folder).parents[2])
    importlib.import_module(f"{module}.question")
    found = {"question": _heavy()}
    if (Path(folder) / "page.py").is_file():
        importlib.import_module(f"{module}.page")
        late = set(_heavy()) - set(found["question"])
        found["page"] = sorted(late & {"torch", "transformers"})
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


def _heavy() -> list[str]:
    return [name for name in HEAVY if name in sys.modules]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What somebody told their Python for other purposes: a folder of scripts, a Python that went."""

import os
from pathlib import Path

import pytest

SHADOWED = ("numpy", "torch", "transformers", "tokenizers", "msgspec", "queue", "random", "pip")
"""Names that people give to scripts, or that a folder of packages for another Python has."""


def folder_of_scripts(folder: Path) -> Path:
    """Scripts named as modules that the program needs; to import one raises."""
    folder.mkdir()
    for name in SHADOWED:
        (folder / f"{name}.py").write_text(
            f"raise RuntimeError('the {name} of somebody else')\n", encoding="utf-8"
        )
    return folder


def tell(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Tell processes that are started from now on of such scripts, and of no Python."""
    scripts = folder_of_scripts(folder / "scripts")
    before = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(scripts), before))))
    monkeypatch.setenv("PYTHONHOME", str(folder / "no-python-here"))

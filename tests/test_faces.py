"""What others may import is there, and is explained."""

import ast
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from explorer.faces import homes
from tests.source_facts import facts_of

ROOT = Path(__file__).resolve().parents[1]
FACES = ("explorer.api.family", "explorer.api.question", "explorer.hf", "explorer.ui.blocks")


def explained(module):
    """Names of a module that are explained: constants by the text behind them."""
    found = set()
    body = ast.parse(Path(module.__file__).read_text("utf-8")).body
    for node, behind in zip(body, [*body[1:], ast.Pass()], strict=True):
        says = isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant)
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and says:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {one.id for one in ast.walk(ast.Tuple(targets)) if isinstance(one, ast.Name)}
    return found


@pytest.mark.parametrize("name", FACES)
def test_every_name_of_a_face_is_there_and_explained(name):
    package = import_module(name)
    names = {one: import_module(home) for one, home in homes(name).items()}
    assert set(names) <= set(dir(package))
    assert set(names).isdisjoint(one.name for one in pkgutil.iter_modules(package.__path__))
    for one, module in names.items():
        assert getattr(package, one) is getattr(module, one), one
    assert {one for one, module in names.items() if one not in explained(module)} == set()


def test_a_face_shows_no_other_names():
    package = import_module("explorer.hf")
    with pytest.raises(AttributeError, match=r"'explorer\.hf' has no attribute 'nothing'"):
        _ = package.nothing


def test_what_plugins_imported_before_there_were_two_faces_is_there_still():
    package = import_module("explorer.api")
    family, question = homes("explorer.api.family"), homes("explorer.api.question")
    assert family | question == question | family == homes("explorer.api")
    for name in ("Recognition", "Predictor", "Question"):
        assert getattr(package, name).__name__ == name


def test_what_plugins_import_brings_neither_torch_nor_transformers():
    code = (
        "import sys, explorer.hf; from explorer.hf import TransformersFamily, MaskedPredictor;"
        "print({'torch', 'transformers', 'PySide6'} & set(sys.modules))"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "set()", done.stderr


ON_TWO_FACES = {"CutText", "Panel", "Points"}
"""Of two classes, on two faces each: a version of a face promises its names."""


def test_a_name_of_a_class_is_that_of_one_class_alone():
    defined = {}
    for folder in ("explorer", "plugins"):
        for path in (ROOT / folder).rglob("*.py"):
            for name in facts_of(path).classes:
                defined.setdefault(name, []).append(path.relative_to(ROOT).as_posix())
    shared = {name: places for name, places in defined.items() if len(places) > 1}
    assert set(shared) == ON_TWO_FACES, shared
    for name in ON_TWO_FACES:
        assert sum(name in homes(face) for face in FACES) == len(shared[name]), name

"""What transformers lists of its own modules is listed once, and is the same."""

import importlib
import sys

import pytest

from explorer.processes import listed_once

MODULE = """
CALLS = []
def create_import_structure_from_path(folder):
    CALLS.append(folder)
    return {folder: len(CALLS)}
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package in the place of transformers, that nobody has imported."""
    folder = tmp_path / "lists_twice" / "utils"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "__init__.py").touch()
    (folder / "import_utils.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(listed_once, "READS", "lists_twice.utils.import_utils")
    others = [one for one in sys.meta_path if not isinstance(one, listed_once._ListFinder)]
    monkeypatch.setattr(sys, "meta_path", others)
    yield "lists_twice.utils.import_utils"
    for name in [name for name in sys.modules if name.startswith("lists_twice")]:
        del sys.modules[name]


def finders():
    return [one for one in sys.meta_path if isinstance(one, listed_once._ListFinder)]


def test_it_is_asked_once_for_each_folder(package):
    listed_once.list_once()
    listed_once.list_once()
    assert len(finders()) == 1
    module = importlib.import_module(package)
    lists = module.create_import_structure_from_path
    assert [lists("models"), lists("models"), lists("utils")] == [
        {"models": 1},
        {"models": 1},
        {"utils": 2},
    ]
    assert module.CALLS == ["models", "utils"]
    assert finders() == []


def test_without_it_nothing_is_remembered(package):
    module = importlib.import_module(package)
    lists = module.create_import_structure_from_path
    assert lists("models") != lists("models")


def test_what_transformers_lists_is_what_it_listed_before():
    """Nobody has changed the lists, which both of its packages are made from."""
    import transformers
    from transformers.utils import import_utils as own

    lists = own.create_import_structure_from_path
    folder = f"{transformers.__path__[0]}/models/bert"
    assert lists(folder) == getattr(lists, "__wrapped__", lists)(folder)
    assert "BertModel" in dir(transformers)

"""Names of a loaded model's graph are looked up where it is, by an index, not one after another."""

import contextlib
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from explorer.api.family import Context, Entity, LoadOptions
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[2] / "resources" / "models"
MANY = 200_000


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    host, cache = tiny.families(), tmp_path_factory.mktemp("cache")
    found = Runner(host, Catalogue(host, MODELS, cache))
    for slot, name in (("A", "ernie-thu-miniature"), ("B", "bert-miniature")):
        found.load(slot, str(MODELS / name), LoadOptions(device="cpu"), Context(cache=cache))
    return found


def test_names_that_begin_so_or_the_one_of_an_id(runner):
    found = runner.entities_named("A", "anna (b", 2)
    assert found == (Entity("Q10", "Anna (baker)"), Entity("Q390", "Anna (banker)"))
    assert runner.entities_named("A", "Q10", 2) == (Entity("Q10", "Anna (baker)"),)
    assert runner.entities_named("A", "nobody is called so", 2) == ()


def test_a_model_without_entities_and_an_empty_slot_know_none(runner):
    assert runner.entities_named("B", "Anna", 2) == ()
    assert runner.entities_named("C", "Anna", 2) == ()


def test_of_many_names_the_index_finds_them(runner, tmp_path):
    source = tmp_path / "kg_embed"
    source.mkdir()
    numbers = range(MANY)
    ids = "".join(f"Q{n}\t{n}\n" for n in numbers)
    (source / "entity2id.txt").write_text(f"{MANY}\n{ids}", "utf-8")
    names = "".join(f"Person {n:06}\tQ{n}\n" for n in numbers)
    (source / "entity_map.txt").write_text(names, "utf-8")
    (source / "entity2vec.vec").write_text("0.5\n" * MANY, "utf-8")
    graph = runner.models["A"].ports  # its plugin's own modules are those that convert
    knowledge = next(one for kind, one in graph.items() if kind.__name__ == "Knowledge")
    package = type(knowledge).__module__.rpartition(".")[0]
    from importlib import import_module

    opened = import_module(f"{package}.graph").open_graph(source, 1, Context(cache=tmp_path / "c"))
    found = opened.beginning("person 1234", 3)
    assert [one.name for one in found] == ["Person 123400", "Person 123401", "Person 123402"]
    assert np.all(opened.rows([7]) == 0.5)
    with contextlib.closing(sqlite3.connect(opened.folder / "names.sqlite")) as database:
        plan = database.execute(
            "EXPLAIN QUERY PLAN SELECT id, name FROM names JOIN ids USING (number)"
            " WHERE folded BETWEEN ? AND ? ORDER BY folded LIMIT ?",
            ("person 1", "person 2", 12),
        ).fetchall()
    told = " ".join(str(row[-1]) for row in plan)
    assert "USING INDEX by_folded" in told
    assert "SCAN" not in told
    assert "TEMP B-TREE" not in told

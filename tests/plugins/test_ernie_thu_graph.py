"""Files of entities: converted once, exactly; and one line for each thing that is wrong in them."""

import numpy as np
import pytest

from explorer.api.family import Context, Knowledge, LoadOptions, Mask, Predictor
from explorer.hf.text.mentions import NamedEntities, link_entities
from tests.plugins import encoder_checkpoints as made
from tests.plugins import ernie_thu_files as files

COUNT = 8
VECTORS = files.reference("inputs")["entity_table"][1:].numpy()


def opened(base, cache):
    """The model, with what became of its entities."""
    runner = made.runner()
    runner.load("A", str(base), LoadOptions(device="cpu"), Context(cache=cache))
    return runner.models["A"]


@pytest.fixture
def base(tmp_path):
    return files.write_published(tmp_path / "published")


def broken(base, name, change):
    """Change one of the three files, as lines."""
    path = base.parent / "kg_embed" / name
    path.write_bytes(change(path.read_bytes()))


def line(number, put):
    """Change one line, counted from 1."""

    def change(content):
        lines = content.split(b"\n")
        lines[number - 1] = put(lines[number - 1])
        return b"\n".join(lines)

    return change


BROKEN = [
    (
        "entity2vec.vec",
        lambda content: content[: len(content) // 2],
        "entity2vec.vec is cut off: it has 4 of 8 entities.",
    ),
    (
        "entity2vec.vec",
        lambda content: b"",
        "entity2vec.vec has vectors of 0 numbers, and this model reads 100.",
    ),
    (
        "entity2vec.vec",
        lambda content: b"".join(
            b"\t".join(one.split(b"\t")[:50]) + b"\n" for one in content.splitlines()
        ),
        "entity2vec.vec has vectors of 50 numbers, and this model reads 100.",
    ),
    (
        "entity2vec.vec",
        line(4, lambda one: one.rpartition(b"\t")[0]),
        "Line 4 of entity2vec.vec is not 100 numbers.",
    ),
    (
        "entity2vec.vec",
        line(2, lambda one: one.replace(b"\t", b"\tnan", 1)),
        "Line 2 of entity2vec.vec is not 100 numbers.",
    ),
    (
        "entity2vec.vec",
        lambda content: content + content,
        "entity2vec.vec has more vectors than the 8 entities of entity2id.txt.",
    ),
    (
        "entity2id.txt",
        line(1, lambda _: b"many"),
        "Line 1 of entity2id.txt does not say how many entities there are.",
    ),
    ("entity2id.txt", lambda _: b"", "Line 1 of entity2id.txt does not say how many"),
    (
        "entity2id.txt",
        line(1, lambda _: b"9"),
        "entity2id.txt is cut off: it has 8 of 9 entities.",
    ),
    (
        "entity2id.txt",
        line(3, lambda _: b"Q0\t1"),
        "entity2id.txt names an entity or a number twice.",
    ),
    (
        "entity2id.txt",
        line(5, lambda _: b"Q77 without a number"),
        "Line 5 of entity2id.txt is no id with a number below the count.",
    ),
    (
        "entity_map.txt",
        line(2, lambda _: b"a name alone"),
        "Line 2 of entity_map.txt is no name with an id.",
    ),
    (
        "entity_map.txt",
        line(1, lambda _: "Künstler\tQ1".encode("latin-1")),
        "Line 1 of entity_map.txt is not UTF-8.",
    ),
]


@pytest.mark.parametrize(("name", "change", "said"), BROKEN)
def test_what_is_wrong_is_told_in_a_line_and_nothing_is_left(base, tmp_path, name, change, said):
    broken(base, name, change)
    model = opened(base, tmp_path / "cache")
    assert Knowledge not in model.ports
    assert said in model.refused[Knowledge]
    left = tmp_path / "cache" / "entities"
    assert not left.exists() or list(left.iterdir()) == []
    # The words are read all the same.
    assert Predictor in model.ports


def test_a_file_that_is_missing_is_named(base, tmp_path):
    (base.parent / "kg_embed" / "entity_map.txt").unlink()
    model = opened(base, tmp_path / "cache")
    assert model.refused[Knowledge].startswith("kg_embed has no entity_map.txt")


def test_converted_vectors_are_those_of_the_text_and_are_made_once(base, tmp_path):
    cache = tmp_path / "cache"
    model = opened(base, cache)
    (kept,) = (cache / "entities").iterdir()
    table = np.load(kept / "vectors.npy", mmap_mode="r")
    assert table.dtype == np.float32
    assert (table == VECTORS).all()
    before = (kept / "vectors.npy").stat().st_mtime_ns
    again = opened(base, cache)
    assert again.ports[Knowledge].graph == model.ports[Knowledge].graph
    assert (kept / "vectors.npy").stat().st_mtime_ns == before
    # Other vectors are another graph.
    broken(base, "entity2vec.vec", line(1, lambda one: one.replace(b"0.", b"1.", 1)))
    other = opened(base, cache)
    assert other.ports[Knowledge].graph != model.ports[Knowledge].graph
    assert len(list((cache / "entities").iterdir())) == 2


def test_vectors_parted_by_spaces_and_without_a_last_line_end_are_read_too(base, tmp_path):
    broken(base, "entity2vec.vec", lambda content: content.replace(b"\t", b" ").rstrip(b"\n"))
    model = opened(base, tmp_path / "cache")
    (kept,) = (tmp_path / "cache" / "entities").iterdir()
    assert model.ports[Knowledge].count == COUNT
    assert (np.load(kept / "vectors.npy") == VECTORS).all()


def test_of_names_that_share_characters_the_longest_is_taken():
    known = {
        "New York": ("Q60",),
        "York": ("Q42462",),
        "York Times": ("Q1",),
        "New York Times": ("Q9684", "Q2"),
        "I": ("Q3",),
    }
    linked = link_entities(
        NamedEntities(lambda name: known.get(name, ()), 3), "I read the New York Times, in york."
    )
    said = [(one.start, one.end, one.entity) for one in linked.mentions]
    assert said == [(0, 1, "Q3"), (11, 25, "Q9684")]
    assert [one.entity for one in linked.overlapped] == ["Q60", "Q2", "Q42462", "Q1"]


def test_a_mask_over_a_name_keeps_its_entity(base, tmp_path):
    model = opened(base, tmp_path / "cache")
    mentions = model.ports[Knowledge].link("w10 w11")
    assert [one.entity for one in mentions.mentions] == ["Q3"]
    encoded = model.encode("w10 w11", None, (Mask(0, 3),), entities=mentions.mentions)
    assert encoded.tokens[1].masked
    assert encoded.inputs["entity_ids"][0].tolist() == [-1, 3, -1, -1]

"""Heads that were put on for typing and for relations, with the authors' marks."""

import json

import numpy as np
import pytest
import torch

from explorer.api.family import LoadOptions
from explorer.api.question import Context, Knowledge, Mention, with_entities
from explorer.questions.knowledge.entities.marking import ENTITY, HEAD, TAIL, marked
from explorer.questions.knowledge.entities.question import EntitiesRequest, Version, table
from tests.plugins import encoder_checkpoints as made
from tests.plugins import ernie_thu_files as files

TEXT = "w10 w11 w12 w13 w14"
MENTIONS = (Mention(0, 3, "Q3"), Mention(12, 19, "Q5"))
TYPES = ("person", "place", "thing")


def tuned(folder, name, rows, **config):
    """The reference's encoder with a head for a task, and none of its own."""
    from safetensors.torch import save_file

    base = files.write_published(folder)
    generator = torch.Generator().manual_seed(3)
    weights = {n: t for n, t in files.reference("model").items() if n.startswith("bert.")}
    weights[f"{name}.weight"] = torch.randn((rows, 64), generator=generator)
    if name == "classifier":
        weights["classifier.bias"] = torch.randn(rows, generator=generator)
    save_file(weights, base / "model.safetensors")
    files.changed_config(base, **config)
    runner = made.runner()
    runner.load("A", str(base), LoadOptions(device="cpu"), Context(cache=folder / "cache"))
    return runner, weights


def pooled(model, text, mentions, weights):
    """The pooled first token, from its state and the pooler's weights."""
    encoded = model.encode(text, entities=mentions)
    state = model.port(Knowledge).fused(encoded, Context()).states[-1][0]
    made_of = state @ weights["bert.pooler.dense.weight"].T + weights["bert.pooler.dense.bias"]
    return made_of.tanh()


def test_types_have_a_chance_each_of_the_marked_entity(tmp_path):
    names = {str(at): one for at, one in enumerate(TYPES)}
    runner, weights = tuned(tmp_path, "typing", 3, id2label=names)
    model = runner.models["A"]
    assert model.ports[Knowledge].types == TYPES
    request = with_entities(EntitiesRequest(TEXT, mention=2), MENTIONS)
    result = runner.ask(request, {"model": "A"}, Context())
    (classed,) = result.classed
    assert (classed.what, classed.marked) == ("types", "w10 w11 w12 。 w13 w14 。")
    moved = (MENTIONS[0], Mention(14, 21, "Q5"))
    for version, some in (("with", moved), ("without", ())):
        row = [one.version for one in result.versions].index(Version(version))
        wanted = (
            pooled(model, classed.marked, some, weights) @ weights["typing.weight"].T
        ).sigmoid()
        found = dict(zip(classed.labels, classed.probabilities[row], strict=True))
        np.testing.assert_allclose([found[one] for one in TYPES], wanted, atol=1e-5)
    assert all(not one.masks for one in result.versions), "its head for masks was not in the files"
    assert "types" in table(result).column("what")
    json.dumps(table(result).rows)


def test_a_relation_is_one_of_two_marked_entities(tmp_path):
    runner, weights = tuned(tmp_path, "classifier", 4)
    model = runner.models["A"]
    assert model.ports[Knowledge].relations == tuple(f"relation {n}" for n in range(4))
    result = runner.ask(with_entities(EntitiesRequest(TEXT), MENTIONS), {"model": "A"}, Context())
    (classed,) = result.classed
    assert (classed.what, classed.marked) == ("relations", "# w10 # w11 w12 $ w13 w14 $")
    moved = (Mention(2, 5, "Q3"), Mention(18, 25, "Q5"))
    head, bias = weights["classifier.weight"], weights["classifier.bias"]
    wanted = (pooled(model, classed.marked, moved, weights) @ head.T + bias).softmax(-1)
    row = [one.version for one in result.versions].index(Version.WITH)
    found = dict(zip(classed.labels, classed.probabilities[row], strict=True))
    np.testing.assert_allclose([found[f"relation {n}"] for n in range(4)], wanted, atol=1e-5)
    assert classed.probabilities.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    alone = with_entities(EntitiesRequest(TEXT), MENTIONS[:1])
    assert runner.ask(alone, {"model": "A"}, Context()).classed == ()


def test_marks_stand_around_the_words_and_mentions_move_with_them():
    text, moved = marked(
        "a b c",
        [(Mention(0, 1, "x"), HEAD), (Mention(4, 5, "y"), TAIL)],
        [
            Mention(0, 1, "x"),
            Mention(2, 3, "z"),
            Mention(4, 5, "y"),
        ],
    )
    assert text == "# a # b $ c $"
    assert [text[one.start : one.end] for one in moved] == ["a", "b", "c"]
    assert marked("a", [(Mention(0, 1, "x"), ENTITY)], [])[0] == "。 a 。"

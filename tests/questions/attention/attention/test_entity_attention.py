"""Entities' attention to each other is a kind of attention, by the names of the entities."""

import numpy as np
import pytest

from explorer.api.question import Context, Knowledge, Mention, UserMistake
from explorer.hf.text.reading_entities import reading_entities
from explorer.questions.attention.attention.question import QUESTION, AttentionRequest
from explorer.text import said
from tests.hf.kept import miniature

TEXT = "Anna used a hammer. Tom used a [MASK]."
MENTIONS = (Mention(0, 4, "Q10"), Mention(20, 23, "Q40"))


def ask(entities=MENTIONS, name="ernie-thu-miniature", **fields):
    model = miniature(name)
    request = AttentionRequest(TEXT, entities=entities, **fields)
    reader = reading_entities(model, request, entities) if entities else model
    return QUESTION.run(reader, request, Context(models={"model": reader}))


def test_all_heads_are_those_of_the_network_and_named():
    model = miniature("ernie-thu-miniature")
    found = ask(kind="entities")
    assert found.kinds == ("encoder", "entities")
    knowledge = model.port(Knowledge)
    names = [knowledge.entity(one.entity).name for one in MENTIONS]
    assert [one.label for one in found.keys] == ["[CLS]", *names]
    assert [one.label for one in found.queries] == ["[CLS]", *names]
    fused = knowledge.fused(model.encode(TEXT, entities=MENTIONS), Context())
    places = list(fused.counted)
    assert (found.layers, found.heads) == (2, 4)
    for n, layer in enumerate(sorted(fused.attention)):
        wanted = fused.attention[layer][:, places][:, :, places].numpy()
        np.testing.assert_allclose(found.overview[n], wanted, atol=1e-3)
    assert "layers 2 to 3 of the model" in said(found.note)


def test_one_head_is_told_in_full_and_another_entity_changes_it():
    found = ask(kind="entities", heads=("1.2", "1.mean"))
    np.testing.assert_allclose(found.weights.sum(-1), 1.0, atol=1e-5)
    other = (MENTIONS[0], Mention(20, 23, "Q30"))
    assert np.abs(ask(other, kind="entities", heads=("1.2",)).weights - found.weights[:1]).max() > 0


def test_without_an_entity_it_says_so():
    found = ask((), kind="entities")
    assert [one.label for one in found.keys] == ["[CLS]"]
    assert "No entity is on this text" in said(found.note)


def test_a_model_that_reads_none_has_no_such_kind():
    assert ask((), "bert-miniature").kinds == ("encoder",)
    with pytest.raises(UserMistake, match="entities"):
        ask((), "bert-miniature", kind="entities")

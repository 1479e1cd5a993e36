"""A text with entities, without, and with another one: each equal to the authors' numbers."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, Mention, UserMistake, with_entities
from explorer.document import Document
from explorer.questions import all_questions
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.knowledge.entities.question import (
    QUESTION,
    EntitiesRequest,
    Version,
    table,
)
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from explorer.serialise import from_json, to_json
from tests.plugins import encoder_checkpoints as made
from tests.plugins import ernie_thu_files as files
from tests.plugins.test_ernie_thu import MENTIONS, PAIR, TEXT

MASK = 10
EVERY = 10**6


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    base = files.write_published(tmp_path_factory.mktemp("ernie"))
    found = made.runner()
    found.load("A", str(base), LoadOptions(device="cpu"), Context(cache=base.parent / "cache"))
    return found


def ask(runner, request):
    return runner.ask(request, {"model": "A"}, Context())


@pytest.fixture(scope="module")
def result(runner):
    return ask(runner, EntitiesRequest(TEXT, PAIR, top_k=EVERY))


def chances(mask):
    found = np.zeros(files.PIECES)
    for one in mask.predictions:
        found[one.id] = one.probability
    return found


def expected(version, name="mlm_logits"):
    return files.reference("expected")[f"{version}.{name}"][0]


def test_names_are_found_and_their_tokens(result):
    assert result.found
    assert tuple(one.mention for one in result.named) == MENTIONS
    assert [one.position for one in result.named] == [1, 4, 8, 12]
    assert [one.entity.name for one in result.named] == ["w10", "w13 w14", "w21", "w24"]


@pytest.mark.parametrize("version", ["with", "without"])
def test_predictions_are_the_authors_with_entities_and_without(result, version):
    (mask,) = result.version(Version(version)).masks
    wanted = expected(version)[MASK].softmax(-1).numpy()
    np.testing.assert_allclose(chances(mask), wanted, atol=1e-5)


def test_states_move_as_far_as_in_the_authors_numbers(result):
    moved = result.version(Version.WITH).moved
    assert moved[0].max() == 0.0  # what stands beside the words is read further up
    for layer in range(5):
        with_, without = (expected(one, f"layer.{layer}.hidden") for one in ("with", "without"))
        wanted = (with_ - without).norm(dim=-1) / without.norm(dim=-1)
        np.testing.assert_allclose(moved[layer + 1], wanted, atol=2e-5)
    assert moved[1:3].max() == 0.0
    assert moved[-1].min() > 1e-3


def test_entity_attention_is_theirs_among_the_tokens_that_count(result):
    assert result.layers == (3, 4)
    assert result.counted == (0, 1, 4, 8, 12)
    places = list(result.counted)
    for n, layer in enumerate(result.layers):
        wanted = expected("with", f"attention.{layer}.entity")[:, places][:, :, places]
        np.testing.assert_allclose(
            result.version(Version.WITH).attention[n], wanted, rtol=1e-5, atol=1e-5
        )


def test_the_head_for_entities_chooses_among_those_that_might_be_meant(result):
    told = result.told[0]
    assert told.position == 1
    ids = [int(one.id[1:]) for one in told.candidates]
    # Their first candidate is a row of zeros, so that ours are one further on.
    order = files.reference("inputs")["candidate_ids"].tolist()
    for row, version in enumerate(("with", "without")):
        logits = expected(version, "entity_logits")[1, [order.index(n) for n in ids]]
        np.testing.assert_allclose(told.probabilities[row], logits.softmax(-1), atol=2e-5)


def test_another_entity_is_asked_in_the_place_of_one(runner):
    asked = EntitiesRequest(TEXT, PAIR, mention=2, other="Entity 6", top_k=EVERY)
    other = ask(runner, asked)
    assert (other.exchanged, other.other.id) == (1, "Q6")
    by_hand = list(MENTIONS)
    by_hand[1] = Mention(12, 19, "Q6")
    request = with_entities(MaskedTokensRequest(TEXT, PAIR, top_k=EVERY), tuple(by_hand))
    (mask,) = ask(runner, request).masks
    (found,) = other.version(Version.OTHER).masks
    assert [one.probability for one in found.predictions] == pytest.approx(
        [one.probability for one in mask.predictions]
    )
    assert ask(runner, EntitiesRequest(TEXT, other="Q2")).other.name == "Entity 2"
    with pytest.raises(UserMistake, match="has no entity Zanzibar"):
        ask(runner, EntitiesRequest(TEXT, other="Zanzibar"))


def test_entities_put_by_hand_go_before_names(runner):
    by_hand = (Mention(4, 7, "Q2"),)
    result = ask(runner, with_entities(EntitiesRequest(TEXT, PAIR), by_hand))
    assert not result.found
    assert [one.entity.name for one in result.named] == ["Entity 2"]
    nothing = ask(runner, EntitiesRequest("w11 w12 [MASK]"))
    assert [one.version for one in nothing.versions] == [Version.WITHOUT]
    assert nothing.named == nothing.told == ()
    assert nothing.other is None
    off = ask(runner, EntitiesRequest(TEXT, PAIR, match=False))
    assert off.named == ()
    assert [name for _mention, name in off.overlapped] == ["w10", "w13 w14", "w21", "w24"]


def test_any_question_is_answered_with_entities_where_its_request_has_them(runner):
    """What the words are asked with is in the request, so the same request has the same answer."""
    plain = MaskedTokensRequest(TEXT, PAIR, top_k=EVERY)
    (without,) = ask(runner, plain).masks
    stored = from_json(MaskedTokensRequest, to_json(with_entities(plain, MENTIONS)))
    (with_them,) = ask(runner, stored).masks
    for version, mask in (("with", with_them), ("without", without)):
        wanted = expected(version)[MASK].softmax(-1).numpy()
        np.testing.assert_allclose(chances(mask), wanted, atol=1e-5)
    assert "entities" not in to_json(plain)
    heads = AttentionRequest(TEXT, PAIR, heads=("4.1",))
    for version, request in (("without", heads), ("with", with_entities(heads, MENTIONS))):
        shown = ask(runner, request)
        wanted = expected(version, "attention.4.token")[1].numpy()
        np.testing.assert_allclose(shown.weights[0], wanted, rtol=1e-4, atol=1e-5)
    told = [
        ask(runner, with_entities(SurprisalRequest(TEXT, PAIR), some)).log_likelihood
        for some in ((), MENTIONS)
    ]
    assert abs(told[0] - told[1]) > 0.1


def test_a_document_carries_its_entities_to_every_question_that_reads_them():
    document = Document(TEXT, PAIR, entities=MENTIONS)
    carried = [
        one.name
        for one in all_questions().values()
        if hasattr(one.request, "of")
        and (request := one.request_of(document)) is not None
        and getattr(request, "entities", ()) == MENTIONS
    ]
    assert {"masked_tokens", "attention", "logit_lens", "attribution", "entities"} <= set(carried)
    assert from_json(Document, to_json(document)) == document
    assert "entities" not in to_json(Document(TEXT))


def test_a_model_that_reads_none_is_asked_without_them(runner):
    document = Document(TEXT, PAIR, entities=MENTIONS)
    card = replace(runner.cards["A"], operations=("masked_tokens",))
    question = all_questions()["masked_tokens"]
    assert question.request_of(document, [card]).entities == ()
    assert question.request_of(document, [runner.cards["A"]]).entities == MENTIONS


def test_an_edit_moves_entities_with_their_words_and_drops_those_it_touches():
    document = Document(TEXT, PAIR, entities=MENTIONS)
    longer = document.with_text("so w10 w11 w12 w13 w14")
    assert [(one.start, one.entity) for one in longer.entities if not one.part] == [
        (3, "Q3"),
        (15, "Q5"),
    ]
    touched = document.with_text("w1x w11 w12 w13 w14")
    assert [one.entity for one in touched.entities if not one.part] == ["Q5"]
    assert [one.part for one in document.with_pair(None).entities] == [0, 0]
    put = document.with_entity(Mention(12, 15, "Q8"))
    assert [one.entity for one in put.entities if not one.part] == ["Q3", "Q8"]
    assert document.without_entity(0, 2).entities == MENTIONS[1:]
    assert document.with_entity(Mention(90, 95, "Q8")) == document


def test_rows_tell_words_entities_and_how_far_states_move(result):
    rows = table(result)
    kinds = rows.column("what")
    assert {"word", "entity", "moved"} == set(kinds)
    summary = QUESTION.summary(result)
    assert summary["entities"] == 4
    assert summary["with"] == result.version(Version.WITH).masks[0].predictions[0].word
    assert from_json(type(result), to_json(result)).named == result.named

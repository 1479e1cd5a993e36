"""Attributions of every kind of answer, each against the port that gives it."""

import math

import numpy as np
import pytest

from explorer.api.question import (
    Attentions,
    Context,
    Discriminator,
    InputEmbeddings,
    PairClassifier,
    Predictor,
    Query,
    TokenClassifier,
    UserMistake,
)
from explorer.attribution.kinds import Baseline
from explorer.attribution.known import own_methods
from explorer.questions.cause.attribution.headline import SMALL
from explorer.questions.cause.attribution.options import (
    ExplainedMeasure,
    ExplainedTarget,
    ScoredUnit,
)
from explorer.questions.cause.attribution.question import (
    QUESTION,
    AttributionRequest,
    ExplainedKind,
    derived,
    summary,
    table,
)
from tests.hf import tiny
from tests.hf.kept import MODELS, bundled, miniature

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the [MASK] in the kitchen ."
NEXT = "The chef cooked the"
PASSAGE, ASKED = "The chef cooked a meal in the kitchen.", "What did the chef cook?"


def ask(name, text=TEXT, **fields):
    fields = {"beside": None, **fields}
    return tiny.ask(miniature(name), AttributionRequest(text, **fields))


def row_at(model, text, place=None):
    """The predictor's own log-probabilities."""
    encoded = model.encode(text)
    place = encoded.mask_positions[0] if place is None else place
    (rows,) = model.port(Predictor).log_probabilities([Query(encoded, (place,))], Context())
    return rows[0].double()


def test_half_way_from_endoftext_words_cancel_out_and_more_steps_are_taken():
    """There the vectors are small, and GPT-2's norms turn over within a few hundredths."""
    as_needed, fifty = ask("gpt2-miniature", NEXT), ask("gpt2-miniature", NEXT, steps=50)
    ((needed,), (few,)) = (as_needed.methods, fifty.methods)
    assert (needed.steps, few.steps) == (100, 50)
    assert fifty.is_open(few)
    assert not as_needed.is_open(needed)
    (bert,) = ask("bert-miniature").methods
    assert bert.steps == 50
    (occluded,) = ask("bert-miniature", method="occlusion").methods
    assert occluded.steps == 0


@pytest.mark.parametrize("name", bundled(InputEmbeddings))
def test_integrated_gradients_of_every_model_add_up(name):
    if "-answers-" in name:
        result = ask(name, PASSAGE, pair=ASKED)
    else:
        result = ask(name, NEXT if name.startswith("gpt") else TEXT)
    (one,) = result.methods
    assert result.gap_share(one) < 0.01
    assert not result.is_open(one)
    assert np.abs(one.scores).max() > 1e-4
    assert one.deletion[0] == pytest.approx(result.value, abs=1e-4)
    assert one.deletion[-1] == pytest.approx(result.baseline_value, abs=1e-4)
    assert one.insertion[0] == pytest.approx(result.baseline_value, abs=1e-4)
    assert one.insertion[-1] == pytest.approx(result.value, abs=1e-4)
    told = derived(result)
    assert len(told["scores"]) == len(result.tokens)
    assert sum(told["scores"]) == pytest.approx(one.scores.sum())
    assert told["gap"] == pytest.approx(one.scores.sum() - result.value + result.baseline_value)
    stands_out = np.abs(one.scores).max() >= SMALL
    assert bool(QUESTION.headline_of(result).sentence) == stands_out


def test_the_label_of_a_token_is_explained_at_that_token():
    text = "The writer wrote a book in the library. She used a computer."
    model = miniature("bert-labels-miniature")
    port, encoded = model.port(TokenClassifier), model.encode(text)
    logs = port.logits(encoded, Context()).double().log_softmax(-1)
    usual = ask("bert-labels-miniature", text)
    assert (usual.explained.kind, usual.explained.word) == (ExplainedKind.TOKEN_LABEL, "B-JOB")
    place = next(n for n, token in enumerate(usual.tokens) if token.text == "book")
    assert usual.explained.place == place - 3
    chosen = ask("bert-labels-miniature", text, at=(place,), method="occlusion")
    assert (chosen.explained.place, chosen.explained.word) == (place, "B-OBJECT")
    number = port.labels.index("B-OBJECT")
    assert chosen.value == pytest.approx(float(logs[place, number]), abs=1e-5)
    named = ask("bert-labels-miniature", text, at=(place,), word="b-tool", against="O")
    assert named.explained.word == "B-TOOL"
    with pytest.raises(UserMistake, match="no label “cake”"):
        ask("bert-labels-miniature", text, word="cake")


@pytest.mark.parametrize("method", list(own_methods()))
def test_every_method_scores_every_token_but_the_models_own_and_the_asked(method):
    result = ask("bert-miniature", method=method)
    (one,) = result.methods
    assert one.method == method
    scored = [result.tokens[place].text for (place,) in result.units]
    assert scored == ["the", "chef", "cooked", "the", "in", "the", "kitchen", "."]
    assert len(one.scores) == len(scored)
    assert np.isfinite(one.scores).all()
    if not own_methods()[method].about.signed:
        assert (one.scores >= 0).all()
    rows = table(result).rows
    assert [row[2] for row in rows] == scored
    assert [row[3] for row in rows][:2] == ["The", "chef"]
    assert sorted(row[6] for row in rows) == list(range(1, len(scored) + 1))


def test_what_is_explained_is_the_likeliest_word_at_the_mask():
    model = miniature("bert-miniature")
    row = row_at(model, TEXT)
    result = ask("bert-miniature")
    assert result.explained.kind is ExplainedKind.MASKED
    assert result.explained.word == model.tokenizer.convert_ids_to_tokens(int(row.argmax()))
    assert result.value == pytest.approx(float(row.max()), abs=1e-5)
    assert result.explained.probability == pytest.approx(math.exp(result.value), abs=1e-5)


def test_a_word_against_another_and_the_entropy():
    model = miniature("bert-miniature")
    row = row_at(model, TEXT)
    soup, bread = (model.tokenizer.convert_tokens_to_ids(word) for word in ("soup", "bread"))
    result = ask(
        "bert-miniature", word="soup", against="bread", measure=ExplainedMeasure.DIFFERENCE
    )
    assert result.value == pytest.approx(float(row[soup] - row[bread]), abs=1e-4)
    assert (result.explained.word, result.explained.against) == ("soup", "bread")
    result = ask("bert-miniature", measure=ExplainedMeasure.ENTROPY)
    assert result.value == pytest.approx(-float((row.exp() * row).sum()), abs=1e-4)
    assert result.explained.word == ""


def test_a_difference_is_against_the_next_likeliest_where_nothing_is_typed():
    row = row_at(miniature("bert-miniature"), TEXT)
    first, second = row.topk(2).values.tolist()
    result = ask("bert-miniature", measure=ExplainedMeasure.DIFFERENCE)
    assert result.value == pytest.approx(first - second, abs=1e-4)


def test_a_model_that_reads_from_the_left_explains_what_comes_next():
    model = miniature("gpt2-miniature")
    encoded = model.encode(NEXT)
    row = row_at(model, NEXT, len(encoded.tokens))
    result = ask("gpt2-miniature", NEXT)
    assert result.explained.kind is ExplainedKind.NEXT
    assert result.explained.place == len(encoded.tokens)
    assert result.value == pytest.approx(float(row.max()), abs=1e-5)
    assert [place for (place,) in result.units] == [
        n for n, token in enumerate(encoded.tokens) if not token.special
    ]
    assert result.baseline_piece == model.tokenizer.eos_token
    assert result.notes
    guessed = ask("gpt2-miniature", "The [MASK] cooked the meal", at=(3,))
    encoded = model.encode("The [MASK] cooked the meal")
    best = int(row_at(model, "The [MASK] cooked the meal").argmax())
    pieces = {encoded.mask_positions[0]: best}
    (rows,) = model.port(Predictor).log_probabilities([Query(encoded, (3,), pieces)], Context())
    assert guessed.value == pytest.approx(float(rows.max()), abs=1e-5)
    earlier = ask("gpt2-miniature", NEXT, at=(2,))
    assert earlier.explained.place == 2
    assert max(place for (place,) in earlier.units) == 1


def test_a_token_that_stands_in_the_text_is_hidden_to_be_explained():
    shown = ask("bert-miniature", "The chef cooked the meal in the kitchen .", at=(5,), word="soup")
    masked = ask("bert-miniature", word="soup")
    assert shown.explained.place == masked.explained.place == 5
    assert shown.methods[0].scores == pytest.approx(masked.methods[0].scores)


def test_t5_explains_what_it_writes_at_a_sentinel_after_its_own_spans():
    model = miniature("t5-miniature")
    result = ask("t5-miniature", "The [MASK] cooked the [MASK] .", at=(4,))
    encoded = model.encode("The [MASK] cooked the [MASK] .")
    place = result.explained.place
    assert place == encoded.mask_positions[1]
    port = model.port(Predictor)
    best = port.best_spans(encoded, [], 1, Context()).spans[0].ids
    query = Query(encoded, (place,), written={encoded.mask_positions[0]: best})
    (rows,) = port.log_probabilities([query], Context())
    assert result.value == pytest.approx(float(rows[0].max()), abs=1e-5)


def test_a_discriminators_token_has_its_logit():
    model = miniature("electra-miniature-discriminator")
    text = "The chef cooked the trowel in the kitchen ."
    logits = model.port(Discriminator).logits(model.encode(text), Context())
    result = ask("electra-miniature-discriminator", text)
    assert result.explained.kind is ExplainedKind.REPLACED
    assert result.explained.place == int(logits.argmax())
    assert result.value == pytest.approx(float(logits.max()), abs=1e-4)
    assert result.explained.probability == pytest.approx(float(logits.max().sigmoid()), abs=1e-5)
    # The word itself is a part of what makes it look replaced.
    assert (result.explained.place,) in result.units
    other = ask("electra-miniature-discriminator", text, at=(2,), measure=ExplainedMeasure.ENTROPY)
    chance = float(logits[2].double().sigmoid())
    doubt = -chance * math.log(chance) - (1 - chance) * math.log(1 - chance)
    assert other.value == pytest.approx(doubt, abs=1e-5)


def test_a_pair_without_a_mask_has_its_label_explained():
    model = miniature("bert-miniature")
    text, pair = "The chef cooked the soup .", "It was good ."
    port = model.port(PairClassifier)
    scores = port.logits(model.encode(text, pair), Context()).double().log_softmax(-1)
    result = ask("bert-miniature", text, pair=pair)
    assert result.explained.kind is ExplainedKind.LABEL
    assert result.explained.word == port.labels[int(scores.argmax())]
    assert result.value == pytest.approx(float(scores.max()), abs=1e-5)
    (label,) = set(port.labels) - {result.explained.word}
    other = ask("bert-miniature", text, pair=pair, word=label, measure=ExplainedMeasure.DIFFERENCE)
    assert other.value == pytest.approx(float(scores.min() - scores.max()), abs=1e-4)
    assert other.explained.against == result.explained.word


def test_the_pieces_of_a_word_are_taken_together():
    model = miniature("bert-miniature")
    text = "The chef cooked the [MASK] for the guests ."
    assert any(token.joined for token in model.encode(text).tokens)
    pieces = ask("bert-miniature", text)
    words = ask("bert-miniature", text, by=ScoredUnit.WORD)
    alone = dict(zip((unit[0] for unit in pieces.units), pieces.methods[0].scores, strict=True))
    for unit, score in zip(words.units, words.methods[0].scores, strict=True):
        assert score == pytest.approx(sum(alone[place] for place in unit))
    assert len(words.units) < len(pieces.units)
    assert sum(derived(words)["scores"]) == pytest.approx(words.methods[0].scores.sum())


def test_two_methods_stand_side_by_side():
    result = ask("bert-miniature", beside="gradient")
    assert [one.method for one in result.methods] == [
        "integrated_gradients",
        "gradient",
    ]
    assert -1 <= result.agreement() <= 1
    assert result.gap(result.methods[1]) is None
    assert ask("bert-miniature", beside="integrated_gradients").agreement() is None


def test_baselines_differ_and_are_named():
    found = {kind: ask("bert-miniature", baseline=kind) for kind in list(Baseline)[:3]}
    assert [one.baseline_piece for one in found.values()] == ["[MASK]", "[PAD]", ""]
    assert len({round(one.baseline_value, 4) for one in found.values()}) == 3
    same = ask("bert-miniature", baseline=Baseline.TEXT, baseline_text=TEXT)
    assert not same.methods[0].scores.any()
    other = "The man cooked the [MASK] in the kitchen ."
    one = ask("bert-miniature", baseline=Baseline.TEXT, baseline_text=other)
    changed = [n for n, score in enumerate(one.methods[0].scores) if score]
    assert [one.tokens[one.units[n][0]].text for n in changed] == ["chef"]


def test_too_few_steps_are_told():
    result = ask("bert-miniature", steps=1)
    assert result.is_open(result.methods[0])


def test_attention_is_what_the_asked_place_looks_at():
    model = miniature("bert-miniature")
    encoded = model.encode(TEXT)
    (stack,) = model.port(Attentions).capture(encoded, Context()).values()
    (place,) = encoded.mask_positions
    result = ask("bert-miniature", method="last_attention")
    expected = stack.weights[-1].mean(axis=0)[place]
    assert result.methods[0].scores == pytest.approx([expected[n] for (n,) in result.units])
    left = miniature("gpt2-miniature")
    encoded = left.encode(NEXT)
    (stack,) = left.port(Attentions).capture(encoded, Context()).values()
    result = ask("gpt2-miniature", NEXT, method="last_attention")
    expected = stack.weights[-1].mean(axis=0)[-1]
    assert result.methods[0].scores == pytest.approx([expected[n] for (n,) in result.units])


@pytest.mark.parametrize(
    "method",
    ["attention", "last_attention", "rollout"],
)
def test_t5s_attention_is_its_decoders_at_the_sentinel(method):
    result = ask("t5-miniature", method=method)
    assert (result.methods[0].scores > 0).all()
    assert result.methods[0].scores.sum() <= 1.0 + 1e-5


def test_half_precision_has_no_gradients_but_occlusion():
    model = tiny.load(MODELS / "bert-miniature", dtype="float16")
    with pytest.raises(UserMistake, match="float16"):
        tiny.ask(model, AttributionRequest(TEXT))
    gone = AttributionRequest(TEXT, method="occlusion", beside=None)
    assert tiny.ask(model, gone).methods[0].scores == pytest.approx(
        ask("bert-miniature", method="occlusion").methods[0].scores, abs=0.05
    )


def test_what_can_not_be_explained_is_said_in_one_line():
    long = "the chef cooked the soup . " * 60 + "the chef cooked the [MASK] ."
    for text, fields, said in (
        (long, {}, "does not fit"),
        ("The chef cooked .", {}, "Nothing is masked"),
        (TEXT, {"word": "qwxyz"}, "qwxyz"),
        (TEXT, {"target": ExplainedTarget.LABEL}, "pairs"),
        ("[MASK]", {}, "no word here"),
        (TEXT, {"baseline": Baseline.TEXT, "baseline_text": "one two"}, "tokens"),
        ("  ", {}, "no text"),
    ):
        with pytest.raises(UserMistake, match=said):
            ask("bert-miniature", text, **fields)


def test_a_place_that_no_word_has_any_more_is_told():
    for place in (0, 99):
        result = ask("bert-miniature", at=(place,))
        assert result.explained.place == 5
        assert f"position {place}" in result.notes[0]


def test_models_without_a_head_say_so(tmp_path):
    tiny.save_bert(tmp_path / "bare", "BertModel")
    model = tiny.load(tmp_path / "bare")
    assert InputEmbeddings not in model.ports
    assert "traced back" in tiny.why_not(model, AttributionRequest)


def test_a_cancel():
    from explorer.api.question import Cancelled

    with pytest.raises(Cancelled):
        QUESTION.run(
            miniature("bert-miniature"),
            AttributionRequest(TEXT),
            Context(is_cancelled=lambda: True),
        )


def test_the_summary_names_the_strongest_word():
    result = ask("bert-miniature")
    row = summary(result)
    scores = result.methods[0].scores
    assert row["top"] == result.words[int(scores.argmax())]
    assert row["score"] == pytest.approx(scores.max())

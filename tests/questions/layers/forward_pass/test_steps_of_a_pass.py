"""What is asked of a pass, what its scenes show, and what is said of them, by other ways."""

import re

import numpy as np
import pytest

from explorer.api.question import Context, LayerReadout, Predictor, Query
from explorer.document import Mask
from explorer.questions.layers.forward_pass.compute import run
from explorer.questions.layers.forward_pass.headline import headline
from explorer.questions.layers.forward_pass.parts import parts, scenes_of
from explorer.questions.layers.forward_pass.question import ForwardPassRequest, summary
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.plugins.auto_checkpoints import CAUSAL, save

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the meal in the [MASK] and the waiter served it ."
FAMILIES = ["bert-miniature", "gpt2-miniature", "t5-miniature", "deberta-v1-miniature"]


def asked(name, text=TEXT, **how):
    return run(miniature(name), ForwardPassRequest(text, **how), Context())


def named(result):
    return {one.name: one for one in scenes_of(result)}


def rows_of(model, text, place):
    encoded = model.encode(text)
    (rows,) = model.port(Predictor).log_probabilities([Query(encoded, (place,))], Context())
    return rows[0].numpy()


@pytest.mark.parametrize("name", FAMILIES)
def test_the_word_that_wins_is_the_predictors(name):
    model, result = miniature(name), asked(name)
    place = model.encode(TEXT).mask_positions[0]
    own = rows_of(model, TEXT, place)
    order = np.argsort(-own)[:5]
    assert [one.id for one in result.words] == order.tolist()
    np.testing.assert_allclose(
        [one.probability for one in result.words], np.exp(own[order]), atol=1e-5
    )
    logits = np.array([one.logit for one in result.words])
    np.testing.assert_allclose(logits - logits[0], own[order] - own[order[0]], atol=1e-4)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_read_at_the_ends_of_layers_is_the_readouts(name):
    model, result = miniature(name), asked(name)
    encoded = model.encode(TEXT)
    query = Query(encoded, (encoded.mask_positions[0],))
    readout = model.port(LayerReadout)
    (states,) = readout.states([query], Context())
    chances = readout.log_probabilities(states[:, 0]).exp()
    plain = [one for one in result.readings if not one.row.startswith("decoder")]
    for one in plain:
        row = 0 if one.row == "emb." else int(one.row) + 1
        assert one.probability == pytest.approx(float(chances[row].max()), abs=1e-5)
        winner = float(chances[row][result.words[0].id])
        assert one.winner == pytest.approx(winner, abs=1e-5)
    assert result.readings[-1].word == result.words[0].word
    assert result.readings[-1].probability == pytest.approx(result.words[0].probability, abs=1e-5)


@pytest.mark.parametrize("name", FAMILIES)
def test_scenes_show_the_numbers_and_each_has_a_name_of_its_own(name):
    result = asked(name, head=1)
    scenes = scenes_of(result)
    assert len({one.name for one in scenes}) == len(scenes)
    for one in scenes:
        if one.result is None or one.operation != "+":
            continue
        total = np.sum([row.values for row in one.rows], axis=0)
        np.testing.assert_allclose(one.result.values, total, atol=1e-4)
    known = named(result)
    first = result.attentions[0]
    weights = known["0.weights"]
    assert sum(row.amount for row in weights.rows) <= 1 + 1e-6
    shown = {int(row.key.rpartition(" ")[2]): row.amount for row in weights.rows}
    for token, amount in shown.items():
        assert amount == pytest.approx(float(first.weights[1, token]), abs=1e-6)
    keys = {int(row.key.rpartition(" ")[2]): row for row in known["0.products"].rows[1:]}
    for row in keys.values():
        assert float(row.values @ first.queries[1]) == pytest.approx(row.amount, abs=1e-3)
    assert known["head.softmax"].rows[0].amount == pytest.approx(result.words[0].probability)


def test_a_beginners_three_questions_have_their_answers_where_they_belong():
    result = asked("bert-miniature")
    answers = {one.name: str(one.answer) for one in scenes_of(result) if one.answer}
    assert answers["emb.piece"].startswith("Where does the meaning come in?")
    assert "[MASK]" in answers["emb.piece"]
    added = [name for name, said in answers.items() if said.startswith("What does attention add?")]
    assert added == [f"{layer}.sum" for layer in range(4)]
    shares = result.attentions[0].sources / result.attentions[0].sources.sum()
    told = re.findall(r"\((\d+) ?%\)", answers["0.sum"])
    best = np.sort(shares)[::-1][:2]
    assert [int(one) for one in told] == [round(100 * float(one)) for one in best]
    before = next(one for one in scenes_of(result) if one.name == "0.sum")
    one, other = before.rows[0].values, before.result.values
    turned = np.degrees(np.arccos(one @ other / np.linalg.norm(one) / np.linalg.norm(other)))
    assert f"by {turned:.0f}°" in answers["0.sum"]
    assert answers["head.logits"].startswith(f"Why does “{result.words[0].word}” win?")
    assert f"+{result.words[0].logit:.1f}" in answers["head.logits"]


def test_a_visible_word_has_its_meaning_in_its_row():
    result = asked("bert-miniature", position=2)
    (said,) = [str(one.answer) for one in scenes_of(result) if one.name == "emb.piece"]
    assert "wherever “chef” occurs" in said


def test_what_families_leave_out_is_said():
    def words(name):
        return " ".join(str(one.said) for one in scenes_of(asked(name)))

    assert "Products are not scaled here." in words("t5-miniature")
    assert "The head adds a number for each distance" in words("deberta-v1-miniature")
    assert "The weights are those of an earlier layer again." in words("albert-miniature")
    assert "between those of its neighbours" in words("mobilebert-miniature")
    assert "No place is added" not in words("bert-miniature")
    assert "The weights are those" not in words("bert-miniature")
    cross = [one.name for one in scenes_of(asked("t5-miniature")) if "cross" in one.name]
    assert cross[:2] == ["0.cross.query", "0.cross.products"]


def test_scores_are_sums_of_content_and_distance_where_they_are():
    result = asked("deberta-v1-miniature", head=1)
    scene, first = named(result)["0.scores"], result.attentions[0]
    for row in scene.rows:
        token = int(row.key.rpartition(" ")[2])
        content = first.products[1, token] * first.scale
        parts = [
            float(one.replace("−", "-").replace("±", ""))
            for one in re.findall(r"[+−±][\d.]+", row.written)
        ]
        wanted = [content, first.positions[1, token], content + first.positions[1, token]]
        assert parts == pytest.approx(wanted, abs=0.051)
        assert row.amount == pytest.approx(wanted[2], abs=1e-3)
    plain = named(asked("bert-miniature"))["0.scores"]
    assert not any("=" in row.written for row in plain.rows)


def test_norms_come_before_or_after_as_the_model_has_them():
    def order(name):
        own = [one.name for one in scenes_of(asked(name)) if one.group == "0"]
        return own.index("0.norm") < own.index("0.heads")

    assert not order("bert-miniature")
    assert order("gpt2-miniature")
    assert order("t5-miniature")


def test_the_activation_is_the_models_own():
    bert = named(asked("bert-miniature"))["0.activation"]
    t5 = named(asked("t5-miniature"))["0.activation"]
    assert (bert.curve, t5.curve) == ("gelu", "relu")
    given, made = bert.rows[0].values, bert.result.values
    own = torch.nn.functional.gelu(torch.tensor(given)).numpy()
    np.testing.assert_allclose(made, own, atol=1e-5)
    np.testing.assert_allclose(t5.result.values, np.maximum(t5.rows[0].values, 0), atol=1e-6)


def test_a_model_that_reads_from_the_left_is_followed_before_the_mask():
    result = asked("gpt2-miniature")
    assert result.followed[result.place].text.endswith("the")
    assert result.place == len(result.followed) - 1 == result.asked
    alone = asked("gpt2-miniature", TEXT.partition(" [MASK]")[0])
    assert [one.id for one in alone.words] == [one.id for one in result.words]
    # Before a first mask there is what began every text.
    begun = asked("gpt2-miniature", "[MASK] chef cooked .")
    assert (begun.place, len(begun.followed)) == (0, 1)


def test_the_second_mask_of_a_decoder_comes_after_its_own_first_span():
    text = "The [MASK] cooked the meal in the [MASK] ."
    masks = miniature("t5-miniature").encode(text).mask_positions
    result = asked("t5-miniature", text, position=masks[1])
    assert result.asked == masks[1]
    assert result.place > asked("t5-miniature", text).place


def test_a_masked_word_of_the_document_is_followed():
    text = "The chef cooked the meal ."
    result = asked("bert-miniature", text, masks=(Mask(4, 8, 0),))
    assert result.asked == 2
    assert result.tokens[2].masked


def test_the_headline_says_where_the_word_is_decided():
    result = asked("bert-miniature")
    chances = [one.winner for one in result.readings]
    rises = np.diff(chances)
    said = str(headline(result).sentence)
    if rises.max() < 0.2:
        assert not said
    else:
        assert f"layer {result.readings[int(rises.argmax()) + 1].row}" in said
    told = summary(result)
    assert told["word"] == result.words[0].word
    row = [one.row for one in result.readings].index(told["turned"])
    assert all(one.word == told["word"] for one in result.readings[row:])
    assert row == 0 or result.readings[row - 1].word != told["word"]


def test_a_step_can_be_named_and_files_have_all_numbers():
    result = asked("bert-miniature")
    steps = parts(result)[-1]
    at = steps.number("1.norm")
    assert steps.scenes[at].name == "1.norm"
    assert steps.number("9.norm") == steps.at
    assert steps.scenes[steps.at].name == "0.sum"
    tables = [part.table() for _title, part in steps.parts_with_rows()]
    assert tables[0].columns == ("step", "layer", "head", "norm", "largest")
    own = [row for row in tables[1].rows if row[0] == "1.norm"]
    np.testing.assert_allclose([row[2] for row in own], steps.scenes[at].vector)
    (row,) = [row for row in tables[0].rows if row[0] == "1.norm"]
    assert row[3] == pytest.approx(np.linalg.norm(steps.scenes[at].vector))


def test_a_discriminator_says_how_likely_a_token_was_replaced():
    result = asked("electra-miniature-discriminator", "The chef cooked the garden .", position=5)
    assert result.words == ()
    assert 0 < result.verdict < 1
    assert scenes_of(result)[-1].name == "head.verdict"


def test_a_model_that_predicts_nothing_ends_at_its_last_layer():
    result = asked("bert-labels-miniature", "The chef cooked the meal .")
    assert result.words == ()
    assert result.verdict is None
    assert not result.readings
    assert scenes_of(result)[-1].group == "3"
    assert not headline(result).sentence


def test_a_token_of_the_encoder_is_followed_to_what_the_decoder_reads():
    result = asked("t5-miniature", position=2, stack="encoder")
    assert (result.kind, result.place, result.words) == ("encoder", 2, ())
    known = named(result)
    assert "0.cross.query" not in known
    model = miniature("t5-miniature")
    encoded = model.encode(TEXT)
    with torch.inference_mode():
        states = model.module.encoder(input_ids=encoded.input_ids).last_hidden_state
    last = known["head.read"]
    assert scenes_of(result)[-1].name == last.name
    np.testing.assert_allclose(last.rows[0].values, states[0, 2].numpy(), atol=1e-5)
    # The masked token itself where none was chosen; every token can be chosen.
    other = asked("t5-miniature", stack="encoder")
    assert other.tokens[other.asked].masked
    sentence, _ = parts(other)
    assert len(sentence.gestures) == len(other.tokens) - 1
    # A decoder writes only what is masked.
    sentence, _ = parts(asked("t5-miniature"))
    assert not sentence.gestures
    # Of a model with one stack there is nothing to choose.
    plain = [asked("bert-miniature", stack=one).words[0].logit for one in ("encoder", "decoder")]
    assert plain[0] == plain[1]


def test_a_query_is_seen_before_and_after_it_is_turned(tmp_path):
    folder, _ = save(tmp_path / "llama", CAUSAL["llama"])
    model = tiny.load(folder)
    result = run(model, ForwardPassRequest("the cat sat on [MASK] ."), Context())
    known = named(result)
    own = [name for name in known if name.startswith("1.")][:4]
    assert own == ["1.norm", "1.query", "1.turn", "1.keys"]
    first = result.attentions[1]
    turn = known["1.turn"]
    np.testing.assert_array_equal(turn.rows[0].values, first.queries_before[0])
    np.testing.assert_array_equal(turn.result.values, first.queries[0])
    lengths = [np.linalg.norm(one) for one in (turn.rows[0].values, turn.result.values)]
    assert lengths[0] == pytest.approx(lengths[1], rel=1e-5)
    keys = {int(row.key.rpartition(" ")[2]): row.values for row in known["1.keys"].rows}
    after = {int(row.key.rpartition(" ")[2]): row.values for row in known["1.products"].rows[1:]}
    assert keys.keys() == after.keys()
    for token, values in keys.items():
        np.testing.assert_array_equal(values, first.keys_before[token])
        np.testing.assert_array_equal(after[token], first.keys[token])
    assert "1.turn" not in named(asked("bert-miniature"))

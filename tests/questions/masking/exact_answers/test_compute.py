"""Exact answers beside a model's, against the world's own reader and transformers' forward."""

import math

import pytest

from explorer.api.question import Cancelled, Context, UserMistake
from explorer.document import Mask
from explorer.exact_answers.answers import outside_said
from explorer.exact_answers.asking import ExactAnswersRequest
from explorer.questions.masking.exact_answers.compute import truth_of
from explorer.questions.masking.exact_answers.question import QUESTION, summary
from explorer.world.exact.readers import exact_reader, spelled_reader
from explorer.world.exact.truth import Truth
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ranks import is_rank

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the [MASK] in the kitchen."
PLAIN = "I liked the movie that I watched yesterday. The movie was fun."


def ask(name, text=TEXT, **fields):
    return tiny.ask(miniature(f"{name}-miniature"), ExactAnswersRequest(text, **fields))


def test_numbers_are_the_readers_and_the_models():
    result = ask("bert")
    (place,) = result.places
    model = miniature("bert-miniature")
    pattern = ["the", "chef", "cooked", "the", None, "in", "the", "kitchen", "."]
    exact = exact_reader(model.tokenizer.tokenize).posterior(pattern, 4)
    encoded = model.encode(TEXT)
    with torch.inference_mode():
        logits = model.module(**encoded.inputs).prediction_logits[0, place.position]
    logs = logits.double().log_softmax(-1)
    ids = {piece: model.tokenizer.convert_tokens_to_ids(piece) for piece in exact}
    assert sum(exact.values()) == pytest.approx(1.0)
    for one in place.words:
        assert one.exact == pytest.approx(exact.get(one.token, 0.0), rel=1e-9)
        assert one.model == pytest.approx(math.exp(float(logs[one.id])), abs=1e-6)
        assert is_rank(one.rank, logs, logs[one.id])
        likelier = sum(mass > one.exact for mass in exact.values())
        assert one.exact_rank == (likelier + 1 if one.exact else 0)
    assert {one.exact_rank for one in place.words} >= {0, 1}
    entropy = -sum(p * math.log(p) for p in exact.values())
    divergence = sum(p * (math.log(p) - float(logs[ids[piece]])) for piece, p in exact.items())
    assert place.entropy == pytest.approx(entropy)
    assert place.divergence == pytest.approx(divergence, abs=1e-5)
    assert result.divergence == place.divergence
    assert {one.token for one in place.words if one.exact} <= set(exact)


def test_a_word_that_is_hidden_is_told_of():
    result = ask("bert", "The chef cooked the meal in the kitchen.", masks=(Mask(20, 24),))
    (place,) = result.places
    (original,) = [one for one in place.words if one.is_original]
    assert original.word == "meal"
    assert place.original == original.exact > 0.2


def test_every_token_is_hidden_alone():
    result = ask("bert", PLAIN, every=True)
    model = miniature("bert-miniature")
    reader = exact_reader(model.tokenizer.tokenize)
    pieces = model.tokenizer.tokenize(PLAIN)
    assert [place.position for place in result.places] == list(range(1, len(pieces) + 1))
    for place in result.places:
        at = place.position - 1
        exact = reader.posterior([*pieces[:at], None, *pieces[at + 1 :]], at)
        assert place.original == pytest.approx(exact[pieces[at]])
    assert result.divergence < 0.1


def test_a_model_that_reads_from_the_left_is_compared_with_what_stands_before():
    result = ask("gpt2", "The chef cooked the meal in the [MASK].")
    assert result.from_left
    reader = spelled_reader(miniature("gpt2-miniature").tokenizer.tokenize)
    before = miniature("gpt2-miniature").tokenizer.tokenize("The chef cooked the meal in the")
    exact = reader.posterior([*before, None], len(before), open_end=True)
    for one in result.places[0].words:
        assert one.exact == pytest.approx(exact.get(one.token, 0.0), rel=1e-9)


def test_behind_a_sentence_the_end_of_the_text_has_its_exact_chance_where_a_model_knows_one():
    begun, goes_on = "The chef cooked the meal in the kitchen.", "He used a pan."
    for name in ("gpt2", "gpt1"):
        model = miniature(f"{name}-miniature")
        truth = Truth(model.tokenizer.tokenize)
        pieces = model.tokenizer.tokenize(begun)
        ended = truth.probability(pieces) / truth.probability(pieces, open_end=True)
        assert 0.0 < ended < 1.0
        end = model.tokenizer.eos_token
        for asked in (ask(name, f"{begun} {goes_on}", every=True), ask(name, f"{begun} [MASK]")):
            (place,) = [one for one in asked.places if one.position == len(pieces)]
            told = {word.token: word.exact for word in place.words}
            stays = 1.0 - ended if end else 1.0
            for token, exact in told.items():
                if token != end:
                    expected = truth.next_piece(pieces).get(token, 0.0) * stays
                    assert exact == pytest.approx(expected, rel=1e-9)
            if end:
                assert told[end] == pytest.approx(ended, rel=1e-9)
                assert place.divergence < 0.1
            else:
                assert math.fsum(told.values()) <= 1.0


@pytest.mark.parametrize("name", ["roberta", "albert"])
def test_a_text_may_be_typed_in_several_ways(name):
    typed = (TEXT, "the chef cooked the [MASK] in the kitchen .")
    found = [ask(name, text).places[0] for text in typed]
    first, second = ({one.word: one.exact for one in place.words if one.exact} for place in found)
    assert first.keys() == second.keys()
    for word, exact in first.items():
        assert second[word] == pytest.approx(exact)


def test_where_a_text_leaves_the_world():
    result = ask("bert", "The chef flew the [MASK] to Paris.")
    assert result.places == ()
    assert result.word == "flew"
    assert result.tokens[result.outside].text == "flew"
    assert "“flew”" in outside_said(result)
    assert "“flew”" in QUESTION.headline_of(result).sentence
    assert summary(result)["outside"] == "flew"


@pytest.mark.parametrize("name", ["xlm", "bert"])
def test_a_korean_text_says_that_exact_answers_are_of_english(name):
    """Also where a model's tokenizer knows no Korean at all."""
    result = ask(name, "요리사는 부엌에서 [MASK] 요리했다.")
    assert result.places == ()
    assert outside_said(result).startswith("Exact answers are of English texts")
    second = ask("xlm", TEXT, pair="요리사는 식사를 요리했다.")
    assert outside_said(second) == outside_said(result)


def test_the_beginning_of_a_text_is_read_as_one():
    result = ask("bert", "The chef cooked the [MASK]")
    assert result.is_beginning
    assert result.places


def test_models_with_the_same_pieces_share_what_was_read_and_few_are_kept():
    def truth(name):
        with truth_of(miniature(f"{name}-miniature").tokenizer, Context()) as found:
            return found

    kept = {name: truth(name) for name in ("bert", "distilbert", "roberta", "xlm")}
    assert kept["bert"] is kept["distilbert"]
    assert len({id(one) for one in kept.values()}) == 3
    for name in ("gpt2", "bert", "albert"):
        truth(name)
    assert truth("bert") is kept["bert"]
    assert truth("roberta") is not kept["roberta"]


def test_who_asks_meanwhile_is_stopped_by_its_own_run_alone():
    tokenizer = miniature("bert-miniature").tokenizer
    asked, other = (tokenizer.tokenize(text) for text in (PLAIN, f"{PLAIN} {PLAIN} {PLAIN}"))
    stopped = Context(is_cancelled=lambda: True)
    with truth_of(tokenizer, Context()) as outer:
        with truth_of(tokenizer, stopped) as inner, pytest.raises(Cancelled):
            inner.probability(other)
        assert outer is inner
        outer.probability(other)  # goes to its end
    with truth_of(tokenizer, stopped), pytest.raises(Cancelled):
        outer.probability(asked)
    assert outer.probability(asked) > 0.0


def test_what_can_not_be_asked():
    with pytest.raises(UserMistake, match="no text"):
        ask("bert", " ")
    with pytest.raises(UserMistake, match="no place"):
        ask("bert", PLAIN)
    assert "spans" in outside_said(ask("t5"))
    model, request = miniature("bert-miniature"), ExactAnswersRequest(TEXT)
    with pytest.raises(Cancelled):
        QUESTION.run(model, request, Context(is_cancelled=lambda: True))


def test_the_table_has_a_row_a_word():
    result = ask("bert")
    rows = QUESTION.table(result)
    assert len(rows.rows) == len(result.places[0].words)
    assert sum(row[rows.columns.index("exact")] for row in rows.rows) <= 1.0 + 1e-9

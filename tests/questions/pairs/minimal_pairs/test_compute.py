"""Scores of pairs against transformers alone, and what can't be scored."""

import math

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Cancelled, Context, Grid, Unavailable, UserMistake
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.pairs.minimal_pairs.parts import parts
from explorer.questions.pairs.minimal_pairs.question import (
    MinimalPairsRequest,
    SentenceScore,
    few,
    paired_p,
    share_of,
    summary,
    table,
)
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), MinimalPairsRequest(pairs=16))


def plain(name, kind):
    folder = MODELS / name
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    return tokenizer, getattr(transformers, kind).from_pretrained(folder).eval()


def pseudo_log_likelihood(text, tokenizer, model):
    """Every token masked alone, a pass each."""
    ids = tokenizer(text, return_tensors="pt").input_ids
    total = []
    for at in range(1, ids.shape[1] - 1):
        masked = ids.clone()
        masked[0, at] = tokenizer.mask_token_id
        with torch.inference_mode():
            rows = model(masked).logits.log_softmax(-1)
        total.append(float(rows[0, at, ids[0, at]]))
    return total


def test_scores_are_those_of_transformers_alone(result):
    tokenizer, model = plain("bert-miniature", "AutoModelForMaskedLM")
    for one in result.scored[0].pairs[::5]:
        pair = result.pairs[one.number]
        for text, scored in ((pair.good, one.good), (pair.bad, one.bad)):
            expected = pseudo_log_likelihood(text, tokenizer, model)
            assert scored.log_probabilities == pytest.approx(expected, abs=1e-4)
            assert list(scored.tokens) == tokenizer.tokenize(text)


def test_a_model_that_reads_from_the_left_is_scored_so():
    tokenizer, model = plain("gpt2-miniature", "AutoModelForCausalLM")
    answer = tiny.ask(miniature("gpt2-miniature"), MinimalPairsRequest(pairs=4))
    (scored,) = answer.scored
    assert scored.method is ScoringMethod.LEFT_TO_RIGHT
    for one in scored.pairs:
        # Texts were trained on behind the token that begins one, so the first word has a score.
        text = tokenizer.bos_token + answer.pairs[one.number].good
        ids = tokenizer(text, return_tensors="pt").input_ids
        with torch.inference_mode():
            rows = model(ids).logits[0].log_softmax(-1)
        own = rows[:-1].gather(1, ids[0, 1:, None])[:, 0].tolist()
        assert one.good.log_probabilities == pytest.approx(own, abs=1e-4)


@pytest.mark.parametrize("score", SentenceScore)
def test_shares_are_counted_by_hand(result, score):
    for name in (None, *result.phenomena):
        right = among = 0
        for one in result.scored[0].pairs:
            if name not in (None, result.pairs[one.number].phenomenon):
                continue
            ends = [
                math.fsum(each.log_probabilities)
                / (len(each.tokens) if score is SentenceScore.MEAN else 1)
                for each in (one.good, one.bad)
            ]
            among += 1
            right += ends[0] > ends[1]
        share = share_of(result, result.scored[0], score, name)
        assert (share.right, share.among) == (right, among)
    assert summary(result, score.value)["pairs"] == len(result.pairs)


def test_rows_say_the_same_as_the_share(result):
    rows = table(result)
    assert len(rows.rows) == len(result.pairs)
    assert (
        sum(rows.column("right"))
        == share_of(result, result.scored[0], SentenceScore.SUM, None).right
    )
    assert {*rows.column("second_right")} == {None}


def test_equally_likely_sentences_are_no_success(tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("sentence_good,sentence_bad\nthe chef cooked,the chef cooked\n")
    answer = tiny.ask(miniature("bert-miniature"), MinimalPairsRequest(str(path)))
    assert share_of(answer, answer.scored[0], SentenceScore.SUM, None).accuracy == 0.0


def test_two_models_over_the_same_pairs():
    first, second = miniature("bert-miniature"), miniature("gpt2-miniature")
    context = Context(models={"model": first, "second": second})
    answer = tiny.ask(first, MinimalPairsRequest(pairs=16), context)
    alone = tiny.ask(second, MinimalPairsRequest(pairs=16))
    assert answer.scored[1].pairs == alone.scored[0].pairs
    assert 0 < paired_p(answer, SentenceScore.SUM) <= 1


def test_a_pair_that_is_too_long_is_left_out_and_that_is_said(tmp_path):
    path = tmp_path / "long.csv"
    long = "the chef cooked the soup " * 200
    path.write_text(
        f"sentence_good,sentence_bad\n{long},{long} soups\nthe chef cooked,the chef cook\n"
    )
    answer = tiny.ask(miniature("bert-miniature"), MinimalPairsRequest(str(path)))
    assert [one.number for one in answer.scored[0].pairs] == [1]
    assert str(answer.scored[0].refused) == "A sentence is longer than the model reads."


def test_a_file_of_which_nothing_can_be_scored_is_refused(tmp_path):
    path = tmp_path / "long.csv"
    long = "the chef cooked the soup " * 200
    path.write_text(f"sentence_good,sentence_bad\n{long},{long} soups\n")
    with pytest.raises(UserMistake, match="No pair can be scored"):
        tiny.ask(miniature("bert-miniature"), MinimalPairsRequest(str(path)))


def test_a_model_that_sees_both_sides_is_not_asked_from_the_left():
    request = MinimalPairsRequest(pairs=2, method=ScoringMethod.LEFT_TO_RIGHT)
    with pytest.raises(Unavailable, match="sees both sides"):
        tiny.ask(miniature("bert-miniature"), request)


def test_it_can_be_stopped():
    context = Context(is_cancelled=lambda: True)
    with pytest.raises(Cancelled):
        tiny.ask(miniature("bert-miniature"), few(MinimalPairsRequest()), context)


@pytest.fixture
def runner(tmp_path):
    """With BERT in A, and the library to load others from."""
    made = Program(Paths.profile(tmp_path), device="cpu", offline=True).runner()
    made.load("A", "bert-miniature", LoadOptions("cpu"), Context())
    return made


def test_more_than_two_models_score_the_same_pairs_in_turn(runner):
    asked = MinimalPairsRequest(pairs=8, further=("gpt2-miniature", "bert-miniature:bfloat16"))
    found = runner.ask(asked, {"model": "A"}, Context())
    assert [one.model.as_asked for one in found.scored] == [
        "bert-miniature",
        "gpt2-miniature",
        "bert-miniature:bfloat16",
    ]
    alone = tiny.ask(miniature("gpt2-miniature"), MinimalPairsRequest(pairs=8))
    assert found.pairs == alone.pairs
    for one, other in zip(found.scored[1].pairs, alone.scored[0].pairs, strict=True):
        assert one.good.log_probabilities == pytest.approx(other.good.log_probabilities, abs=1e-5)
    kind = SentenceScore.SUM
    for number in (1, 2):
        first, other = (found.scored[n].right(kind) for n in (0, number))
        apart = [first[one] - other[one] for one in first]
        alone_right = apart.count(1), apart.count(-1)
        trials = sum(alone_right)
        tail = sum(math.comb(trials, one) for one in range(min(alone_right) + 1))
        assert paired_p(found, kind, number) == pytest.approx(min(1, 2 * tail / 2**trials))
    assert paired_p(found, kind, 3) is None
    rows = next(one for one in parts(found) if getattr(one, "title", "") == "By model")
    assert [row.model for row in rows.rows] == [one.model.as_asked for one in found.scored]
    assert rows.rows[0].p is None
    # Every model stands in a column of the phenomena, the hardest for the first model at the top.
    grid = next(one for one in parts(found) if isinstance(one, Grid))
    assert list(grid.columns.labels) == [one.model.as_asked for one in found.scored]
    counted = {}
    for at, one in enumerate(found.scored):
        for pair in one.pairs:
            good, bad = (sum(each.log_probabilities) for each in (pair.good, pair.bad))
            named = found.title_of(found.pairs[pair.number].phenomenon)
            counted.setdefault((named, at), []).append(good > bad)
    for row, name in enumerate(grid.rows.labels):
        for at in range(len(found.scored)):
            right = counted[name, at]
            assert grid.values[row, at] == sum(right) / len(right)
            assert f"of {len(right)} pairs" in grid.said(row, at)
    assert list(grid.values[:, 0]) == sorted(grid.values[:, 0])


def test_a_further_model_that_refuses_is_told_and_one_that_is_not_there_stops(runner):
    asked = MinimalPairsRequest(pairs=4, further=("electra-miniature-discriminator",))
    found = runner.ask(asked, {"model": "A"}, Context())
    assert len(found.judged) == 1
    assert "does not answer" in str(found.scored[1].refused)
    with pytest.raises(UserMistake, match="no checkpoint named nowhere"):
        runner.ask(MinimalPairsRequest(pairs=4, further=("nowhere",)), {"model": "A"}, Context())

"""The whole loop against transformers' own classes and a loss written by hand."""

import math
from dataclasses import replace

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, Mask, Unavailable, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.detection.replaced_tokens.question import (
    QUESTION,
    ReplacedTokensRequest,
    ReplacedTokensResult,
    Replacement,
)
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.ranks import is_rank

MODELS = Paths.standard().bundled_models
JUDGE, FILLER = "electra-miniature-discriminator", "electra-miniature-generator"
CHEF = "the chef cooked the meal"
KITCHEN = "The chef cooked the meal in the kitchen."
A, ATE = Replacement(0, 3, "a"), Replacement(9, 15, "ate")
CPU = LoadOptions(device="cpu")


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    host = tiny.families()
    made = Runner(host, Catalogue(host, MODELS, tmp_path_factory.mktemp("hub")))
    made.load("A", JUDGE, CPU, Context())
    made.load("B", FILLER, CPU, Context())
    return made


@pytest.fixture(scope="module")
def transformers_pair():
    import torch
    from transformers import ElectraForMaskedLM, ElectraForPreTraining

    options = {"dtype": torch.float32, "local_files_only": True}
    return (
        ElectraForPreTraining.from_pretrained(MODELS / JUDGE, **options).eval(),
        ElectraForMaskedLM.from_pretrained(MODELS / FILLER, **options).eval(),
    )


ALONE = {"discriminator": "A"}
BOTH = {"discriminator": "A", "generator": "B"}


def ask(runner, request, models=ALONE):
    result = runner.ask(request, models, Context())
    assert isinstance(result, ReplacedTokensResult)
    return result


def pieces(result):
    return [token.text for token in result.tokens if not token.special]


def test_the_corruption_of_the_paper(runner):
    result = ask(runner, ReplacedTokensRequest(CHEF, replacements=(A, ATE)))
    assert pieces(result) == ["a", "chef", "ate", "the", "meal"]
    assert result.original == ("[CLS]", "the", "chef", "cooked", "the", "meal", "[SEP]")
    assert result.truth == (False, True, False, True, False, False, False)
    assert [choice.position for choice in result.chosen] == [1, 3]
    assert not any(choice.drawn for choice in result.chosen)
    assert result.losses.generator is None
    assert result.other is None


def test_the_discriminators_logits_are_transformers_own(runner, transformers_pair):
    import torch

    judge, _ = transformers_pair
    result = ask(runner, ReplacedTokensRequest(CHEF, replacements=(A, ATE)))
    ids = torch.tensor([[token.id for token in result.tokens]])
    labels = torch.tensor([result.truth]).long()
    with torch.inference_mode():
        answer = judge(input_ids=ids, labels=labels)
    assert result.logits == pytest.approx(answer.logits[0].tolist(), abs=1e-5)
    assert result.probability == pytest.approx(answer.logits[0].sigmoid().tolist(), abs=1e-6)
    assert result.losses.discriminator == pytest.approx(float(answer.loss), abs=1e-6)
    assert float(answer.logits.std()) > 0.5


def test_the_generators_numbers_are_transformers_own(runner, transformers_pair):
    import torch

    _, filler = transformers_pair
    request = ReplacedTokensRequest(CHEF, masks=(Mask(0, 3), Mask(9, 15)), top_k=1600)
    result = ask(runner, request, BOTH)
    ids = torch.tensor([list(result.original_ids)])
    labels = torch.full_like(ids, -100)
    for place in (1, 3):
        labels[0, place] = ids[0, place]
        ids[0, place] = 4  # [MASK]
    with torch.inference_mode():
        answer = filler(input_ids=ids, labels=labels)
    assert result.losses.generator == pytest.approx(float(answer.loss), abs=1e-5)
    assert result.masked_tokens == 2
    for choice in result.chosen:
        expected = answer.logits[0, choice.position].softmax(-1)
        given = torch.zeros_like(expected)
        for one in choice.proposals:
            given[one.id] = one.probability
        assert torch.allclose(given, expected, atol=1e-6)
        assert choice.entropy == pytest.approx(float(torch.special.entr(expected).sum()), abs=1e-4)
        was = result.original_ids[choice.position]
        assert choice.loss == pytest.approx(-math.log(float(expected[was])), abs=1e-4)
        assert is_rank(choice.original.rank, expected.log(), expected[was].log())


def test_the_losses_by_hand(runner):
    result = ask(runner, ReplacedTokensRequest(KITCHEN, seed=1), BOTH)
    terms = [
        -math.log(1 / (1 + math.exp(-z)) if truth else 1 - 1 / (1 + math.exp(-z)))
        for z, truth in zip(result.logits, result.truth, strict=True)
    ]
    assert result.losses.discriminator == pytest.approx(sum(terms) / len(terms))
    (choice,) = result.chosen
    assert result.losses.generator == pytest.approx(-math.log(choice.original.probability))
    assert result.losses.total == pytest.approx(
        result.losses.generator + 50 * result.losses.discriminator
    )
    assert result.losses.at(0.0) == result.losses.generator
    assert result.signals == (11, 1)


def test_the_same_seed_gives_the_same_corruption(runner):
    request = ReplacedTokensRequest(KITCHEN, seed=7, rate=0.5)
    first, again = (to_json(ask(runner, request, BOTH)) for _ in range(2))
    assert first == again
    others = {tuple(pieces(ask(runner, replace(request, seed=seed), BOTH))) for seed in range(8)}
    assert len(others) > 4


def test_fifteen_per_cent_are_chosen_and_never_a_special_token(runner):
    long = " ".join([KITCHEN] * 8)
    for seed in range(5):
        result = ask(runner, ReplacedTokensRequest(long, seed=seed), BOTH)
        ordinary = sum(not token.special for token in result.tokens)
        assert len(result.chosen) == round(0.15 * ordinary)
        assert not any(result.tokens[choice.position].special for choice in result.chosen)
    every = ask(runner, ReplacedTokensRequest(CHEF, rate=1.0), BOTH)
    assert len(every.chosen) == 5


def test_draws_follow_the_generators_distribution(runner):
    """The share of a token over many seeds against its probability."""
    request = ReplacedTokensRequest(CHEF, masks=(Mask(0, 3),))
    drawn = [ask(runner, replace(request, seed=seed), BOTH).chosen[0] for seed in range(400)]
    likely = drawn[0].proposals[0]
    share = sum(choice.sampled.id == likely.id for choice in drawn) / len(drawn)
    spread = math.sqrt(likely.probability * (1 - likely.probability) / len(drawn))
    assert abs(share - likely.probability) < 4 * spread


def test_argmax_and_temperature(runner):
    request = ReplacedTokensRequest(CHEF, masks=(Mask(9, 15),))
    best = ask(runner, replace(request, greedy=True), BOTH).chosen[0]
    assert best.sampled == best.proposals[0]
    cold, warm = (
        ask(runner, replace(request, temperature=t, top_k=1600), BOTH).chosen[0] for t in (0.5, 4.0)
    )
    assert cold.entropy < ask(runner, request, BOTH).chosen[0].entropy < warm.entropy
    # The loss is that of training, whatever the temperature of the draw.
    assert cold.loss == warm.loss
    ordinary = {
        p.id: p.probability
        for p in ask(runner, replace(request, top_k=1600), BOTH).chosen[0].proposals
    }
    squared = {one: chance**2 for one, chance in ordinary.items()}
    whole = sum(squared.values())
    for one in cold.proposals[:20]:
        assert one.probability == pytest.approx(squared[one.id] / whole, rel=1e-4)


def test_a_right_guess_counts_as_original(runner):
    request = ReplacedTokensRequest(CHEF, masks=(Mask(0, 3),), greedy=True)
    result = ask(runner, request, BOTH)
    (choice,) = result.chosen
    assert choice.sampled.token == "the"
    assert not any(result.truth)
    assert result.counts.replaced == 0
    assert result.curve == ()


def test_a_users_word_stands_where_the_generator_was_asked(runner):
    request = ReplacedTokensRequest(CHEF, masks=(Mask(0, 3), Mask(9, 15)), replacements=(A, ATE))
    result = ask(runner, request, BOTH)
    assert pieces(result) == ["a", "chef", "ate", "the", "meal"]
    for choice in result.chosen:
        assert not choice.drawn
        assert choice.sampled.token == result.tokens[choice.position].text
        known = {one.id: one.probability for one in choice.proposals}
        assert choice.sampled.probability == known[choice.sampled.id]


def test_a_word_of_several_pieces(runner):
    result = ask(
        runner, ReplacedTokensRequest(CHEF, replacements=(Replacement(9, 15, "microwaved"),))
    )
    made = pieces(result)
    assert made[:2] == ["the", "chef"]
    assert made[-2:] == ["the", "meal"]
    assert "".join(one.removeprefix("##") for one in made[2:-2]) == "microwaved"
    added = len(made) - 5
    assert added > 0
    assert result.original[3:] == ("cooked", *[""] * added, "the", "meal", "[SEP]")
    assert result.truth == (False, False, False, *[True] * (1 + added), False, False, False)
    # Every piece of the word belongs to the characters that were replaced.
    assert {(t.start, t.end) for t in result.tokens[3 : 4 + added]} == {(9, 15)}


def test_a_word_that_is_shorter_than_the_one_it_replaces(runner):
    result = ask(runner, ReplacedTokensRequest("the chef microwaved the meal",
                                        replacements=(Replacement(9, 19, "ate"),)))  # fmt: skip
    assert pieces(result) == ["the", "chef", "ate", "the", "meal"]
    assert result.truth == (False, False, False, True, False, False, False)


def test_the_same_word_again_is_no_replacement(runner):
    result = ask(runner, ReplacedTokensRequest(CHEF, replacements=(Replacement(9, 15, "Cooked"),)))
    assert not any(result.truth)


def test_words_in_the_second_text(runner):
    request = ReplacedTokensRequest(
        CHEF, "the chef ate", replacements=(Replacement(9, 12, "slept", 1),)
    )
    result = ask(runner, request)
    changed = [i for i, truth in enumerate(result.truth) if truth]
    assert [result.tokens[i].part for i in changed] == [1] * len(changed)
    assert next(result.original[i] for i in changed) == "ate"


def test_counts_and_curve_leave_special_tokens_out(runner):
    result = ask(runner, ReplacedTokensRequest(CHEF, replacements=(A, ATE)))
    assert result.counts.tokens == 5
    assert result.counts_at(0.0) == replace(result.counts, hits=2, misses=0, false_alarms=3,
                                            correct_rejections=0)  # fmt: skip
    low = min(result.judged()[0])
    assert result.counts_at(low).correct_rejections + result.counts_at(low).misses == 1


def test_any_masked_lm_of_the_vocabulary_may_fill(runner, tmp_path):
    host = tiny.families()
    other = Runner(host, Catalogue(host, MODELS, tmp_path))
    other.load("A", "deberta-v3-miniature", CPU, Context())
    other.load("B", "bert-miniature", CPU, Context())
    result = ask(other, ReplacedTokensRequest(KITCHEN, seed=1), BOTH)
    assert (result.model.id, result.other.id) == ("deberta-v3-miniature", "bert-miniature")
    assert result.losses.generator is not None


def test_the_slots_may_be_the_other_way_round(tmp_path):
    host = tiny.families()
    turned = Runner(host, Catalogue(host, MODELS, tmp_path))
    turned.load("B", JUDGE, CPU, Context())
    turned.load("A", FILLER, CPU, Context())
    request = ReplacedTokensRequest(CHEF, seed=3)
    result = ask(turned, request, {"discriminator": "B", "generator": "A"})
    assert (result.model.id, result.other.id) == (JUDGE, FILLER)
    with pytest.raises(Unavailable, match="Load its discriminator"):
        turned.ask(request, BOTH, Context())


def test_another_vocabulary_is_refused_with_its_reason(tmp_path):
    host = tiny.families()
    strangers = Runner(host, Catalogue(host, MODELS, tmp_path))
    strangers.load("A", JUDGE, CPU, Context())
    strangers.load("B", "roberta-miniature", CPU, Context())
    with pytest.raises(Unavailable, match=r"vocabularies differ \([\d,]+ pieces against 1,600\)"):
        strangers.ask(ReplacedTokensRequest(CHEF), BOTH, Context())
    strangers.load("B", JUDGE, CPU, Context())
    with pytest.raises(Unavailable, match=r"can't be the generator.* detects replaced tokens"):
        strangers.ask(ReplacedTokensRequest(CHEF), BOTH, Context())


@pytest.mark.parametrize(
    ("request_", "models", "words"),
    [
        (ReplacedTokensRequest(" "), ALONE, "no text"),
        (ReplacedTokensRequest(CHEF, masks=(Mask(0, 3),)), ALONE, "no generator"),
        (ReplacedTokensRequest("the [MASK] ate"), BOTH, "typed"),
        (ReplacedTokensRequest(CHEF, temperature=0.0), BOTH, "temperature"),
        (ReplacedTokensRequest(CHEF, rate=0.0), BOTH, "rate can't be 0"),
        (ReplacedTokensRequest(CHEF, replacements=(Replacement(0, 3, " "),)), ALONE, "by nothing"),
        (
            ReplacedTokensRequest(CHEF, replacements=(Replacement(20, 99, "soup"),)),
            ALONE,
            "outside",
        ),
        (ReplacedTokensRequest(CHEF, replacements=(A, Replacement(2, 5, "x"))), ALONE, "overlap"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(runner, request_, models, words):
    with pytest.raises(UserMistake, match=words):
        runner.ask(request_, models, Context())


def test_a_text_that_is_too_long_is_cut_for_both(runner):
    result = ask(runner, ReplacedTokensRequest(" ".join([KITCHEN] * 40)), BOTH)
    assert len(result.tokens) == 128
    assert result.left_out is not None


def test_what_is_kept_can_be_read_back(runner):
    result = ask(runner, ReplacedTokensRequest(CHEF, replacements=(A, ATE)))
    assert from_json(ReplacedTokensResult, to_json(result)) == result
    request = ReplacedTokensRequest(CHEF, masks=(Mask(0, 3),), replacements=(A,))
    assert from_json(ReplacedTokensRequest, to_json(request)) == request


def test_table_and_summary(runner):
    result = ask(runner, ReplacedTokensRequest(CHEF, replacements=(A, ATE)))
    table = QUESTION.table(result)
    assert len(table.rows) == 7
    row = dict(zip(table.columns, table.rows[3], strict=True))
    assert (row["original"], row["stands_there"], row["replaced_by"]) == ("cooked", "ate", "user")
    assert row["outcome"] in {"hit", "miss"}
    told = QUESTION.summary(result)
    assert told["corrupted"] == "a chef ate the meal"
    assert told["hits"] + told["misses"] == 2
    assert told["discriminator_loss"] == result.losses.discriminator

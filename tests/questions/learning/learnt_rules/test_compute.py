"""A model beside the exact floor, asked by its port, is what transformers' own forward gives."""

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, Unavailable, UserMistake
from explorer.learning.measured.held_out import held_out, measure
from explorer.learning.measured.predictions import Reading
from explorer.learning.plan.choices import Corpus, Objective
from explorer.learning.texts.worlds import SmallestWorldText
from explorer.program import Program
from explorer.questions.learning.learnt_rules.question import LearntRulesRequest, table
from tests.learning.tiny_plans import begun


@pytest.fixture
def asked(paths):
    runner = Program(paths, device="cpu", offline=True).runner()

    def ask(name, **options):
        runner.load("A", str(name), LoadOptions("cpu"), Context())
        return runner.ask(LearntRulesRequest(**options), {"model": "A"}, Context())

    return ask


def written(to, **plan):
    """A model of the smallest world, as a folder that the program loads; and what it is."""
    run = begun(corpus=Corpus.SMALL, **plan)
    run.advance()
    (model,) = run.recipe.parts(run.model).values()
    model.save_pretrained(to)
    run.tokenizer.save_pretrained(to)
    return model, run.tokenizer


@pytest.mark.parametrize("objective", [Objective.MASKED, Objective.CAUSAL])
def test_every_rule_has_the_excess_that_transformers_forward_gives(asked, tmp_path, objective):
    model, tokenizer = written(tmp_path / "made", objective=objective)
    left = objective is Objective.CAUSAL
    reading = Reading.LEFT if left else Reading.BOTH_SIDES
    end = tokenizer.eos_token if left else None
    found = measure(model, tokenizer, held_out(SmallestWorldText(), tokenizer, reading, end=end))
    result = asked(tmp_path / "made")
    assert result.world == "small"
    assert {one.rule for one in result.rules} == set(found.rules)
    for one in result.rules:
        assert one.excess == pytest.approx(found.rules[one.rule].excess, abs=1e-5)
        assert one.accuracy == pytest.approx(found.rules[one.rule].accuracy)
        assert one.places == found.rules[one.rule].places
    assert result.whole.excess == pytest.approx(found.whole.excess, abs=1e-5)
    whole, *excess = table(result).column("excess")
    assert whole == result.whole.excess
    assert excess == sorted(excess, reverse=True)


def test_pieces_of_no_world_are_refused_in_a_sentence(asked):
    with pytest.raises(UserMistake, match="none of the small worlds"):
        asked("roberta-miniature")
    with pytest.raises(UserMistake, match="spaces or capitals"):
        asked("roberta-miniature", world="small")
    with pytest.raises(Unavailable, match="spans of any length"):
        asked("t5-miniature")

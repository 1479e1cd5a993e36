"""A model beside the exact floor, asked by its port, is what transformers' own forward gives."""

from datetime import UTC, datetime

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, Unavailable, UserMistake
from explorer.learning.measured.held_out import held_out, measure
from explorer.learning.measured.predictions import Reading
from explorer.learning.plan.choices import Corpus, Objective
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.run_folder import written_plan
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


def test_a_run_of_a_world_with_a_bias_is_held_against_that_world(asked, tmp_path):
    model, tokenizer = written(tmp_path / "run" / "checkpoint-1", rho=0.75)
    plan = TrainingPlan(corpus=Corpus.SMALL, rho=0.75)
    (tmp_path / "run" / "plan.json").write_bytes(written_plan(plan, "1.0", datetime.now(UTC)))
    found = {
        rho: measure(model, tokenizer, held_out(SmallestWorldText(rho), tokenizer)).whole
        for rho in (0.0, 0.75)
    }
    whole = asked(tmp_path / "run" / "checkpoint-1").whole
    assert whole.floor == pytest.approx(found[0.75].floor, abs=1e-9)
    assert whole.excess == pytest.approx(found[0.75].excess, abs=1e-5)
    assert abs(found[0.75].floor - found[0.0].floor) > 1e-4, "otherwise nothing is shown"
    # The same weights outside of a run are of the world as it is.
    (tmp_path / "run" / "plan.json").unlink()
    assert asked(tmp_path / "run" / "checkpoint-1").whole.floor == pytest.approx(found[0.0].floor)


def test_pieces_of_no_world_are_refused_in_a_sentence(asked):
    with pytest.raises(UserMistake, match="none of the small worlds"):
        asked("roberta-miniature")
    with pytest.raises(UserMistake, match="spaces or capitals"):
        asked("roberta-miniature", world="small")
    with pytest.raises(Unavailable, match="spans of any length"):
        asked("t5-miniature")

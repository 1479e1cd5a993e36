import functools
import itertools
import statistics

import pytest

from explorer.api.question import Cancelled, Context, UserMistake
from explorer.document import Mask
from explorer.hf.predict import timing
from explorer.numerics.steadiness import PATIENCE
from explorer.questions.distillation.cost import question as of
from explorer.questions.distillation.cost.compute import _cost
from explorer.questions.distillation.cost.question import CLAIMS, QUESTION, CostRequest, CostResult
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {
        "A": tiny.load(tiny.save_bert(folder / "teacher", num_hidden_layers=4)),
        "B": tiny.load(tiny.save_bert(folder / "student", num_hidden_layers=1)),
    }


def played(models):
    return {"teacher": models["A"], "student": models["B"]}


def ask(models, **request):
    asked = CostRequest(
        **{"text": "the cat sat", "masks": (Mask(4, 7),), "seconds": 0.05, **request}
    )
    return of.QUESTION.run(models["A"], asked, Context(models=played(models)))


def test_both_are_counted_as_their_weights_are(models):
    result = ask(models)
    for model, found in ((models["A"], result.teacher), (models["B"], result.student)):
        weights = {p.data_ptr(): p for p in model.module.parameters()}.values()
        assert found.parameters == sum(p.numel() for p in weights)
        assert found.weights_bytes == 4 * found.parameters
        assert found.embedding_parameters == len(tiny.VOCABULARY) * 32
        assert (found.width, found.heads, found.tokens) == (32, 4, 5)
        assert found.model == model.stamp
    assert (result.teacher.layers, result.student.layers) == (4, 1)
    assert result.smaller == result.teacher.parameters_used / result.student.parameters_used


@pytest.mark.parametrize(
    ("name", "idle"),
    [
        ("tinybert-miniature", ("fit_denses.", "cls.seq_relationship.")),
        ("spanbert-miniature", ("sbo.",)),
        ("bert-miniature", ("cls.seq_relationship.",)),
    ],
)
def test_models_are_compared_by_what_a_run_computes_with(name, idle):
    """TinyBERT's maps to its teacher's width are for training alone; a run needs no other head."""
    from safetensors.numpy import load_file

    stored = load_file(MODELS / name / "model.safetensors")
    used = sum(one.size for tensor, one in stored.items() if not tensor.startswith(idle))
    model = miniature(name)
    asked = CostRequest("the chef cooked the [MASK] .", seconds=0.01)
    playing = {"teacher": miniature("bert-miniature"), "student": model}
    result = QUESTION.run(playing["teacher"], asked, Context(models=playing))
    assert result.student.parameters == sum(one.size for one in stored.values())
    assert result.student.parameters_used == used < result.student.parameters
    assert result.smaller == result.teacher.parameters_used / used
    rows = dict(zip(QUESTION.table(result).columns, QUESTION.table(result).rows[1], strict=True))
    assert (rows["parameters"], rows["parameters_used"]) == (result.student.parameters, used)


class Machine:
    """A clock that is moved on by what runs, as long as each run is said to take."""

    def __init__(self, *seconds):
        self.now = 0.0
        self.turns = [itertools.cycle(one) if len(one) < 5 else iter(one) for one in seconds]

    def timed(self, seconds=0.05):
        return timing.timed_by_turns(
            [functools.partial(self.run, one) for one in self.turns],
            seconds,
            lambda: None,
            lambda: self.now,
        )

    def run(self, turns):
        self.now += next(turns)


def test_times_are_taken_by_turns_after_a_warm_up():
    teacher, student = Machine([3.0, 5.0], [1.0]).timed()
    assert teacher == ([3.0, 5.0] * 10)[timing.WARM_UP : timing.WARM_UP + timing.LEAST_RUNS]
    assert student == [1.0] * timing.LEAST_RUNS


def test_runs_that_scatter_are_repeated_until_they_do_not():
    """The machine is busy for its first ten runs: the median comes down to a quiet one's."""
    busy = [0.01] * timing.WARM_UP + [0.01, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    teacher, student = Machine([*busy, *[0.01] * 300], [0.005]).timed(seconds=1.5)
    assert len(teacher) > 10 + timing.LEAST_RUNS
    assert statistics.median(teacher) == pytest.approx(0.01)
    assert len(teacher) == len(student)


def test_a_machine_that_never_calms_down_is_given_up():
    teacher, _student = Machine([0.01, 0.5, 0.5], [0.005]).timed(seconds=0.5)
    assert sum(teacher) <= PATIENCE * 1.0 + 1.0
    assert statistics.median(teacher) > of.STEADY * min(teacher)


def cost_of(models, slot, *times):
    return _cost(models[slot], models[slot].encode("the cat"), times)


def result_of(models, teacher, student):
    costs = cost_of(models, "A", *teacher), cost_of(models, "B", *student)
    return CostResult(models["A"].stamp, models["B"].stamp, *costs, 2, "By turns.")


def test_the_quartiles_are_kept(models):
    cost = cost_of(models, "A", 1.0, 2.0, 3.0, 4.0, 5.0)
    assert (cost.fastest, cost.lower, cost.seconds, cost.upper, cost.slowest) == (1, 2, 3, 4, 5)
    table = QUESTION.table(result_of(models, [1.0, 2.0, 3.0, 4.0, 5.0], [1.0] * 5))
    assert "Half of the runs took 2 to 4 seconds." in table.rows[0][-1]


def test_no_ratio_is_made_of_noise(models):
    """As on a busy machine: 55.8 ms against 2.63 ms were "21 times faster", at 2.69 and 1.66."""
    noisy = result_of(models, [0.00269, 0.0558, 0.09], [0.00166, 0.00263, 0.003])
    assert noisy.faster is None
    assert not noisy.is_steady
    assert "21 times its quickest run" in noisy.scatter_said
    assert "ask again" in noisy.scatter_said
    table = QUESTION.table(noisy)
    assert table.rows[2][table.columns.index("times_faster")] is None
    assert "scatter" in table.rows[2][table.columns.index("source")]
    quiet = result_of(models, [0.0040, 0.0041, 0.009], [0.0020, 0.0021, 0.003])
    assert quiet.faster == pytest.approx(0.0041 / 0.0021)
    assert quiet.scatter_said == ""
    slower = result_of(models, [0.0020, 0.0021, 0.003], [0.0040, 0.0042, 0.009])
    assert slower.faster == pytest.approx(0.5)


def test_four_layers_take_longer_than_one(models):
    result = ask(models, seconds=0.2)
    assert result.teacher.fastest > result.student.fastest
    assert result.threads >= 1
    assert "median" in result.how


def test_claims_have_a_source_and_the_students_family_first(models):
    result = ask(models)
    assert {claim.family for claim in CLAIMS} == {"distilbert", "tinybert", "mobilebert"}
    assert all("abstract" in claim.source for claim in CLAIMS)
    assert result.claims == CLAIMS
    smaller = {claim.family: claim.smaller for claim in CLAIMS}
    assert smaller["distilbert"] == pytest.approx(1 / (1 - 0.40))


def test_the_table_and_the_way_through_json(models):
    result = ask(models)
    table = QUESTION.table(result)
    assert [row[0] for row in table.rows] == ["teacher", "student", "student here"] + [
        "published"
    ] * 3
    assert table.rows[2][table.columns.index("times_smaller")] == result.smaller
    assert from_json(CostResult, to_json(result)) == result


def test_it_can_be_cancelled_and_refused(models):
    with pytest.raises(Cancelled):
        of.QUESTION.run(
            models["A"],
            CostRequest("the cat"),
            Context(models=played(models), is_cancelled=lambda: True),
        )
    with pytest.raises(UserMistake, match="no text"):
        ask(models, text="")

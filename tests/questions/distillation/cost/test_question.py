import statistics

import pytest

from explorer.api import Cancelled, Context, UserMistake
from explorer.document import Document, Mask
from explorer.questions.distillation.cost import question as of
from explorer.questions.distillation.cost.question import CLAIMS, OPERATION, CostRequest, CostResult
from explorer.serialise import from_json, to_json
from tests.hf import tiny


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
    return of.OPERATION.run(models["A"], asked, Context(models=played(models)))


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
    assert result.smaller == result.teacher.parameters / result.student.parameters


def test_the_time_is_a_median_of_enough_runs(models, monkeypatch):
    """With a clock that a test drives: the teacher takes 3 ticks, then 5, the student 1."""
    from explorer.questions.distillation.cost import compute as timing

    now = [0.0]
    taken = {"A": iter([3.0, 5.0] * 1000), "B": iter([1.0] * 2000)}

    def run_of(model, _encoded, _context):
        slot = "A" if model is models["A"] else "B"

        def run():
            now[0] += next(taken[slot])

        return run

    monkeypatch.setattr(timing, "_run_of", run_of)
    monkeypatch.setattr(timing.time, "perf_counter", lambda: now[0])
    result = ask(models)
    assert result.teacher.runs == result.student.runs == timing.LEAST_RUNS
    counted = ([3.0, 5.0] * 10)[timing.WARM_UP : timing.WARM_UP + timing.LEAST_RUNS]
    assert result.teacher.seconds == statistics.median(counted)
    assert (result.teacher.fastest, result.teacher.slowest) == (3.0, 5.0)
    assert result.student.seconds == 1.0
    assert result.faster == result.teacher.seconds


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
    table = OPERATION.table(result)
    assert [row[0] for row in table.rows] == ["teacher", "student", "student here"] + [
        "published"
    ] * 3
    assert table.rows[2][table.columns.index("times_smaller")] == result.smaller
    assert from_json(CostResult, to_json(result)) == result


def test_it_can_be_cancelled_and_refused(models):
    with pytest.raises(Cancelled):
        of.OPERATION.run(
            models["A"],
            CostRequest("the cat"),
            Context(models=played(models), is_cancelled=lambda: True),
        )
    with pytest.raises(UserMistake, match="no text"):
        ask(models, text="")
    assert CostRequest.of(Document("a", "b", (Mask(0, 1),))) == CostRequest("a", "b", (Mask(0, 1),))

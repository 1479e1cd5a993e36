"""`explorer.train`: a run that is waited for, its curve, its frames, and models of them."""

import pytest

from explorer.learning.runs import worker
from explorer.learning.runs.trainings import Trainings
from explorer.scripting import training

TINY = {"steps": 4, "layers": 1, "width": 16, "heads": 1, "batch": 4}


@pytest.fixture
def here(door, monkeypatch):
    """The door, whose runs are trained in this process once somebody waits for them."""

    def follow(trainings, one, tell):
        worker.serve(trainings.folder)
        tell(one.state, one.curve()[-1])
        return one.state

    monkeypatch.setattr(Trainings, "work", lambda _self: None)
    monkeypatch.setattr(training, "follow", follow)
    # Neither pandas nor polars need be there.
    monkeypatch.setattr(training, "frame_of", lambda columns, rows, _: (columns, [*rows]))
    return door


def test_a_run_has_its_curve_and_its_frames(here):
    run = here.train("small", watched="the [MASK] slept .", **TINY)
    assert repr(run) == "<masked: done, 4/4 steps>"
    columns, rows = run.curve.frame()
    assert [row[columns.index("step")] for row in rows] == [1, 2, 3, 4]
    assert {"loss_mlm", "tokens", "multiply_adds", "rate"} <= {*columns}
    columns, rows = run.measured.frame()
    assert [row[columns.index("step")] for row in rows] == [0, 1, 2, 4]
    assert rows[0][columns.index("watched")].startswith('{"the [MASK] slept ."')
    assert run.frames == (0, 1, 2, 4)
    assert run.plan.steps == 4
    first, last = run.open(step=0), run.open()
    assert first.card.title == "masked@0"
    assert last.card.title == "masked@4"
    assert here.open("masked").card.stamp.fingerprint == last.card.stamp.fingerprint
    assert first.card.stamp.fingerprint != last.card.stamp.fingerprint
    assert last.masked_tokens("the [MASK] slept .").table.rows
    columns, ((name, *_),) = here.trainings().frame()
    assert (columns[0], name) == ("name", "masked")
    with pytest.raises(here.Mistake, match="no frame of step 3") as caught:
        run.open(step=3)
    assert "It has those of 0, 1, 2, 4." in caught.value.__notes__


def test_one_that_is_not_waited_for_goes_on_later(here):
    run = here.train("small", name="later", wait=False, **TINY)
    assert run.state.status == "waiting"
    run.pause()
    assert run.state.status == "paused"
    assert run.resume().state.status == "done"
    run.delete()
    assert here.trainings() == ()


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("no plan named large", {"plan": "large"}),
        ("has no dropout", {"dropout": 0.1}),
        ("no plan of training", {"objective": "nothing"}),
        ("multiple of 3", {"heads": 3}),
        ("no name for a run", {"name": "a/b"}),
    ],
)
def test_what_can_not_be_trained_is_refused(here, said, options):
    with pytest.raises(here.Mistake, match=said):
        here.train(options.pop("plan", "small"), **options)
    assert here.trainings() == ()

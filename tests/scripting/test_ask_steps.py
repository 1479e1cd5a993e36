"""Numbers of answers over steps, from Python."""

import pytest

from tests.series.moments import frames_of

STEPS = (1, 10, 100)
TEXT = "The chef [MASK] the meal."


def test_each_step_has_the_number_of_its_own_answer(door, tmp_path):
    series = frames_of("distilbert-miniature", tmp_path / "run", STEPS)
    model = door.open(series)
    answer = door.ask_steps("masked_tokens", TEXT, model=model, numbers="entropy 1")
    assert answer.table.column("step") == STEPS
    for step, value in zip(STEPS, answer.table.column("value"), strict=True):
        alone = door.open(series, step=step).ask("masked_tokens", TEXT)
        assert value == pytest.approx(alone.summary["entropy 1"], abs=1e-6)
    with pytest.raises(door.Mistake, match="no step 11"):
        door.ask_steps("masked_tokens", TEXT, model=model, steps="11")

"""Bars: of work that takes long alone."""

import io
import itertools

import pytest

from explorer.scripting.notebook import progress


@pytest.mark.parametrize("step", [0, 1])
def test_a_bar_is_shown_once_work_takes_long(step, monkeypatch):
    shown, seconds = io.StringIO(), itertools.count(1_000, step)
    monkeypatch.setattr("tqdm.std.time", lambda: next(seconds))
    monkeypatch.setattr(progress, "_is_seen", lambda: True)
    monkeypatch.setattr(progress.sys, "stderr", shown)
    with progress.bar("Surprisal") as tell:
        for stage, total in (("reading", 8), ("asking", 2)):
            for done in range(total + 1):
                tell(stage, done, total)
    assert ("Surprisal: reading" in shown.getvalue()) == bool(step)
    assert bool(shown.getvalue()) == bool(step)

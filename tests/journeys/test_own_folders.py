"""Checkpoints of one's own: a folder is dropped and asked; a damaged one says why."""

import shutil

import numpy as np
import pytest

from explorer.paths import Paths
from explorer.tour.hands import wait_until
from tests.journeys.acting import answered, newest

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

BUNDLED = "bert-miniature"


@pytest.fixture
def folder(tmp_path):
    """A checkpoint in a folder of the user's."""
    return shutil.copytree(Paths.standard().bundled_models / BUNDLED, tmp_path / "secret" / "mine")


def test_a_folder_is_dropped_asked_and_there_at_the_next_start(
    running, hands, open_window, folder, paths, qtbot
):
    before = answered(running, qtbot, "masked_tokens").result
    hands.drop(folder)
    cards = running.bench.models.cards
    wait_until(lambda: cards["A"].stamp.id == str(folder), "the folder to be loaded")
    hands.settle()
    view = answered(running, qtbot, "masked_tokens")
    assert view.result.model.id == str(folder)
    np.testing.assert_allclose(
        [one.probability for one in view.result.masks[0].predictions],
        [one.probability for one in before.masks[0].predictions],
        atol=1e-6,
    )
    assert newest(paths, "masked_tokens").models["model"].id == str(folder)
    assert running.window.model_bar.slots["A"].said.startswith("mine")
    assert "secret" not in view.title_of(view.result.model)
    running.close()
    again = open_window(page="")
    assert again.bench.models.cards["A"].stamp.id == str(folder)
    assert str(folder) in [one.id for one in again.bench.checkpoints.all]


def test_a_damaged_one_says_exactly_what_is_wrong_and_the_loaded_one_stays(hands, folder, running):
    weights = folder / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[: len(whole) // 2])
    hands.drop(folder)
    notices = running.window.notices
    wait_until(lambda: any("mine" in text or "bytes" in text for text in notices.texts), "why")
    (told,) = [text for text in notices.texts if "bytes" in text]
    assert f"{len(whole):,}" in told
    assert f"{len(whole) // 2:,}" in told
    assert running.bench.models.cards["A"].stamp.id == BUNDLED
    # Once it is whole again it opens, with nothing to be started anew.
    weights.write_bytes(whole)
    hands.drop(folder)
    wait_until(
        lambda: running.bench.models.cards["A"].stamp.id == str(folder), "the folder to be loaded"
    )

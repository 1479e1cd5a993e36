"""What a window kept while questions had their first names is there under the names of today.

settings_with_first_names.json was written by the program as it was then: `sweep` beside
`switch_off`, options of `sweep` and `fill_jointly`, and `tokenize` to be asked about a file.
"""

import dataclasses
from pathlib import Path

import pytest

KEPT = Path(__file__).parent / "settings_with_first_names.json"


@pytest.fixture
def started(start, paths):
    """Starts the program on what was kept then, with another question about a file."""

    def begin(about_a_file="tokenize"):
        paths.settings.parent.mkdir(parents=True, exist_ok=True)
        paths.settings.write_text(KEPT.read_text("utf-8").replace("tokenize", about_a_file))
        return start()

    return begin


def test_options_and_layout_are_as_they_were_left(started):
    running = started()
    document = running.bench.state.document
    assert document.option("surprisal.unit") == "bits"
    assert document.option("joint_decoding.width") == 7
    assert not any(key.startswith(("sweep.", "over_file.")) for key, _ in document.options)
    area = running.window.view_area
    assert {*area.opened} == {"surprisal", "head_ablation"}
    assert all(map(area.is_seen, area.opened))


def test_the_question_about_a_file_is_the_one_that_was_chosen(started, engine):
    first, *others = engine.catalogue
    offered = (*first.operations, "file_of_sentences")
    engine.catalogue = (dataclasses.replace(first, operations=offered), *others)
    running = started("fill_mask")
    running.window.view_area.bring_forward("file_of_sentences")
    view = running.window.view_of("file_of_sentences")
    choice = view.bar.fields["file_of_sentences.operation"]
    assert choice.currentData() == "masked_tokens"

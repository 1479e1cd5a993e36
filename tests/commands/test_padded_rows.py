"""Two models of one tokenizer, of which one pads its table of pieces: what is cut off is told."""

import pytest

from tests.hf import tiny

TEXT = "the [MASK] sat on the mat"
MORE = 9


@pytest.fixture
def asked(asked, tmp_path):
    rows = len(tiny.VOCABULARY)
    folders = {
        "padded": tiny.save_bert(tmp_path / "padded", "BertForMaskedLM", vocab_size=rows + MORE),
        "plain": tiny.save_bert(tmp_path / "plain", "BertForMaskedLM", seed=1),
    }
    return lambda *words: asked(*(folders.get(word, word) for word in words))


@pytest.mark.parametrize("padded", ["teacher", "student"])
def test_the_mass_that_is_cut_off_is_told(asked, padded):
    names = ("padded", "plain") if padded == "teacher" else ("plain", "padded")
    found = asked("targets", TEXT, "--teacher", names[0], "--student", names[1], "--top", "500")
    filled = asked("fill", TEXT, "--model", "padded", "--top", "500")
    (mask,) = filled["masks"]
    rows = len(tiny.VOCABULARY)
    held = sum(one["probability"] for one in mask["predictions"] if one["id"] < rows)
    assert held < 0.999
    assert found["vocabulary"]["shared_mass"] == pytest.approx(held, abs=1e-4)
    (note,) = found["notes"]
    assert f"{rows + MORE}" in note
    assert f"renormalised over the first {rows}" in note
    assert f"{held:.2%} of the {padded}'s" in note


def test_tables_of_one_length_have_nothing_to_tell(asked):
    found = asked("targets", TEXT, "--teacher", "plain", "--student", "plain")
    assert found["vocabulary"]["shared_mass"] == 1.0
    assert found["notes"] == []

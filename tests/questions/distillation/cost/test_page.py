from dataclasses import replace

import pytest

from explorer.questions.distillation.cost.parts import claims, costs, faster, fewer, less
from explorer.ui.blocks.page.shown import Origin
from tests.questions.distillation import answers
from tests.ui.pages import kind_of, words_on


@pytest.fixture
def view(shown):
    made = shown(kind_of("cost"))
    made.show_result(answers.cost(), answers.DOCUMENT, Origin("2026-01-01", models=answers.MODELS))
    return made


def test_rows_say_both_numbers_and_the_ratio():
    rows = {str(row.title): row for row in costs(answers.cost())}
    parameters = rows["Parameters"]
    assert (parameters.teacher, parameters.student) == ("1,049,922", "447,810")
    assert parameters.saved == f"{1 - 447_810 / 1_049_922:.1%} fewer"
    assert (parameters.taught, parameters.learnt) == (1.0, pytest.approx(447_810 / 1_049_922))
    time = rows["Time for this text (7 tokens)"]
    assert (time.teacher, time.student, time.saved) == ("4.00 ms", "2.00 ms", "2.00 × faster")
    assert "3.00 ms to 9.00 ms in 50 runs" in time.words
    assert rows["Quickest run"].saved == "2.00 × faster"
    assert rows["Layers × width × heads"].student == "2 × 96 × 4"


def test_what_a_run_uses_is_told_beside_what_is_loaded():
    quiet = answers.cost()
    counted = replace(
        quiet,
        teacher=replace(quiet.teacher, parameters_used=1_049_664),
        student=replace(quiet.student, parameters_used=410_368),
    )
    rows = {str(row.title): row for row in costs(counted)}
    used = rows["of which a run here uses"]
    assert (used.teacher, used.student) == ("1,049,664", "410,368")
    assert used.saved == f"{1 - 410_368 / 1_049_664:.1%} fewer"
    assert rows["Parameters"].saved == f"{1 - 447_810 / 1_049_922:.1%} fewer"
    assert next(claims(counted, {})).smaller == f"{1_049_664 / 410_368:.2f} ×"


def noisy():
    """What a busy machine gives: the teacher's median is 19 times its quickest run."""
    quiet = answers.cost()
    return replace(quiet, teacher=replace(quiet.teacher, seconds=0.0558, upper=0.09))


def test_the_spread_is_said():
    rows = {str(row.title): row for row in costs(answers.cost())}
    half = rows["Middle half of the runs"]
    assert (half.teacher, half.student) == ("3.50 ms to 5.00 ms", "–"), "older answers have none"


def test_noise_gives_no_ratio_and_no_bar(view):
    view.show_result(noisy(), answers.DOCUMENT)
    rows = {str(row.title): row for row in costs(noisy())}
    time = rows["Time for this text (7 tokens)"]
    assert (time.teacher, time.learnt, time.saved) == ("about 55.8 ms", None, "the runs scatter")
    assert (rows["Quickest run"].learnt, rows["Quickest run"].saved) == (None, "")
    assert next(claims(noisy(), {})).faster == "not measurable"
    said = words_on(view)
    assert "19 times its quickest run" in said
    assert "Close what else keeps this computer busy" in said
    assert "x faster" not in said.split("What papers claim")[0]


def test_this_pair_stands_beside_what_papers_claim():
    here, *others = claims(answers.cost(), {"bert-miniature": "BERT miniature"})
    assert (here.student, here.teacher) == ("this pair, here", "BERT miniature")
    assert (here.smaller, here.faster) == ("2.34 ×", "2.00 ×")
    assert [row.student for row in others] == ["DistilBERT", "TinyBERT 4", "MobileBERT"]
    assert (others[0].smaller, others[0].faster) == ("1.7 ×", "1.6 ×")
    assert "40 % smaller, 60 % faster" in others[0].source


def test_ratios_in_words():
    assert fewer(1.0) == less(1.0) == faster(1.0) == "the same"
    assert (fewer(0.5), less(0.5), faster(0.5)) == ("100.0% more", "100.0% more", "2.00 × slower")
    assert (fewer(1.7), less(1.7), faster(1.7)) == ("41.2% fewer", "41.2% less", "1.70 × faster")


def test_tied_weights_are_told_and_both_models_are_in_the_caption(view):
    assert any("Tied ones" in spot.words for spot in view.page.page.spots)
    assert "Student: tinybert-miniature" in view.caption()

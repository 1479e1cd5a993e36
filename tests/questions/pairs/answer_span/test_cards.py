"""Cards of miniatures that answer questions: what was measured, beside what can be reached."""

import re

import pytest

from explorer.paths import Paths

MODELS = Paths.standard().bundled_models
NAMES = sorted(path.name for path in MODELS.glob("*-answers-miniature"))
ROW = re.compile(r"^\| (.+?) \| ([\d.]+)(%?) \| ([\d.]+)%? \|$", re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_answers_reach_the_ceiling_but_for_a_twentieth(name):
    card = (MODELS / name / "README.md").read_text("utf-8")
    rows = {what: (float(found), float(best)) for what, found, _sign, best in ROW.findall(card)}
    found, ceiling = rows["exact match"]
    assert ceiling == 100.0
    assert found >= 0.95 * ceiling
    assert rows["area under the ROC curve of no answer"][0] >= 0.95


def test_every_family_that_answers_has_one():
    families = {name.split("-", 1)[0] for name in NAMES}
    assert families == {"albert", "bert", "distilbert", "electra"}

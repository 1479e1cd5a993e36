"""An answer without rows says why, whichever question it answers."""

import csv

import pytest

from tests.commands.ask_cases import CASES, CHEF, PLAIN

OF_NO_WORLD = "zzqx [MASK] 🙂"
"""A text that no miniature has met, and that the small world does not have."""
OF_FILES = {"train_tokenizer", "attribution_benchmark", "experiments", "layer_similarity"}
"""Questions that are asked of no text of the user's."""


def about_nothing(name):
    """The arguments of a question's case, with the text in place of its own."""
    arguments, _request, models = CASES[name]
    typed = [OF_NO_WORLD if one in (CHEF, PLAIN) else one for one in arguments]
    if typed and not str(typed[0]).startswith("-"):
        typed[0] = OF_NO_WORLD
    named = {role for role in models if f"--{role}" in typed or (role == "model" and "-m" in typed)}
    return [*typed, *(f"--{role}={models[role]}" for role in models if role not in named)]


@pytest.mark.parametrize("name", sorted(CASES.keys() - OF_FILES))
def test_it_is_refused_or_answered_or_says_why_not(run, tmp_path, name):
    target = tmp_path / "rows.csv"
    status, said, complaint = run("ask", name, *about_nothing(name), "--csv", target, "--no-log")
    if status:
        assert status == 2, "a refusal, and no fault of the program"
        assert complaint.strip()
        return
    with target.open(encoding="utf-8-sig", newline="") as file:
        columns, *rows = csv.reader(file)
    if rows:
        return
    # What is printed besides who answered and the names of the columns.
    lines = [line.strip() for line in said.splitlines()[1:]]
    why = [line for line in lines if line and line.split() != columns]
    assert any(line.endswith(".") for line in why), said


def test_some_answer_has_no_rows(run, tmp_path):
    """Else nothing above would be tried."""
    target = tmp_path / "rows.csv"
    status, said, _complaint = run("ask", "exact_answers", OF_NO_WORLD, "--csv", target, "--no-log")
    assert status == 0
    assert len(target.read_text("utf-8-sig").splitlines()) == 1
    assert "can't read “zzqx” there." in said

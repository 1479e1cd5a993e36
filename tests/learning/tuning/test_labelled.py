"""What a table of labelled texts gives to be learnt, and what is refused of it in one sentence."""

import collections
import dataclasses

import pytest

from explorer.api.question import UserMistake
from explorer.learning.tuning.choices import LabelledTask
from explorer.learning.tuning.forms.learnt import HELD_OUT
from explorer.learning.tuning.labelled import labelled_table, labelled_task
from explorer.learning.tuning.plan import TuningPlan
from explorer.text import said


def table(tmp_path, rows, name="films.csv"):
    path = tmp_path / name
    path.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in rows), "utf-8")
    return str(path)


MANY = [(f"film number {number} was fun", ("good", "bad")[number % 2]) for number in range(200)]


def test_one_in_five_of_each_label_is_held_out_and_never_learnt_from(tmp_path):
    found = labelled_table(table(tmp_path, [*MANY, *MANY[:50]]))
    assert found.names == ("bad", "good")
    held_out = {one.text for one in found.held_out}
    assert not held_out & {one.text for one in found.training}
    counts = collections.Counter({one.text: one.label for one in found.held_out}.values())
    assert counts == {0: 100 // HELD_OUT, 1: 100 // HELD_OUT}
    again = labelled_table(table(tmp_path, list(reversed(MANY))))
    assert {one.text for one in again.held_out} == held_out


def test_fewer_examples_are_the_beginning_of_more_and_have_every_label(tmp_path):
    rows = [(f"film {number}", "rare" if number < 6 else "common") for number in range(300)]
    found = labelled_table(table(tmp_path, rows))
    few, more = found.first(8, seed=3), found.first(64, seed=3)
    assert more[:8] == few
    assert {one.label for one in few} == {0, 1}
    assert found.first(0, seed=3) != found.first(0, seed=4)
    assert sorted(map(str, found.first(0, 3))) == sorted(map(str, found.training))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([(one, "") for one, _ in MANY], "films.csv does not say of any text which label"),
        ([(one, "good") for one, _ in MANY], "have the label “good”: there is nothing to learn"),
        (MANY[:6], "films.csv has 6 labelled texts: a model needs 10 or more"),
        ([(one, number) for number, (one, _) in enumerate(MANY)], "200 different labels"),
    ],
)
def test_what_cannot_be_learnt_is_refused_in_one_sentence(tmp_path, rows, told):
    with pytest.raises(UserMistake, match=told):
        labelled_table(table(tmp_path, rows))


def test_what_is_left_out_is_said(tmp_path):
    rows = [*MANY, ("nobody knows", ""), ("once only", "odd"), (MANY[0][0], "bad")]
    notes = [said(one) for one in labelled_table(table(tmp_path, rows)).notes]
    assert notes == [
        "1 text has no label and is left out.",
        "1 text has several labels: no model is right of it each time.",
        "No held-out text is “odd”: nobody can say how well it is learnt.",
    ]


def test_labels_that_are_numbers_go_by_their_size(tmp_path):
    rows = [(f"film {number}", number % 11) for number in range(110)]
    assert labelled_table(table(tmp_path, rows)).names[:3] == ("0", "1", "2")


def test_ten_thousand_rows_are_read(tmp_path):
    rows = [(f"film {number}", number % 2) for number in range(10_000)]
    found = labelled_table(table(tmp_path, rows))
    assert len(found.training) + len(found.held_out) == 10_000
    assert len(found.held_out) == 1000


def test_empty_cells_are_left_out_and_a_label_that_nobody_learns_is_named(tmp_path):
    rows = [*MANY, ("", "good"), ("", ""), ("a film", "   ")]
    found = labelled_table(table(tmp_path, rows))
    assert "" not in {one.text for one in (*found.training, *found.held_out)}
    assert len(found.training) + len(found.held_out) == len(MANY)
    assert "1 text has no label and is left out." in [said(one) for one in found.notes]
    same = [*MANY, *[("the only one", "never")] * 12]
    notes = [said(one) for one in labelled_table(table(tmp_path, same)).notes]
    assert any("“never”" in one for one in notes)


@pytest.mark.parametrize("task", ["sentiment", "inference", "paraphrase", "trades"])
def test_a_task_is_judged_by_texts_that_nobody_learns_from(task):
    found = labelled_task(task, 300, seed=1)
    learnt = {(one.text, one.pair) for one in found.training}
    assert len(found.training) == 300
    assert not learnt & {(one.text, one.pair) for one in found.held_out}
    assert {one.label for one in found.training} == set(range(len(found.names)))
    assert found.held_out == labelled_task(task, 10, seed=2).held_out


def test_shuffled_labels_are_the_same_ones_and_say_nothing_of_their_texts():
    plan = TuningPlan(task=LabelledTask.TRADES, examples=400)
    shuffled = dataclasses.replace(plan, shuffled=True)
    one, other = plan.texts, shuffled.texts
    assert one.held_out == other.held_out
    assert [own.text for own in one.training] == [own.text for own in other.training]
    labels = [[own.label for own in each.training] for each in (one, other)]
    assert sorted(labels[0]) == sorted(labels[1])
    # As often the same as two labels that are drawn apart.
    by_chance = sum((labels[0].count(label) / 400) ** 2 for label in set(labels[0]))
    assert abs(sum(map(int.__eq__, *labels)) / 400 - by_chance) < 0.08
    assert plan.fingerprint != shuffled.fingerprint
    assert "shuffled" not in plan.to_json()
    # Of a task without one label a text there is nothing to be dealt.
    roles = TuningPlan(task=LabelledTask.ROLES, examples=30, shuffled=True)
    assert roles.settled() == TuningPlan(task=LabelledTask.ROLES, examples=30)


def test_a_plan_reads_its_table_once(tmp_path, monkeypatch):
    read = []

    def counted(*asked):
        read.append(asked)
        return labelled_table(*asked)

    monkeypatch.setattr("explorer.learning.tuning.plan.labelled_table", counted)
    plan = TuningPlan(path=table(tmp_path, MANY[:40]), epochs=2, batch=16)
    plan.check()
    assert plan.steps == 2 * 2
    assert len(plan.texts.held_out) == 8
    assert len(read) == 1

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.api.family import Head, LoadReport
from explorer.api.question import Compared, ComparedWord, ModelCard
from explorer.document import Document, Mask
from explorer.questions.distillation.soft_targets import question as options
from explorer.questions.distillation.soft_targets.label_bars import (
    hard_label,
    label_bars,
    shares_of,
)
from explorer.questions.distillation.soft_targets.parts import (
    HARD_LABEL,
    verdict,
    words_at,
)
from explorer.questions.distillation.soft_targets.question import SWAPPED, SoftTargetsRequest
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.probabilities import signed
from explorer.ui.blocks.page.shown import Origin
from explorer.ui.charts.block import ChartBlock
from explorer.ui.controls.options.number_slider import STEPS
from explorer.ui.parts.page import parts_shown
from explorer.ui.parts.predictions.compared_words import axis_of, row_of, words_table
from explorer.ui.theme.schemes import theme_of
from tests.questions.distillation import answers
from tests.ui.pages import bars_in, choose, kind_of, lengths_in, spot, words_on

TEMPERATURE, WORDS = options.TEMPERATURE.key, options.WORDS.key
ORDER, MASK = options.ORDER.key, options.MASK.key

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(shown):
    made = shown(kind_of("soft_targets"))
    made.set_document(answers.DOCUMENT)

    def told(key, value):
        made.set_document(made.now.with_option(key, value))

    made.option_changed.connect(told)
    made.option_moved.connect(told)
    return made


def slider(view):
    return view.bar.fields[TEMPERATURE]


def targets_of(view):
    """The mask that is looked at."""
    parts = parts_shown(view.of, view.shown())
    (number,) = next(one for one in parts if isinstance(one, Compared)).only
    return view.result.masks[number]


def charts(view):
    """The curves as they are drawn."""
    blocks = view.declared.blocks(view.shown())
    (found,) = [one.charts for one in blocks if isinstance(one, ChartBlock)]
    return found


def card(slot, *heads):
    return ModelCard(
        slot=slot,
        stamp=answers.TEACHER if slot == "A" else answers.STUDENT,
        title=f"Model {slot}",
        architecture="",
        folder="",
        parameters=1,
        weights_bytes=4,
        max_length=None,
        mask_token="[MASK]",
        vocabulary_size=7,
        heads=tuple(Head(name, name, present=True) for name in heads),
        operations=("soft_targets",),
        unavailable={},
        report=LoadReport(1),
    )


def softened(logits, temperature):
    powers = [math.exp(float(z) / temperature) for z in logits]
    return [power / sum(powers) for power in powers]


def words_shown(view):
    return [spot.key[2] for spot in view.page.page.spots if spot.key and spot.key[0] == "word"]


def test_it_asks_both_models_as_soon_as_something_is_masked(view):
    assert view.request_of(Document("a film")) is None
    assert "mask" in view.empty_hint(Document("a film")).lower()
    masked = Document("a film", masks=(Mask(2, 6),)).with_option(WORDS, ["fun", "sad"])
    asked = view.request_of(masked)
    assert asked == SoftTargetsRequest("a film", None, (Mask(2, 6),), words=("fun", "sad"))
    assert asked.for_rows() == replace(asked, words=(), each=True)


def test_classifiers_are_asked_without_a_mask(view):
    text = Document("a film")
    view.set_models({"A": card("A", "classifier"), "B": card("B", "classifier")}, "A")
    assert view.request_of(text) == SoftTargetsRequest("a film")
    view.set_models({"A": card("A", "next_sentence"), "B": card("B", "next_sentence")}, "A")
    assert view.request_of(text) is None
    assert view.request_of(text.with_pair("was fun")) == SoftTargetsRequest("a film", "was fun")


def test_a_temperature_is_drawn_without_a_new_answer(view, qtbot):
    view.show_result(answers.soft(), answers.DOCUMENT)
    asked = view.request_of(answers.DOCUMENT)
    with qtbot.waitSignal(view.option_moved) as moved:
        slider(view).slider.setValue(slider(view).step_of(4.0))
    assert moved.args == [TEMPERATURE, 4.0]
    assert view.request_of(view.now) == asked
    assert slider(view).field.value() == 4.0
    p, q = softened(answers.TAUGHT, 4.0), softened(answers.LEARNT, 4.0)
    fun = next(s for s in view.page.page.spots if s.key == ("word", 4, "fun"))
    assert f"Teacher: {p[1]:.4f}, rank 1" in fun.words
    assert f"Student: {q[1]:.4f}, rank 2" in fun.words
    assert f"Difference: {signed(q[1] - p[1])}" in fun.words
    assert "hard label" in fun.words


def test_bars_are_on_one_axis_at_every_temperature(view):
    """Bars grew while the distribution became more even: the axis followed the longest."""
    view.show_result(answers.soft(), answers.DOCUMENT)
    lengths, chances = {}, {}
    for t in (0.25, 0.5, 1.0, 2.0, 4.0, 20.0):
        view.set_document(view.now.with_option(TEMPERATURE, t))
        lengths[t] = bars_in(view, ("word", 4, "fun"))
        chances[t] = softened(answers.TAUGHT, t)[1], softened(answers.LEARNT, t)[1]
    for model in (0, 1):
        whole = lengths[1.0][model]
        for t in (1.0, 2.0, 4.0, 20.0):
            share = chances[t][model] / chances[1.0][model]
            assert lengths[t][model] == pytest.approx(whole * share, abs=3)
    # Sharper than the axis was made for: as long as there is room, and never shorter than at 1.
    assert lengths[0.25][0] >= lengths[0.5][0] - 3 >= lengths[1.0][0] - 6


def test_the_bars_of_t_1_stay_in_grey_beneath(view):
    view.show_result(answers.soft(), answers.DOCUMENT)
    key = ("word", 4, "fun")
    longest = max(bars_in(view, key))
    for t in (2.0, 8.0):
        view.set_document(view.now.with_option(TEMPERATURE, t))
        first, second, grey = lengths_in(view, key)
        assert grey == pytest.approx(longest, abs=3)
        assert grey > max(first, second)


def test_a_pinned_student_leaves_the_axis_alone(view):
    other = answers.soft()
    sharp = replace(other.masks[0], student=other.masks[0].student * 3)
    view.show_result(replace(other, masks=(sharp,)), answers.DOCUMENT)
    view.pin()
    view.show_result(answers.soft(), answers.DOCUMENT)
    lengths = {}
    for t in (1.0, 4.0):
        view.set_document(view.now.with_option(TEMPERATURE, t))
        lengths[t] = bars_in(view, ("word", 4, "fun"))[0]
    share = softened(answers.TAUGHT, 4.0)[1] / softened(answers.TAUGHT, 1.0)[1]
    assert lengths[4.0] == pytest.approx(lengths[1.0] * share, abs=3)


def test_an_exact_temperature_can_be_typed(view, qtbot):
    view.show_result(answers.soft(), answers.DOCUMENT)
    field = slider(view).field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "3.75")
    with qtbot.waitSignal(view.option_moved) as moved:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert moved.args == [TEMPERATURE, 3.75]
    assert slider(view).slider.value() == slider(view).step_of(3.75)


def test_the_slider_goes_by_ratios_and_meets_whole_numbers(view):
    step_of, temperature_at = slider(view).step_of, slider(view).value_at
    assert (step_of(0.25), step_of(20.0)) == (0, STEPS)
    assert step_of(0.5) - step_of(0.25) == pytest.approx(step_of(4.0) - step_of(2.0), abs=1)
    for temperature in (1.0, 2.0, 4.0, 8.0):
        assert temperature_at(step_of(temperature)) == temperature
    found = [temperature_at(step) for step in range(STEPS + 1)]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0.25, 20.0)


def test_the_order_of_the_words(view, qtbot):
    view.show_result(answers.soft(), answers.DOCUMENT)
    assert words_shown(view) == ["fun", "happy", "sad", "heavy", "boring"]
    for key, expected in (
        ("student", ["happy", "fun", "boring", "heavy", "sad"]),
        ("word", ["boring", "fun", "happy", "heavy", "sad"]),
        ("difference", None),
    ):
        place = [one.value for one in options.ORDER.entries].index(key)
        with qtbot.waitSignal(view.option_changed) as changed:
            view.bar.fields[ORDER].activated.emit(place)
        assert changed.args == [ORDER, key]
        p, q = softened(answers.TAUGHT, 1.0), softened(answers.LEARNT, 1.0)
        apart = {word: -abs(q[i] - p[i]) for i, word in enumerate(answers.WORDS[:5])}
        assert words_shown(view) == (expected or sorted(apart, key=apart.get))


def test_words_are_taken_from_the_field(view, qtbot):
    field = view.bar.fields[WORDS]
    field.setFocus()
    with qtbot.assertNotEmitted(view.option_changed):
        qtbot.keyClicks(field, " fun, sad ,, ")
    with qtbot.waitSignal(view.option_changed) as changed:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert changed.args == [WORDS, ["fun", "sad"]]
    assert field.text() == "fun, sad"
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    with qtbot.waitSignal(view.option_changed) as changed:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert changed.args == [WORDS, None]


def test_a_restriction_is_drawn_renormalised(view):
    note = "Only 3 words count"
    view.show_result(answers.soft(answers.targets(only=(0, 1, 2)), notes=(note,)), answers.DOCUMENT)
    assert words_shown(view) == ["boring", "fun", "happy"]
    targets = targets_of(view)
    rows = words_at(targets, targets.at(2.0))
    expected = softened(answers.TAUGHT[:3], 2.0)
    assert [row.chances[0] for row in rows] == pytest.approx(expected)
    assert sum(row.chances[1] for row in rows) == pytest.approx(1.0)


def test_a_mask_is_chosen_among_several(view, qtbot):
    other = answers.targets(position=2, known=False)
    view.show_result(answers.soft(answers.targets(), other), answers.DOCUMENT)
    assert "[MASK]" in spot(view, ("mask", 0)).spoken
    assert "KL(t ‖ s)" in spot(view, ("mask", 1)).spoken
    with qtbot.waitSignal(view.edit_requested) as put:
        choose(view, ("mask", 1))
    chosen = put.args[0].on(answers.DOCUMENT)
    assert chosen == answers.DOCUMENT.with_option(MASK, 1)
    view.set_document(chosen)
    assert targets_of(view).position == 2
    view.set_document(answers.DOCUMENT.with_option(MASK, 99))
    assert targets_of(view).position == 2
    view.show_result(answers.soft(), answers.DOCUMENT)
    assert not [one for one in view.page.page.spots if one.key and one.key[0] == "mask"]
    assert targets_of(view).position == 4


def test_a_click_puts_a_word_or_chooses_a_temperature(view, qtbot):
    view.show_result(answers.soft(), answers.DOCUMENT)
    spots = {spot.key: spot for spot in view.page.page.spots if spot.key}
    with qtbot.waitSignal(view.edit_requested) as put:
        choose(view, ("word", 4, "happy"))
    expected = answers.DOCUMENT.with_words(14, 17, "happy", 0)
    assert put.args[0].on(answers.DOCUMENT) == expected
    assert {f"T = {t}" for t in (1, 2, 4, 8)} <= {*spots}
    with qtbot.waitSignal(view.edit_requested) as chosen:
        choose(view, "T = 8")
    assert chosen.args[0].on(answers.DOCUMENT) == answers.DOCUMENT.with_option(TEMPERATURE, 8.0)
    assert chosen.args[0].name == "change temperature"


def test_curves_are_the_formulas(view):
    view.show_result(answers.soft(), answers.DOCUMENT)
    entropy, top, dark, divergence = charts(view)
    for place in (0, 30, 60):
        t = float(entropy.series[0].x[place])
        p, q = softened(answers.TAUGHT, t), softened(answers.LEARNT, t)
        for series, expected in zip(entropy.series, (p, q), strict=True):
            unsure = -sum(a * math.log(a) for a in expected)
            assert series.y[place] == pytest.approx(unsure, rel=1e-6)
        assert [series.y[place] for series in top.series] == pytest.approx([max(p), max(q)])
        for series, expected in zip(dark.series, (p, q), strict=True):
            *others, _first = sorted(expected)
            even = sum(others) / len(others)
            told = sum(a * math.log(a / even) for a in others)
            assert series.y[place] == pytest.approx(told, rel=1e-6)
        kl = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
        assert divergence.series[0].y[place] == pytest.approx(kl, rel=1e-6)


def test_hard_and_soft_labels_fill_their_bars():
    rows = [
        ComparedWord("fun", (0.6, 0.5), (1, 1)),
        ComparedWord("sad", (0.3, 0.5), (2, 2), HARD_LABEL),
    ]
    assert hard_label(rows) == "sad"
    assert hard_label(rows[:1]) == "", "the likeliest word is no label"
    assert label_bars(rows[:1]).bars[0].name == "the teacher's first word alone"
    assert label_bars(rows).bars[0].name == "hard label"
    assert [one.text for one in shares_of(rows, teacher=True)] == ["fun", "sad", "others"]
    assert [one.text for one in shares_of(rows, teacher=False)] == ["fun", "sad"]
    boxes = [spot.box for spot in label_bars(rows).at(300.0).spots]
    for top in {box.top() for box in boxes}:
        widths = [box.width() for box in boxes if box.top() == top]
        assert sum(widths) == pytest.approx(300.0)


def test_the_verdict_says_who_puts_what_first(view):
    view.show_result(answers.soft(), answers.DOCUMENT)
    said = verdict(targets_of(view), targets_of(view).at(1.0))
    assert said in words_on(view)
    assert "The teacher puts “fun” first and the student “happy”" in said
    assert "5 of their 5 likeliest are the same" in said
    p, q = softened(answers.TAUGHT, 1.0), softened(answers.LEARNT, 1.0)
    apart = sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2
    assert f"the share of the probability that lies on other words, is {percent(apart, 1)}" in said
    assert "hard label" not in said.lower(), "what the likeliest leave over is no matter of labels"
    dark = 1 - max(softened(answers.TAUGHT, 1.0))
    assert f"{percent(dark, 1)} of the teacher's probability" in said


def test_the_hard_label_means_the_word_that_stands_there_everywhere(view):
    """The row, the bar and the sentence said different things of it."""
    view.show_result(answers.soft(), answers.DOCUMENT)
    original = targets_of(view).original
    assert original.word == "fun"
    share = softened(answers.TAUGHT, 1.0)[original.index]
    said = words_on(view)
    assert (
        f"The hard label keeps “fun” alone, to which the teacher gives {percent(share, 1)}" in said
    )
    tagged = [one for one in view.page.page.spots if "hard label" in one.words]
    assert {one.words.splitlines()[0] for one in tagged} <= {"fun", "hard label"}
    nobody_knows = answers.soft(replace(answers.targets(), original=None))
    view.show_result(nobody_knows, answers.DOCUMENT)
    assert "hard label" not in words_on(view).lower()
    assert not [one for one in view.page.page.spots if "hard label" in one.words.lower()]


def test_swapping_is_an_option(view, qtbot):
    with qtbot.waitSignal(view.option_changed) as changed:
        view.bar.fields[SWAPPED].click()
    assert changed.args == [SWAPPED, True]
    with qtbot.waitSignal(view.option_changed) as changed:
        view.bar.fields[SWAPPED].click()
    assert changed.args == [SWAPPED, None]


def test_table_and_caption_go_with_what_is_seen(view):
    document = answers.DOCUMENT.with_option(TEMPERATURE, 3.5)
    view.set_document(document)
    view.show_result(answers.soft(), document, Origin("2026-01-01", models=answers.MODELS))
    table = view.table()
    at = table.columns.index("temperature")
    assert sorted({row[at] for row in table.rows}) == [1.0, 2.0, 3.5, 4.0, 8.0]
    for said in (view.caption(), view.caption(rows=True, in_file=True)):
        assert "Student: tinybert-miniature (family tinybert, fingerprint fedcba987654" in said
        assert "Temperature = 3.5" in said
    view.clear()
    assert (view.table(), view.figure(500, theme_of("light")), view.caption()) == (None, None, "")
    assert view.page.page is None


def test_rows_keep_their_columns_apart():
    names = ("Teacher", "Student")
    word = ComparedWord("unbelievably" * 3, (0.00001, 0.99999), (30_000, 1), HARD_LABEL)
    rows = [row_of(word, names)]
    for width in (380.0, 600.0, 1200.0):
        block = words_table(rows, names, axis_of(rows), rows).at(width)
        word, *columns = block.spots[-1].cells
        edges = [word.box.right(), block.x_of(0.0), block.x_of(1.0)]
        edges += [edge for one in columns for edge in (one.box.left(), one.box.right())]
        assert edges == sorted(edges)
        assert block.x_of(1.0) - block.x_of(0.0) >= 30


def test_every_step_of_the_slider_is_drawn_from_the_scores_that_are_held(view, qapp):
    view.show_result(answers.soft(), answers.DOCUMENT)
    columns = view.table().columns
    at, teacher = columns.index("temperature"), columns.index("teacher")
    for step in range(300, 700, 100):
        slider(view).slider.setValue(step)
        qapp.processEvents()
        now = slider(view).value_at(step)
        drawn = [row[teacher] for row in view.table().rows if row[at] == now]
        assert max(drawn) == pytest.approx(max(softened(answers.TAUGHT, now)), rel=1e-4)


def test_a_pinned_student_stands_beside_the_one_of_now(view):
    view.show_result(answers.soft(), answers.DOCUMENT, Origin("2026-01-01", models=answers.MODELS))
    view.pin()
    other = answers.targets()
    moved = replace(other, student=(answers.LEARNT + np.float32([0, 2, 0, 0, 0, 0, 0])))
    view.show_result(answers.soft(moved), answers.DOCUMENT)
    p = softened(answers.TAUGHT, 1.0)
    then, now = softened(answers.LEARNT, 1.0), softened(moved.student, 1.0)
    fun = next(s for s in view.page.page.spots if s.key == ("word", 4, "fun"))
    assert f"Pinned: {then[1]:.4f}; now {signed(now[1] - then[1])}" in fun.words
    table = view.table()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    row = next(row for row in rows if row["word"] == "fun" and row["temperature"] == 1.0)
    assert row["pinned_student"] == pytest.approx(then[1])
    assert row["change_of_student"] == pytest.approx(now[1] - then[1])
    entropy, _, _, divergence = charts(view)
    assert [one.name for one in entropy.series] == ["teacher", "student", "student, pinned"]
    place = 20
    t = float(divergence.series[0].x[place])
    p, q = softened(answers.TAUGHT, t), softened(answers.LEARNT, t)
    expected = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    assert divergence.series[-1].y[place] == pytest.approx(expected, rel=1e-6)
    pinned_said = view.caption().partition("Compared with the pinned answer: ")[2]
    assert "Teacher: bert-miniature" in pinned_said
    assert "Student: tinybert-miniature" in pinned_said
    assert view.figure(600, theme_of("dark")).height > 0
    view.unpin()
    assert "pinned_student" not in view.table().columns
    assert "pinned" not in view.caption()


def test_the_rest_of_a_bar_is_named_in_the_readers_language(speak):
    rows = [ComparedWord("others", (0.6, 0.5), (1, 1))]
    speak("ko", others="나머지")
    words = [(one.text, one.is_rest) for one in shares_of(rows, teacher=True)]
    assert words == [("others", False), ("나머지", True)]

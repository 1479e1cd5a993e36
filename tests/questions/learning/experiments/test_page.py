"""The page of a claim: dots of its runs, the interval, and what a paper printed beside them."""

from dataclasses import replace

import pytest

from explorer.document import Document
from explorer.learning.experiments.definition import PublishedWays
from explorer.learning.experiments.findings import ClaimVerdict
from explorer.questions.learning.experiments.compute import answer
from explorer.questions.learning.experiments.dots import chart, round_numbers
from explorer.questions.learning.experiments.page import buttons, newest
from explorer.questions.learning.experiments.parts import WayDots, parts
from explorer.questions.learning.experiments.question import SURE, ClaimMade
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.charts.description import Line, Points
from tests.made_experiments import experiment, results
from tests.ui.pages import kind_of, words_on

OLD, NEW = (0.52, 0.61, 0.43), (0.41, 0.51, 0.32)


@pytest.fixture(scope="module")
def answered():
    printed = PublishedWays("GLUE", "Nobody 2026, table 1", "2026-11", {"old": 80.0, "new": 81.5})
    made = results({"old": OLD, "new": NEW})
    return answer(replace(experiment(), published=(printed,)), made)


def dots_of(result):
    cards = next(one for one in parts(result) if hasattr(one, "cards"))
    return [one for card in cards.cards for one in card.parts if isinstance(one, WayDots)]


def test_a_dot_is_a_run_and_the_line_its_interval(answered):
    drawn = chart(dots_of(answered)[0])
    assert drawn.title == "excess loss, nats"
    assert [row.title for row in drawn.rows] == ["the old way", "the new way"]
    runs = [one for one in drawn.series if isinstance(one, Points) and len(one.x) == 3]
    assert [sorted(one.x) for one in runs] == [sorted(OLD), sorted(NEW)]
    assert runs[0].words[0] == "the old way, seed 0: 0.520 nats"
    old, new = answered.of("excess")
    lines = [one for one in drawn.series if isinstance(one, Line)]
    assert [tuple(one.x) for one in lines] == [(old.low, old.high), (new.low, new.high)]
    # The first way stands at the top, and each line where its name does.
    assert [row.y for row in drawn.rows] == [1.0, 0.0] == [one.y[0] for one in lines]
    assert drawn.x.low < min(old.low, new.low)
    assert drawn.x.high > max(old.high, new.high)


def test_what_a_paper_printed_has_a_scale_of_its_own(answered):
    ours, printed = map(chart, dots_of(answered))
    assert printed.title == "GLUE"
    assert (printed.x.low, printed.x.high) != (ours.x.low, ours.x.high)
    assert 79.0 < printed.x.low < 80.0
    assert not [one for one in printed.series if isinstance(one, Line)]


def test_the_page_says_claim_verdict_and_what_cannot_be_shown(shown, answered):
    view = shown(kind_of("experiments"))
    view.show_result(answered, Document(""))
    said = words_on(view)
    for words in (
        "New is better.",
        "Our runs bear the claim out.",
        "It shows nothing.",
        "Published: Nobody 2026, table 1, 2026-11.",
    ):
        assert words in said
    (table,) = (one for one in view.declared.blocks(view.shown()) if isinstance(one, BarTable))
    assert table.rows[0].cells[0] == "−0.107"


def made(status, **changes):
    nothing = (0, 6, 0, 12, None, ClaimVerdict.NOTHING, (), ())
    return replace(ClaimMade("short", status, *nothing), **changes)


def chips_of(view, result, now=None):
    view.show_result(result, now or Document(""))
    if now is not None:
        view.set_document(now)
    shown = view.shown()
    return {chip.words: chip.act for block in buttons(shown) for chip in block.chips}


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("waiting", ["Pause", "Cancel the training"]),
        ("training", ["Pause", "Cancel the training"]),
        ("paused", ["Take up again", "Delete…"]),
        ("stopped", ["Take up again", "Delete…"]),
        ("failed", ["Take up again", "Delete…"]),
        ("done", ["Delete…"]),
    ],
)
def test_each_state_has_its_buttons(shown, answered, status, words):
    result = replace(answered, here=made(status), seconds=200.0, looked=1)
    chips = chips_of(shown(kind_of("experiments")), result)
    assert list(chips) == words
    act = chips.get("Pause")
    assert act is None or (act.request.act, act.request.train) == ("pause", False)


def test_runs_are_deleted_in_two_steps(shown, answered):
    view = shown(kind_of("experiments"))
    result = replace(answered, here=made("paused"), seconds=200.0, looked=1)
    now = chips_of(view, result)["Delete…"].on(Document(""))
    chips = chips_of(view, result, now)
    assert chips["Delete the runs made here for good"].request.act == "delete"
    assert SURE.of(chips["Keep them"].on(now)) == ""


def test_it_only_looks_until_somebody_tries_it(shown, answered):
    view = shown(kind_of("experiments"))
    chips = chips_of(view, replace(answered, seconds=200.0, looked=1))
    assert list(chips) == ["Try it here"]
    assert not view.request_of(Document("")).train
    view.act(chips["Try it here"])
    assert view.request_of(Document("")).train
    other = Document("").with_option("experiments.claim", "size")
    assert not view.request_of(other).train
    # What was found out is asked for again when the page is seen again.
    assert not view.keeps(answered)
    assert not chips_of(view, replace(answered, seconds=None, looked=1))


def test_the_page_shows_what_the_last_deed_left(shown, answered):
    view = shown(kind_of("experiments"))
    result = replace(answered, here=made("training"), seconds=200.0, looked=1)
    detail = chips_of(view, result)["Pause"]
    later = replace(result, here=made("paused"), looked=5)
    of = replace(view.shown(), details={detail: later})
    assert newest(of).result is later
    assert newest(replace(of, details={detail: replace(later, looked=0)})).result is result


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((0.28, 0.52), (0.3, 0.4, 0.5)),
        ((56.0, 93.0), (60.0, 70.0, 80.0, 90.0)),
        ((78.27, 78.73), (78.4, 78.6)),
        ((0.0, 1.0), (0.0, 0.5, 1.0)),
    ],
)
def test_a_chart_has_round_numbers_however_narrow(ends, expected):
    assert round_numbers(*ends) == pytest.approx(expected)


def test_a_scale_has_two_numbers_or_more():
    for n in range(1, 400):
        low, high = 0.137 * n, 0.137 * n + 0.0031 * (1 + n % 37)
        found = round_numbers(low, high)
        assert 2 <= len(found) <= 5
        assert low - 1e-9 <= found[0] < found[-1] <= high + 1e-9

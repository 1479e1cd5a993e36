"""What a page can't be drawn without: asked for once, drawn when all of it has come."""

import pytest

from explorer.api.question import Blame, Detail, Failure, ModelStamp
from explorer.ui.views.wanted_details import KEPT, WantedDetails

STAMP = ModelStamp("bert", "bert", "0" * 32, "cpu", "float32")
GONE = Failure(Blame.USER, "bert is not loaded any more.")


def head(name, lane="now"):
    return Detail(name, STAMP, lane)


@pytest.fixture
def asked():
    return []


@pytest.fixture
def drawn():
    return []


@pytest.fixture
def parts(asked, drawn):
    return WantedDetails(asked.append, lambda: drawn.append(1))


def test_it_is_drawn_once_all_have_come(parts, asked, drawn):
    now, before = head("a"), head("b", "before")
    parts.fetch([now, before])
    assert asked == [now, before]
    parts.fetch([now, before])  # drawn anew for something else
    assert len(asked) == 2
    assert parts.take(now, 1)
    assert (drawn, parts.complete, parts.is_idle) == ([], (), False)
    parts.take(before, 2)
    assert (drawn, parts.complete, parts.is_idle) == ([1], (now, before), True)
    assert parts.known == {now: 1, before: 2}


def test_what_was_there_stays_until_what_is_wanted_now_has_come(parts, asked, drawn):
    first, second = head("a"), head("b")
    parts.fetch([first])
    parts.take(first, 1)
    parts.fetch([second])
    assert parts.complete == (first,)
    parts.fetch([first])  # back again, and nothing is asked
    assert (asked, parts.complete) == ([first, second], (first,))
    assert parts.take(second, 2)  # too late, and kept
    assert drawn == [1]
    parts.fetch([second])
    assert (asked, parts.complete) == ([first, second], (second,))


def test_what_cannot_be_had_is_asked_for_again_only_where_it_is_wanted_again(parts, asked, drawn):
    one = head("a")
    parts.fetch([one])
    parts.fail(one, GONE)
    assert (drawn, parts.complete, parts.known) == ([1], (one,), {one: GONE})
    parts.fetch([one])
    assert asked == [one]
    parts.try_again()
    assert asked == [one, one]
    parts.take(one, 1)
    assert parts.known == {one: 1}
    parts.try_again()
    assert asked == [one, one]


def test_who_answers_at_once_is_not_drawn_twice(asked, drawn):
    def want(detail):
        asked.append(detail)
        parts.take(detail, len(asked))

    parts = WantedDetails(want, lambda: drawn.append(1))
    parts.fetch([head("a"), head("b")])
    assert parts.complete == (head("a"), head("b"))
    assert drawn == []


def test_others_details_are_not_its_own(parts):
    parts.fetch([head("a")])
    assert not parts.take(head("a", "file"), 1)
    assert not parts.fail(head("a", "file"), GONE)


def test_only_so_many_are_kept(parts, asked):
    for number in range(KEPT + 1):
        parts.fetch([head(str(number))])
        parts.take(head(str(number)), number)
    parts.fetch([head("0")])
    assert asked[-1] == head("0")
    assert len(asked) == KEPT + 2


def test_what_came_for_another_answer_is_not_drawn_with_this_one(parts, asked, drawn):
    parts.belong_to("an answer")
    parts.fetch([head("a")])
    parts.take(head("a"), 1)
    parts.belong_to("an answer")
    assert parts.complete == (head("a"),)
    parts.belong_to("the next one")
    assert parts.complete == ()
    parts.fetch([head("b")])
    assert parts.complete == ()
    parts.belong_to("an answer")
    parts.fetch([head("a")])  # it was kept
    assert (asked, parts.complete) == ([head("a"), head("b")], (head("a"),))

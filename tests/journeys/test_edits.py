"""Edits by rule: chosen in the settings, then one put into the sentence, in the real window."""

import pytest

from explorer.questions.cause.edits.parts import RULES_ARE_ENGLISH
from explorer.questions.cause.edits.rules import EVERY_RULE
from tests.journeys.acting import answered, click_spot, newest
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]


def test_an_edit_by_rule_is_put_into_the_sentence(running, hands, paths, qtbot):
    click_page(running.window, "edits")
    view = answered(running, qtbot, "edits")
    assert RULES_ARE_ENGLISH not in words_on(view)
    running.bench.edits.set_option("edits.rule", EVERY_RULE)

    def by_rule(one):
        return bool(one.result.edits) and all(edit.rule for edit in one.result.edits)

    view = answered(running, qtbot, "edits", by_rule)
    assert newest(paths, "edits").request.rule == EVERY_RULE
    assert RULES_ARE_ENGLISH in words_on(view)
    edit = next(one for one in view.result.edits if one.rule == "number")
    old = view.result.words[edit.place]
    before = running.bench.edits.document.text
    click_spot(view, ("edit", edit.place, edit.put))
    hands.settle()
    text = running.bench.edits.document.text
    assert text == before[: old.start] + edit.put + before[old.end :]

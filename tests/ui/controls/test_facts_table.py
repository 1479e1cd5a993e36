from explorer.ui.controls.facts_table import facts_table
from explorer.ui.theme.schemes import current_theme


def test_each_fact_is_a_line_and_shown_literally():
    page = facts_table([("Piece", "<s> & more"), ("Position", "3")])
    assert page.count("<tr>") == 2
    assert "&lt;s&gt; &amp; more" in page
    assert current_theme().muted.name() in page


def test_no_facts_are_no_table():
    assert facts_table([]) == ""

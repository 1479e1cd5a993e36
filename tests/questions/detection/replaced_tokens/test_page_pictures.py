"""Nothing is painted outside a picture, on screen or exported, and every curve is drawn."""

import pytest

from explorer.questions.detection.cards import roc_card
from explorer.questions.detection.replaced_tokens.question import QUESTION
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.parts.cards import card_of
from explorer.ui.parts.looking import Looking
from explorer.ui.theme.schemes import theme_of
from tests.ui.pages import kind_of
from tests.ui.whole import is_whole

WIDTHS = (340, 760, 1200)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_loop(qtbot, judged, alone, document, width):
    view = kind_of("replaced_tokens")()
    qtbot.addWidget(view)
    for result in (judged, alone):
        view.show_result(result, document)
        is_whole(view.figure(width, theme_of("light")))


def test_the_parts_of_the_roc_card_stay_inside(qapp, judged, document):
    shown = Shown(judged, document, document)
    card = card_of(roc_card(judged.curve, judged.counts_at(0.5), 0.5), Looking(QUESTION, shown))
    for width in (200, 260, 420):
        is_whole(page_of([Columns((card,))], width).figure(theme_of("light")))

"""The picture in the letters of a large room: no word is cut, and all of it is seen at once."""

import pytest
from PySide6.QtGui import QImage

from explorer.architecture.sketch import sketch_of
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths
from explorer.ui.model_picture.board import Board
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import theme_of
from tests.ui.painted_texts import Recording

PAGE = 1560
"""Pixels across of a page in a window of 1600."""
MOST = 636
"""Pixels that the picture may take of it in presenter mode, in letters 1.75 times as large: of
1000, the page's title and tools, its heading with one line, and what to look at take the rest."""


@pytest.fixture
def large_letters(qapp):
    chrome.scale_font(qapp, 1.75)
    yield
    chrome.scale_font(qapp, 1.0)


@pytest.fixture(scope="module")
def bert():
    host = PluginHost(Paths.standard().bundled_plugins, entry_points=False)
    name = "google-bert/bert-base-uncased"
    family, one = next((f, p) for f, p in host.published if p.id == name)
    return host.family(family).blueprint(one.config, one.heads)


@pytest.mark.parametrize("width", [1000, PAGE])
def test_no_word_of_bert_base_is_cut_in_large_letters(large_letters, bert, width):
    board = Board(
        sketch_of(bert), bert.traits, width, lambda _roles, _stack: "", lambda _path: None
    )
    image = QImage(width, round(board.height) + 1, QImage.Format.Format_RGB32)
    painter = Recording(image)
    board.paint(painter, theme_of("light"))
    painter.end()
    texts = [text for _box, text in painter.texts]
    assert {"scores over the vocabulary", "the token embeddings", "dense, norm"} <= set(texts)
    assert [text for text in texts if "…" in text] == []


def test_bert_base_is_seen_whole_in_a_large_room(large_letters, bert):
    board = Board(sketch_of(bert), bert.traits, PAGE, lambda _roles, _stack: "", lambda _path: None)
    assert board.height <= MOST

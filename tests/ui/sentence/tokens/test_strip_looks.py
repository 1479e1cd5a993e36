import time

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLineEdit, QScrollArea

from explorer.api.question import LeftOut
from explorer.document import Document, Mask
from explorer.ui.sentence.tokens.strip import TokenStrip
from explorer.ui.theme.schemes import apply_theme, current_theme, theme_of, theme_signals
from tests.ui.sentence.tokens.strip_reading import (
    TEXT,
    centre,
    chars,
    index_of,
    is_blue,
    pixels,
    shown,
)

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_plain_words_can_be_masked_before_a_model_is_there(strip, qtbot):
    strip.set_plain_words(TEXT)
    with qtbot.waitSignal(strip.mask_toggled) as told:
        qtbot.mouseClick(strip, LEFT, pos=centre(strip, "unbelievable"))
    assert told.args == chars(TEXT, "unbelievable")
    assert strip.focus_index == index_of(strip, "unbelievable")


def test_masks_are_shown_at_once(full):
    masked = TEXT.with_mask(*chars(TEXT, "unbelievable"))
    full.set_masks(masked)
    assert [p.text for p in full.pieces if p.masked] == ["unbeli", "evable"]
    full.set_plain_words(masked)
    full.set_masks(TEXT)
    assert not any(p.masked for p in full.pieces)


def test_a_mask_looks_different_and_keeps_the_word_in_sight(full, cut):
    index = index_of(full, "waiter")
    theme = theme_of("light")
    plain = pixels(shown(full), full.box_of(index))
    masked = TEXT.with_mask(*chars(TEXT, "waiter"))
    full.set_tokens(cut(masked), None, masked)
    drawn = pixels(shown(full), full.box_of(index))
    assert theme.mask_fill.name() in drawn
    assert theme.mask_fill.name() not in plain
    assert full.pieces[index].text == "waiter"
    wide = full.box_of(index).width()
    bare = TEXT.with_text("The [MASK] brought unbelievable soup.")
    full.set_tokens(cut(bare), None, bare)
    assert full.box_of(index).width() < wide


def test_a_hidden_letter_is_in_sight_too(strip, cut):
    def is_grey(name):
        colour = QColor(name)
        spread = max(colour.getRgb()[:3]) - min(colour.getRgb()[:3])
        return spread < 30 and colour.lightness() < 140

    for text, hidden in (("a letter", True), ("[MASK] letter", False)):
        document = Document(text).with_mask(0, 1) if hidden else Document(text)
        strip.set_tokens(cut(document), None, document)
        assert strip.pieces[1].masked
        assert any(map(is_grey, pixels(shown(strip), strip.box_of(1)))) is hidden


def test_the_best_guess_stands_under_its_mask(full, cut):
    masked = TEXT.with_mask(*chars(TEXT, "waiter"))
    plain = full.heightForWidth(520)
    full.set_tokens(cut(masked), None, masked)
    below = full.box_of(2).translated(0, full.box_of(2).height() + 2)
    below.setHeight(10)
    assert not is_blue(pixels(shown(full), below))
    height = full.heightForWidth(520)
    full.set_predictions({2: "chef"})
    # Its room is there from the mask on: what stands below does not move when it comes.
    assert full.heightForWidth(520) == height > plain
    assert is_blue(pixels(shown(full), below))
    full.set_predictions({})
    assert full.heightForWidth(520) == height
    full.set_predictions({1: "not masked"})
    assert full.heightForWidth(520) == height


def test_the_tint_and_the_rail_of_the_second_text(full):
    theme = theme_of("light")
    image = shown(full)
    assert theme.pair_fill.name() in pixels(image, full.box_of(index_of(full, "smiled")))
    assert theme.pair_fill.name() not in pixels(image, full.box_of(index_of(full, "waiter")))


def test_unknown_tokens_are_underlined(strip, cut):
    document = Document("a 🍵 b")
    strip.set_tokens(cut(document), None, document)
    red = theme_of("light").danger.name()
    image = shown(strip)
    assert red in pixels(image, strip.box_of(index_of(strip, "🍵")))
    assert red not in pixels(image, strip.box_of(index_of(strip, "a")))


def test_what_the_model_does_not_see_is_said(full, cut):
    assert full.tail == ""
    before = full.layout_at(520).tail
    full.set_tokens(cut(TEXT), LeftOut(41, 12, 0, 4), TEXT)
    assert before is None
    assert full.tail.startswith("not seen by the model: 41 tokens")
    assert full.layout_at(520).tail is not None


def test_the_focus_token_keeps_its_place_when_a_mask_changes(full, cut):
    full.select(2)
    masked = TEXT.with_mask(*chars(TEXT, "waiter"))
    full.set_tokens(cut(masked), None, masked)
    assert full.focus_index == 2
    full.set_plain_words(masked)
    assert full.pieces[full.focus_index].text == "waiter"


def test_narrower_is_taller_and_scrolls(full, qtbot, cut):
    assert full.heightForWidth(200) > full.heightForWidth(520)
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    strip = TokenStrip()
    area.setWidget(strip)
    document = Document("word " * 300)
    strip.set_tokens(cut(document), None, document)
    area.resize(300, 120)
    area.show()
    qtbot.waitExposed(area)
    qtbot.waitUntil(lambda: strip.height() == strip.heightForWidth(strip.width()))
    assert strip.height() > 1000
    assert area.horizontalScrollBar().maximum() == 0
    strip.setFocus()
    qtbot.keyClick(strip, Qt.Key.Key_End)
    assert area.verticalScrollBar().value() > 900


def test_a_screen_reader_hears_the_focus_token(full, qtbot):
    assert full.accessibleName() == "Tokens"
    assert full.objectName() == "tokenStrip"
    full.select(index_of(full, "evable"))
    assert "evable" in full.accessibleDescription()
    assert "continues the word" in full.accessibleDescription()
    qtbot.keyClick(full, Qt.Key.Key_Left)
    assert full.accessibleDescription().startswith("unbeli")


def test_the_menu_of_a_token(full, qtbot):
    menu = full.menu(index_of(full, "evable"))
    actions = {action.objectName(): action for action in menu.actions()}
    with qtbot.waitSignal(full.mask_span) as told:
        actions["maskWord"].trigger()
    assert told.args == chars(TEXT, "unbelievable")
    assert not actions["unmaskAll"].isEnabled()
    with qtbot.waitSignal(full.mask_toggled) as told:
        actions["toggleMask"].trigger()
    assert told.args == chars(TEXT, "evable")
    special = {action.objectName(): action for action in full.menu(0).actions()}
    assert not special["toggleMask"].isEnabled()
    assert not special["editToken"].isEnabled()


def test_everything_can_be_unmasked_from_the_menu(full, qtbot):
    full.set_masks(TEXT.with_mask(0, 3))
    action = next(a for a in full.menu(2).actions() if a.objectName() == "unmaskAll")
    with qtbot.waitSignal(full.unmask_all):
        action.trigger()


def test_a_typed_mask_is_not_toggled_but_can_be_filled(strip, qtbot, cut):
    document = Document("a [MASK] b")
    strip.set_tokens(cut(document), None, document)
    with qtbot.assertNotEmitted(strip.mask_toggled):
        qtbot.mouseClick(strip, LEFT, pos=strip.box_of(2).center().toPoint())
        qtbot.keyClick(strip, Qt.Key.Key_M)
    qtbot.keyClick(strip, Qt.Key.Key_Return)
    editor = strip.findChild(QLineEdit, "tokenEditor")
    qtbot.keyClicks(editor, "cat")
    with qtbot.waitSignal(strip.replaced) as told:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert told.args == [2, 8, "cat", 0]


def test_both_schemes_are_painted(full, qapp):
    light = shown(full)
    apply_theme(qapp, "dark")
    assert shown(full) != light


def test_a_tooltip_tells_of_the_token(full, monkeypatch, qapp):
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QHelpEvent

    told = []
    where = "explorer.ui.sentence.tokens.canvas.QToolTip.showText"
    monkeypatch.setattr(where, lambda _at, text, _widget: told.append(text))
    point = centre(full, "evable")
    qapp.sendEvent(full, QHelpEvent(QEvent.Type.ToolTip, point, full.mapToGlobal(point)))
    start, end, _ = chars(TEXT, "evable")
    for line in ("Piece: ##evable", "Position: 6", f"Characters: {start} to {end} of the text"):
        assert line in told[0].splitlines()


def test_512_tokens_are_painted_and_hit_fast(strip, cut):
    document = Document("word " * 510)
    strip.set_tokens(cut(document), None, document)
    strip.resize(900, strip.heightForWidth(900))
    shown(strip)
    begin = time.perf_counter()
    shown(strip)
    # Far above what it takes, far below what 512 widgets would.
    assert time.perf_counter() - begin < 0.5
    assert strip.piece_at(strip.box_of(511).center().toPoint()) == 511


def test_an_empty_strip_says_what_to_do(strip, qtbot):
    strip.set_plain_words(Document(""))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_M, Qt.Key.Key_Return):
        qtbot.keyClick(strip, key)
    assert strip.focus_index is None
    assert theme_of("light").muted.name() in pixels(shown(strip), strip.rect().toRectF())


def test_masks_of_the_document_and_of_the_strip_agree(full, qtbot):
    document = TEXT
    full.mask_toggled.connect(lambda *span: full.set_masks(document.toggle_mask(*span)))
    qtbot.mouseClick(full, LEFT, pos=centre(full, "soup"))
    piece = full.pieces[index_of(full, "soup")]
    assert piece.masked
    assert Mask(piece.start, piece.end) == Mask(*chars(TEXT, "soup"))


def test_a_larger_font_makes_everything_larger(full, qapp):
    before, tall = qapp.font(), full.heightForWidth(520)
    larger = qapp.font()
    larger.setPointSizeF(before.pointSizeF() * 2)
    try:
        qapp.setFont(larger)
        theme_signals().changed.emit(current_theme())
        assert full.heightForWidth(520) > tall * 1.7
    finally:
        qapp.setFont(before)
        theme_signals().changed.emit(current_theme())
    assert full.heightForWidth(520) == tall

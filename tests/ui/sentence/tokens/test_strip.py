from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from explorer.document import Document
from explorer.ui.theme.schemes import theme_of
from tests.ui.sentence.tokens.strip_reading import TEXT, centre, chars, index_of, pixels, shown

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier


# ---- the mouse ----------------------------------------------------------------------------------


def test_a_click_masks_the_token(full, qtbot):
    selected, toggled = [], []
    full.selected.connect(selected.append)
    full.mask_toggled.connect(lambda *span: toggled.append(list(span)))
    qtbot.mouseClick(full, LEFT, pos=centre(full, "waiter"))
    assert selected == [2]
    assert toggled == [chars(TEXT, "waiter")]


def test_a_click_in_the_second_text_says_so(full, qtbot):
    with qtbot.waitSignal(full.mask_toggled) as told:
        qtbot.mouseClick(full, LEFT, pos=centre(full, "smiled"))
    assert told.args == chars(TEXT, "smiled", 1)


def test_a_click_masks_all_pieces_of_a_word_where_words_are_whole(full, qtbot):
    with qtbot.waitSignal(full.mask_toggled) as told:
        qtbot.mouseClick(full, LEFT, pos=centre(full, "brough"))
    assert told.args == chars(TEXT, "brough")
    full.whole_words = True
    with qtbot.waitSignal(full.mask_toggled) as told:
        qtbot.mouseClick(full, LEFT, pos=centre(full, "brough"))
    assert told.args == chars(TEXT, "brought")
    with qtbot.waitSignal(full.mask_toggled) as told:
        qtbot.mouseClick(full, LEFT, pos=centre(full, "waiter"))
    assert told.args == chars(TEXT, "waiter")


def test_a_drag_masks_whole_words_where_words_are_whole(full, qtbot):
    full.whole_words = True
    begin, end = centre(full, "waiter"), centre(full, "brough")
    qtbot.mousePress(full, LEFT, pos=begin)
    full.mouseMoveEvent(_drag(full, end))
    with qtbot.waitSignal(full.mask_span) as told:
        qtbot.mouseRelease(full, LEFT, pos=end)
    start, stop = chars(TEXT, "waiter")[0], chars(TEXT, "brought")[1]
    assert told.args == [start, stop, 0]


def test_w_masks_the_word_in_focus(full, qtbot):
    full.select(index_of(full, "brough"))
    with qtbot.waitSignal(full.mask_span) as told:
        qtbot.keyClick(full, Qt.Key.Key_W)
    assert told.args == chars(TEXT, "brought")
    full.select(0)
    with qtbot.assertNotEmitted(full.mask_span):
        qtbot.keyClick(full, Qt.Key.Key_W)


def test_special_tokens_are_selected_but_never_masked(full, qtbot):
    with qtbot.assertNotEmitted(full.mask_toggled), qtbot.waitSignal(full.selected) as told:
        qtbot.mouseClick(full, LEFT, pos=centre(full, "[CLS]"))
    assert told.args == [0]


def test_a_click_beside_the_tokens_selects_nothing(full, qtbot):
    qtbot.mouseClick(full, LEFT, pos=centre(full, "waiter"))
    with qtbot.assertNotEmitted(full.mask_toggled), qtbot.waitSignal(full.selected) as told:
        qtbot.mouseClick(full, LEFT, pos=QPoint(full.width() - 2, full.height() - 2))
    assert told.args == [None]


def test_a_drag_masks_the_span_and_shows_it_while_it_lasts(full, qtbot):
    before = shown(full)
    begin, end = centre(full, "waiter"), centre(full, "soup")
    qtbot.mousePress(full, LEFT, pos=begin)
    qtbot.mouseMove(full, end)
    full.mouseMoveEvent(_drag(full, end))
    assert full.selection == (index_of(full, "waiter"), index_of(full, "soup"))
    fill = theme_of("light").mask_fill.name()
    box = full.box_of(index_of(full, "brough"))
    assert fill in pixels(shown(full), box)
    assert fill not in pixels(before, box)
    with qtbot.assertNotEmitted(full.mask_toggled), qtbot.waitSignal(full.mask_span) as told:
        qtbot.mouseRelease(full, LEFT, pos=end)
    start, _, _ = chars(TEXT, "waiter")
    _, stop, _ = chars(TEXT, "soup")
    assert told.args == [start, stop, 0]
    assert full.selection is None


def _drag(strip, to):
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    where = to.toPointF()
    far = strip.mapToGlobal(to).toPointF()
    nothing = Qt.KeyboardModifier.NoModifier
    return QMouseEvent(QEvent.Type.MouseMove, where, far, LEFT, LEFT, nothing)


def test_an_answer_that_arrives_during_a_drag_does_not_end_it(full, qtbot, cut):
    qtbot.mousePress(full, LEFT, pos=centre(full, "waiter"))
    full.mouseMoveEvent(_drag(full, centre(full, "soup")))
    masked = TEXT.with_mask(0, 3)
    full.set_tokens(cut(masked), None, masked)
    with qtbot.waitSignal(full.mask_span) as told:
        qtbot.mouseRelease(full, LEFT, pos=centre(full, "soup"))
    assert TEXT.text[told.args[0] : told.args[1]] == "waiter brought unbelievable soup"


def test_other_tokens_end_a_drag(full, qtbot, cut):
    where = centre(full, "soup")
    qtbot.mousePress(full, LEFT, pos=centre(full, "waiter"))
    full.mouseMoveEvent(_drag(full, where))
    other = Document("Something else entirely, and shorter.")
    full.set_tokens(cut(other), None, other)
    with qtbot.assertNotEmitted(full.mask_span), qtbot.assertNotEmitted(full.mask_toggled):
        qtbot.mouseRelease(full, LEFT, pos=where)


def test_a_drag_that_comes_back_masks_nothing(full, qtbot):
    begin = centre(full, "waiter")
    qtbot.mousePress(full, LEFT, pos=begin)
    full.mouseMoveEvent(_drag(full, centre(full, "soup")))
    full.mouseMoveEvent(_drag(full, begin))
    with qtbot.assertNotEmitted(full.mask_span), qtbot.assertNotEmitted(full.mask_toggled):
        qtbot.mouseRelease(full, LEFT, pos=begin)


def test_a_double_click_takes_its_click_back_and_edits(full, qtbot):
    where = centre(full, "waiter")
    sent = []
    full.mask_toggled.connect(lambda *span: sent.append(list(span)))
    full.click_taken_back.connect(lambda *span: sent.append(["back", *span]))
    qtbot.mouseClick(full, LEFT, pos=where)
    qtbot.mouseDClick(full, LEFT, pos=where)
    assert sent == [chars(TEXT, "waiter"), ["back", *chars(TEXT, "waiter")]]
    editor = full.findChild(QLineEdit, "tokenEditor")
    assert editor.text() == "waiter"
    assert editor.selectedText() == "waiter"
    qtbot.keyClicks(editor, "chef")
    with qtbot.waitSignal(full.replaced) as told:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    start, end, part = chars(TEXT, "waiter")
    assert told.args == [start, end, "chef", part]


def test_shift_click_extends_the_selection(full, qtbot):
    qtbot.mouseClick(full, LEFT, pos=centre(full, "waiter"))
    with qtbot.assertNotEmitted(full.mask_toggled):
        qtbot.mouseClick(full, LEFT, SHIFT, centre(full, "soup"))
    assert full.selection == (index_of(full, "waiter"), index_of(full, "soup"))


# ---- the keyboard -------------------------------------------------------------------------------


def test_arrow_keys_move_through_all_tokens(full, qtbot):
    full.setFocus()
    heard = []
    full.selected.connect(heard.append)
    qtbot.keyClick(full, Qt.Key.Key_Right)
    qtbot.keyClick(full, Qt.Key.Key_Right)
    qtbot.keyClick(full, Qt.Key.Key_End)
    qtbot.keyClick(full, Qt.Key.Key_Right)
    qtbot.keyClick(full, Qt.Key.Key_Left)
    qtbot.keyClick(full, Qt.Key.Key_Home)
    last = len(full.pieces) - 1
    assert heard == [0, 1, last, last - 1, 0]


def test_up_and_down_go_to_the_nearest_token_of_the_next_line(full, qtbot):
    full.resize(300, 300)
    full.select(1)
    before = full.box_of(1)
    qtbot.keyClick(full, Qt.Key.Key_Down)
    below = full.box_of(full.focus_index)
    assert below.top() > before.top()
    assert below.left() < before.right()
    qtbot.keyClick(full, Qt.Key.Key_Up)
    assert full.box_of(full.focus_index).top() == before.top()
    qtbot.keyClick(full, Qt.Key.Key_Up)
    assert full.box_of(full.focus_index).top() == before.top()


def test_m_masks_the_focus_token(full, qtbot):
    full.select(2)
    with qtbot.waitSignal(full.mask_toggled) as told:
        qtbot.keyClick(full, Qt.Key.Key_M)
    assert told.args == chars(TEXT, "waiter")


def test_shift_and_arrows_select_a_span_that_m_masks_and_unmasks(full, qtbot, cut):
    full.select(2)
    qtbot.keyClick(full, Qt.Key.Key_Right, SHIFT)
    qtbot.keyClick(full, Qt.Key.Key_Right, SHIFT)
    assert full.selection == (2, 4)
    with qtbot.waitSignal(full.mask_span) as told:
        qtbot.keyClick(full, Qt.Key.Key_M)
    start, end, part = told.args
    masked = TEXT.with_mask(start, end, part)
    assert TEXT.text[start:end] == "waiter brought"
    full.set_tokens(cut(masked), None, masked)
    full.select(2)
    qtbot.keyClick(full, Qt.Key.Key_Right, SHIFT)
    with qtbot.assertNotEmitted(full.mask_span), qtbot.waitSignal(full.mask_toggled):
        qtbot.keyClick(full, Qt.Key.Key_M)


def test_escape_leaves_the_selection_first_and_then_the_token(full, qtbot):
    full.select(2)
    qtbot.keyClick(full, Qt.Key.Key_Right, SHIFT)
    qtbot.keyClick(full, Qt.Key.Key_Escape)
    assert full.selection is None
    assert full.focus_index == 3
    with qtbot.waitSignal(full.selected) as told:
        qtbot.keyClick(full, Qt.Key.Key_Escape)
    assert told.args == [None]


def test_enter_edits_and_escape_changes_nothing(full, qtbot):
    full.select(2)
    qtbot.keyClick(full, Qt.Key.Key_Return)
    editor = full.findChild(QLineEdit, "tokenEditor")
    qtbot.keyClicks(editor, "cook")
    with qtbot.assertNotEmitted(full.replaced):
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.isVisible()
    assert full.focus_index == 2


def test_the_editor_grows_with_its_text_and_stays_inside(full, qtbot):
    full.edit(index_of(full, "soup"))
    editor = full.findChild(QLineEdit, "tokenEditor")
    before = editor.width()
    qtbot.keyClicks(editor, "an unreasonably long replacement for one small word " * 3)
    assert editor.width() > before
    assert full.rect().contains(editor.geometry())


def test_special_tokens_have_no_editor(full, qtbot):
    full.select(0)
    qtbot.keyClick(full, Qt.Key.Key_Return)
    assert full.findChild(QLineEdit, "tokenEditor") is None


def test_copy_takes_the_users_characters(full, qtbot):
    full.select(2)
    qtbot.keyClick(full, Qt.Key.Key_Right, SHIFT)
    qtbot.keyClick(full, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "waiter brough"

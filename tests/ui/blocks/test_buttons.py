"""Buttons on a page: pressed by mouse and keys, said with their state, in lines that fit."""

from PySide6.QtCore import Qt

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.buttons import Button, Buttons
from explorer.ui.blocks.painted import PaintedPage

BUTTONS = (
    Button("c2c", "toggle c2c", "Content to content.", ("part", "c2c"), is_on=True),
    Button("c2p", "toggle c2p", "Content to position.", ("part", "c2p"), is_on=False),
    Button("All on", "all on", "Every part.", ("part", "all")),
    Button("Nothing", None, "Nothing can be done now."),
)


def test_they_act_and_say_whether_they_are_on(qtbot):
    page = PaintedPage("page")
    qtbot.addWidget(page)
    page.resize(600, 60)
    page.show_page(lambda width: page_of([Buttons(BUTTONS, "Switch off")], width))
    page.show()
    said = ["c2c, pressed", "c2p, not pressed", "All on", "Nothing"]
    assert [spot.said for spot in page.page.spots] == said
    told = []
    page.acted.connect(told.append)
    for spot in page.page.spots:
        qtbot.mouseClick(page, Qt.MouseButton.LeftButton, pos=spot.box.center().toPoint())
    assert told == ["toggle c2c", "toggle c2p", "all on"]
    page.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Space):
        qtbot.keyClick(page, key)
    assert told[-1] == "toggle c2p"


def test_they_never_stand_over_each_other_or_outside():
    for width in (90.0, 140.0, 220.0, 600.0):
        laid = Buttons(BUTTONS, "Switch off").at(width)
        boxes = [spot.box for spot in laid.spots]
        assert all(box.left() >= 0 and box.right() <= width for box in boxes)
        assert all(box.bottom() <= laid.height for box in boxes)
        assert not any(a.intersects(b) for a in boxes for b in boxes if a is not b)

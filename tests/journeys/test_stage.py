"""The bundled lecture in presenter mode: nothing fails, is cut or has to be scrolled to.

Every scene and every question with its longest input; with `--all` every step, at both sizes.
"""

from itertools import pairwise

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from explorer import lectures
from explorer.document import MASK_LITERAL
from explorer.paths import own_resources
from explorer.questions import all_questions
from explorer.text import language as languages
from explorer.ui.blocks.page.focus import focused
from explorer.ui.blocks.page.shown import masked_text
from explorer.ui.theme import chrome
from tests.journeys.acting import SLOW
from tests.ui.painted_texts import painted_texts

pytestmark = pytest.mark.usefixtures("warm_engine")

LARGE, SMALL = (1920, 1080), (1280, 720)
SCENES = [scene.name for scene in lectures.bundled().scenes]
HAS_CARDS = {"masked_tokens", "exact_answers", "disentangled_attention"}
"""Pages that show each mask among the words around it."""
PARTS = 2
"""Of the lecture, each played in a window of its own: workers share them, and open few."""


def typed(step):
    """How many characters of input a step has on the stage, at most."""
    return len(step.text) + len(step.pair or "") + sum(map(len, map(str, step.options.values())))


def told_apart():
    """A step of each scene and of each question: the one with the longest input; all with cards."""
    found = {(name, n): step for name in SCENES for n, step in enumerate(scene_of(name).steps)}
    longest = {}
    for place, step in found.items():
        for key in (place[0], step.question):
            longest[key] = max(longest.get(key, place), place, key=lambda one: typed(found[one]))
    cards = {place for place, step in found.items() if step.question in HAS_CARDS}
    return cards | set(longest.values())


def scene_of(name):
    return lectures.bundled().scene(name)


def letters():
    """Pixels of texts in widgets."""
    return QFontInfo(QApplication.font()).pixelSize()


@pytest.fixture(autouse=True)
def usual_size(qapp):
    """The size of texts is the application's: whoever comes next finds the usual one."""
    yield
    chrome.scale_font(qapp, 1.0)


@pytest.fixture
def language(request):
    """The texts in another language, and back."""
    before = languages.current()
    if request.param != before.code:
        languages.use(languages.find(request.param, own_resources() / "locale"))
    yield request.param
    languages.use(before)


@pytest.fixture
def stage(open_window, hands_of, qtbot):
    """Opens a window that presents the bundled lecture, and shows steps of it."""
    return Stage(open_window(), hands_of, qtbot)


@pytest.fixture
def hands_of():
    from explorer.tour.hands import Hands

    return Hands


class Stage:
    """A window in presenter mode."""

    def __init__(self, running, hands_of, qtbot):
        self.window, self.qtbot, self.usual = running.window, qtbot, letters()
        self.hands = hands_of(running.window)
        self.lecturing = running.window.lecture_actions.lecturing
        self.lecturing.begin()
        qtbot.waitUntil(lambda: self.lecturing.lecture is not None, timeout=SLOW)
        QTest.keyClick(self.window, Qt.Key.Key_F11, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(self.window.isFullScreen, timeout=SLOW)

    def show(self, name, number):
        scene = self.lecturing.lecture.scene(name)
        self.lecturing.show(scene, number)
        self.qtbot.waitUntil(lambda: self.lecturing.result is not None, timeout=SLOW)
        self.hands.settle()

    def fit(self, size):
        """Take a size, with the letters that belong to it."""
        self.window.resize(*size)
        self.qtbot.waitUntil(lambda: self.window.size().toTuple() == size)
        scale = self.window.presenting
        # A window that was resized waits until it is resized no more.
        self.qtbot.waitUntil(lambda: not scale._later.isActive())
        self.qtbot.waitUntil(lambda: letters() == round(self.usual * scale.scale))
        self.hands.settle()

    def check(self, place):
        faults = [one.notice for one in self.window.notices.bars if one.notice.level != "info"]
        assert not faults, (place, faults)
        lines = self.lines()
        asked = self.expected()
        assert list(lines) == asked, place
        for text, line in lines.items():
            assert line.height() >= line.heightForWidth(line.width()), (place, text)
            box = QRect(line.mapTo(self.window, line.rect().topLeft()), line.size())
            assert self.window.rect().contains(box), (place, text)

        self.check_stage(place)

    def check_stage(self, place):
        window, step = self.window, self.lecturing.at.step
        title, strip, view = window.stage_title, window.strip, window.current_view()
        self.qtbot.waitUntil(lambda: not view.area.verticalScrollBar().maximum(), timeout=SLOW)
        assert not window.view_area.frames[view.question].header.isVisible(), place
        for title_of in step.focus:
            assert focused(view.laid, [title_of]), (place, title_of)
        said = (title.title, strip.look, strip.claim.words)
        for one in said:
            assert one.height() >= one.heightForWidth(one.width()), (place, one.text())
            assert one.font().pixelSize() >= 0.027 * window.height(), (place, one.text())
        assert strip.look.font().pixelSize() >= 0.03 * window.height()
        shown = [one for one in (title, window.stage_input, window.view_area, strip)
                 if one.isVisible()]  # fmt: skip
        boxes = [QRect(one.mapTo(window, one.rect().topLeft()), one.size()) for one in shown]
        for above, below in pairwise(boxes):
            assert above.bottom() < below.top(), place
        assert window.rect().contains(boxes[-1]), place

    def lines(self):
        found = self.window.findChildren(QLabel)
        shown = [one for one in found if one.objectName().startswith("stage_line_")]
        return {one.text(): one for one in shown if one.isVisible()}

    def expected(self):
        document = self.window.bench.state.document
        question = all_questions()[self.lecturing.at.step.question]
        if not question.conditions:
            return []
        texts = [masked_text(document, 0, MASK_LITERAL)]
        if document.pair is not None:
            texts.append(masked_text(document, 1, MASK_LITERAL))
        typed = self.lecturing.at.step.options
        texts += [typed[key] for key in ("answer_span.question", "task_layout.choices")
                  if key in typed and key.startswith(question.name)]  # fmt: skip
        return texts

    def cut_on_page(self):
        """Texts that the page paints with an ellipsis in place of words of the input."""
        view = self.window.current_view()
        words = " ".join(self.expected()).lower()
        found = []
        for _box, text in painted_texts(view, view.page.width()):
            parts = [one.strip().lower() for one in text.split("…")]
            if len(parts) > 1 and any(len(one.split()) > 2 and one in words for one in parts):
                found.append(text)
        return found


@pytest.mark.parametrize("part", range(PARTS))
def test_no_step_fails_on_the_stage_and_its_input_is_there_whole(stage, part, request):
    stage.fit(LARGE)
    longest = (0, "", 0)
    some = told_apart()
    for name in SCENES[part::PARTS]:
        for number, step in enumerate(scene_of(name).steps):
            if (name, number) not in some and not request.config.option.all:
                continue
            stage.show(name, number)
            for size in (SMALL, LARGE) if request.config.option.all else ():
                stage.fit(size)
                stage.check((name, number + 1, size))
            stage.check((name, number + 1))
            if step.question in HAS_CARDS:
                assert not stage.cut_on_page(), (name, number + 1)
            longest = max(longest, (len("".join(stage.expected())), name, number))
    # A small stage has to be tried with the longest input alone, where most has to be wrapped.
    stage.fit(SMALL)
    stage.show(*longest[1:])
    stage.check(longest)


@pytest.mark.parametrize("language", ["en", "ko"], indirect=True)
def test_attention_has_its_colour_scale_in_the_largest_letters(language, stage):
    name = "query_key_value"
    stage.fit(LARGE)
    for number in range(len(scene_of(name).steps)):
        stage.show(name, number)
        stage.check((name, number + 1, language))

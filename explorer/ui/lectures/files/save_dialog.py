"""Save as scene: a title, what to look at, a claim, a chapter; the rest is what is on screen."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.lectures import Chapter
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.lectures.claims.claim_line import ClaimLine, verdict_said
from explorer.ui.lectures.claims.claiming import ClaimedAnswer, Claiming
from explorer.ui.lectures.claims.verdict import Judgement, Verdict
from explorer.ui.theme.text_roles import in_role

SENTENCES = 3
WIDE = 700


@dataclass(frozen=True)
class TypedScene:
    """What was written in the dialog.

    Attributes:
        title: The scene's.
        look: What to look at, a sentence each.
        chapter: The key of a chapter, or "".
        claim: What must hold, or "".
        claim_words: The same in words, or "".
    """

    title: str
    look: tuple[str, ...] = ()
    chapter: str = ""
    claim: str = ""
    claim_words: str = ""


@guarded
class SaveSceneDialog(QDialog):
    """The words of a scene, and what it claims.

    Signals:
        save_wanted: A Written.
    """

    save_wanted = Signal(object)

    def __init__(
        self,
        held: str,
        chapters: Sequence[Chapter],
        answer: ClaimedAnswer | None,
        claiming: Claiming,
        parent: QWidget,
    ) -> None:
        """A dialog without a title yet, and with a claim that the answer suggests.

        Args:
            held: What is saved besides, in words.
            chapters: Those of the lecture that is open.
            answer: What is on screen; None without an answer.
            claiming: Suggests and checks the claim.
            parent: The window.
        """
        super().__init__(parent)
        self.setObjectName("save_scene")
        self.setWindowTitle(_("Save as scene"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.heading = QLineEdit(self)
        self.heading.setObjectName("save_scene_title")
        self.heading.setPlaceholderText(_("What it shows, in a few words"))
        self.sentences = [self._sentence(number) for number in range(SENTENCES)]
        self.chapter = QComboBox(self)
        self.chapter.setObjectName("save_scene_chapter")
        self.chapter.setEditable(True)
        self.chapter.setToolTip(_("A chapter of the open lecture, or a name of your own"))
        self.chapter.addItem("", "")
        for chapter in chapters:
            if chapter.key:
                self.chapter.addItem(chapter.title(), chapter.key)
        self.claim = QLineEdit(self)
        self.claim.setObjectName("save_scene_claim")
        self.claim_words = QLineEdit(self)
        self.claim_words.setObjectName("save_scene_claim_words")
        self.claim_words.setPlaceholderText(_("The same in words, or nothing"))
        self.claim_words.setAccessibleName(_("The claim in words"))
        self.verdict = ClaimLine(self)
        self.verdict.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._told = Judgement(Verdict.NONE)
        self._answer, self._claiming = answer, claiming
        self._begin_claim()
        fields = QFormLayout()
        fields.addRow(_("&Title"), self.heading)
        for number, sentence in enumerate(self.sentences):
            fields.addRow(_("&Look at") if not number else "", sentence)
            sentence.setAccessibleName(_("What to look at, sentence {number}", number=number + 1))
        fields.addRow(_("Cla&im"), self.claim)
        fields.addRow("", self.verdict)
        fields.addRow("", self.claim_words)
        fields.addRow(_("&Chapter"), self.chapter)
        self.held = plain_label(self, held)
        self.held.setObjectName("save_scene_held")
        self.held.setWordWrap(True)
        in_role(self.held, "small")
        self.buttons = QDialogButtonBox(self)
        self.save = self.buttons.addButton(_("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.save.clicked.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        self.heading.textChanged.connect(self._enable)
        column = QVBoxLayout(self)
        column.addLayout(fields)
        column.addWidget(self.held)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self._enable()
        self.resize(WIDE, self.sizeHint().height())

    @property
    def chosen_chapter(self) -> str:
        """The key of a chapter that was chosen, or what was typed."""
        typed = self.chapter.currentText().strip()
        found = self.chapter.findText(typed, Qt.MatchFlag.MatchExactly)
        return str(self.chapter.itemData(found)) if found >= 0 else typed

    def _sentence(self, number: int) -> QLineEdit:
        made = QLineEdit(self)
        made.setObjectName(f"save_scene_look_{number}")
        made.setPlaceholderText(
            _("What to look at, a sentence") if not number else _("Another sentence, or nothing")
        )
        return made

    def _begin_claim(self) -> None:
        if self._answer is None:
            self.claim.setPlaceholderText(_("There is no answer on screen to claim anything of"))
            self.claim.setEnabled(False)
            self.claim_words.setEnabled(False)
        else:
            self.claim.setPlaceholderText(_("What must hold of the answer, or nothing"))
            self.claim.setToolTip(plain_tip(_("An inequality over the answer's numbers")))
            self._claiming.suggested.connect(self._take_suggested)
            self._claiming.checked.connect(self._take_checked)
            self._claiming.suggest(self._answer)
            self.finished.connect(self._claiming.forget)
        self.claim.textChanged.connect(self._claim_edited)
        self.claim.textEdited.connect(self._forget_words)
        self.verdict.show_claim("", self._told)

    def _take_suggested(self, claim: str, words: str) -> None:
        """A class reads words: whoever leaves both alone shows none of the claim's signs."""
        if self.claim.isModified():
            return
        self.claim.setText(claim)
        self.claim.setCursorPosition(0)
        if not self.claim_words.isModified():
            self.claim_words.setText(words)
            self.claim_words.setCursorPosition(0)

    def _forget_words(self) -> None:
        """Those that were suggested are of another claim."""
        if not self.claim_words.isModified():
            self.claim_words.clear()

    def _claim_edited(self, text: str) -> None:
        claim = text.strip()
        self._tell(Judgement(Verdict.WAITING if claim else Verdict.NONE))
        if self._answer is not None and claim:
            self._claiming.check(claim, self._answer)

    def _take_checked(self, claim: str, told: Judgement) -> None:
        if claim == self.claim.text().strip():
            self._tell(told)

    def _tell(self, told: Judgement) -> None:
        self._told = told
        values = told.values if told.verdict is Verdict.HOLDS else ""
        shown = Judgement(told.verdict, told.why or values, told.values)
        self.verdict.show_claim(verdict_said(told.verdict), shown)
        self._enable()

    def _enable(self) -> None:
        """A scene without a title could not be found again, nor one be kept that is not so."""
        why_not = ""
        if not self.heading.text().strip():
            why_not = _("Write a title first")
        elif self._told.verdict is Verdict.WAITING:
            why_not = _("The claim is being checked")
        elif self._told.verdict not in (Verdict.NONE, Verdict.HOLDS):
            why_not = _("Correct the claim first, or leave it out")
        self.save.setEnabled(not why_not)
        self.save.setToolTip(plain_tip(why_not))

    def _save(self) -> None:
        looks = tuple(one.text().strip() for one in self.sentences if one.text().strip())
        claim = self.claim.text().strip()
        self.save_wanted.emit(
            TypedScene(
                self.heading.text().strip(),
                looks,
                self.chosen_chapter,
                claim,
                self.claim_words.text().strip() if claim else "",
            )
        )

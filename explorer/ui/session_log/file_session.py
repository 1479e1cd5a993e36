"""Asks every sentence of a file into a session of the file's name, one after the other."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.question import ExplorerError, Failure
from explorer.api.question.roles import RoleBinding
from explorer.files_of_sentences.options import KINDS
from explorer.files_of_sentences.sentences import (
    FileSentence,
    count_sentences,
    read_sentences,
)
from explorer.questions import all_questions
from explorer.questions.many.file_of_sentences.casting import finds_entities
from explorer.questions.many.file_of_sentences.question import template_of
from explorer.sessions.log.batch_log import BatchLog
from explorer.sessions.log.log import SessionLog
from explorer.sessions.records import LoggedRun
from explorer.text import N_, NN_, Phrase, _
from explorer.ui.notices.notices import Notice
from explorer.ui.runs.ask_and_log import FILE_LANE, Callbacks, RunRequest, ask_and_log

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow

KEY = "file_session"


class FileSession(QObject):
    """One file at a time; stopped or killed, the same file goes on where it was.

    Signals:
        ended: The number of sentences that were asked this time.
    """

    ended = Signal(int)

    def __init__(self, window: "HostWindow") -> None:
        super().__init__(window)
        self._window = window
        self._bench = window.bench
        self._filing: BatchLog | None = None
        self._log: SessionLog | None = None
        self._sentences: Iterator[FileSentence] = iter(())
        self._cast: RoleBinding = {}
        self._name = ""
        self._count = self._asked = self._failed = 0

    def move_to(self, window: "HostWindow") -> None:
        """Go on in a window that takes this one's place."""
        self.setParent(window)
        self._window = window

    @property
    def is_running(self) -> bool:
        """Whether a file is being asked."""
        return self._filing is not None

    def pick(self) -> None:
        """Ask for a file and begin."""
        self._window.dialogs.file(_("Ask every sentence of a file"), _(KINDS), self.begin)

    def begin(self, path: Path) -> None:
        """Ask the view that was used last about every sentence the file's session lacks."""
        self.stop()
        models, document = self._bench.models, self._bench.state.document
        view = self._window.current_view()
        question = all_questions()[view.question] if view is not None else None
        if question is not None and not question.reads_text:
            self._window.notifications.say(
                KEY,
                _("This page asks nothing of a sentence."),
                _("Show one that does."),
            )
            return
        self._cast = (
            {} if question is None else question.cast(models.cards, models.active, document)
        )
        played = models.stamps_of(self._cast)
        card = models.cards.get(next(iter(self._cast.values()), ""))
        if question is None or card is None or question.name not in card.operations:
            self._window.notifications.say(
                KEY,
                Phrase(N_("The model does not answer this page's question.")),
                Phrase(N_("Load one that does.")),
            )
            return
        if len(played) < len(self._cast):
            self._window.notifications.say(
                KEY,
                Phrase(N_("This question takes two models.")),
                Phrase(N_("Load the second one.")),
            )
            return
        database = self._bench.folders.sessions
        by_name = finds_entities(question, document, models.cards, models.active)
        asked = template_of(question, document, by_name=by_name)
        try:
            self._count = count_sentences(path)
            filing = BatchLog(database, path.name, question, document, played, asked)
            self._sentences = filing.remaining(read_sentences(path))
            first = next(self._sentences, None)
        except ExplorerError as error:
            self._window.notifications.failure(KEY, Failure.of(error))
            return
        self._filing, self._name = filing, path.name
        self._asked = self._failed = 0
        if first is None:
            self._end(
                Phrase(
                    N_("Every sentence of {name} has its answer in the log already."),
                    name=path.name,
                )
            )
            return
        self._log = SessionLog(database, path.name)
        self._ask(first)

    def stop(self) -> None:
        """End; what was answered is in the log."""
        if self.is_running:
            self._bench.bridge.forget(FILE_LANE)
            self._end(
                Phrase(
                    NN_(
                        "{name} was stopped after {count} sentence.",
                        "{name} was stopped after {count} sentences.",
                    ),
                    count=self._asked,
                    name=self._name,
                ),
                Phrase(N_("The same file goes on from there.")),
            )

    def close(self) -> None:
        """The window closes: write what waits."""
        self._filing = None
        if self._log is not None:
            self._log.close()
            self._log = None

    def _ask(self, sentence: FileSentence) -> None:
        assert self._filing is not None
        self._window.notices.tell(
            Notice(
                KEY,
                Phrase(
                    N_("Asking {name} into the log: sentence {number} of {all}."),
                    name=self._name,
                    number=sentence.number,
                    all=self._count,
                ),
                actions=((N_("Stop"), self.stop),),
                # The run goes on in the next window.
                outlives_window=True,
            )
        )
        ask_and_log(
            self._bench.bridge,
            FILE_LANE,
            RunRequest(
                self._filing.question,
                self._filing.document(sentence),
                self._filing.request(sentence),
                self._cast,
                self._filing.models,
            ),
            self._record,
            Callbacks(
                answered=lambda _run, _origin: self._go_on(),
                failed=lambda _failure: self._go_on(failed=1),
                stopped=self.stop,
                lost=lambda why: self._end(
                    Phrase(N_("{name} was interrupted: {why}"), name=self._name, why=why),
                    Phrase(N_("Ask it again.")),
                ),
            ),
        )

    def _record(self, run: LoggedRun, then: Callable[[str], None]) -> None:
        if self._log is not None:
            # What is written at once or later is all the same here: nothing of it is shown.
            self._log.record(run, lambda _problem: None)
            then("")

    def _go_on(self, failed: int = 0) -> None:
        self._failed += failed
        self._asked += 1
        # Not from within the reply: a long file must not nest one answer in the other.
        QTimer.singleShot(0, self, self._next)

    def _next(self) -> None:
        if not self.is_running:
            return
        sentence = next(self._sentences, None)
        if sentence is not None:
            self._ask(sentence)
            return
        told = Phrase(
            NN_(
                "{count} sentence of {name} is in the log.",
                "{count} sentences of {name} are in the log.",
            ),
            count=self._asked,
            name=self._name,
        )
        if self._failed:
            refused = Phrase(
                NN_("{count} could not be answered.", "{count} could not be answered."),
                count=self._failed,
            )
            told = Phrase.joined((told, refused))
        self._end(told)

    def _end(self, sentence: str, hint: str = "") -> None:
        self.close()
        self._window.notifications.say(KEY, sentence, hint)
        self._window.log.refresh()
        self.ended.emit(self._asked)

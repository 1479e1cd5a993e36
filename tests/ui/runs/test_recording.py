from explorer.document import Document
from explorer.questions.tokenizers.tokens.question import QUESTION
from explorer.sessions.records import LoggedRun
from explorer.ui.runs.recording import Recording

RUN = LoggedRun(QUESTION, Document("x"), None, None)


class Log:
    def __init__(self, problem=""):
        self.problem = problem
        self.problem_changed = None
        self.waiting = []
        self.is_closed = False

    def record(self, _run, on_written):
        self.waiting.append(on_written)
        return f"RUN{len(self.waiting)}"

    def close(self):
        self.is_closed = True


def test_a_run_is_told_on_the_windows_thread_once_it_is_written(qtbot):
    log, told = Log(), []
    recording = Recording(log)
    recording.record(RUN, told.append)
    assert told == []
    with qtbot.waitSignal(recording.written) as written:
        log.waiting[0](None)
        assert told == []
    assert told == ["RUN1"]
    assert written.args == ["RUN1"]


def test_one_that_could_not_be_written_has_no_id(qtbot):
    log, told = Log(), []
    recording = Recording(log)
    recording.record(RUN, told.append)
    log.waiting[0]("The disk is full.")
    qtbot.waitUntil(lambda: told == [""])


def test_while_the_log_has_a_problem_nobody_waits_for_it(qapp):
    log, told = Log(problem="The disk is full."), []
    recording = Recording(log)
    recording.record(RUN, told.append)
    assert told == [""]
    assert len(log.waiting) == 1  # it is still handed over, for when there is room again


def test_problems_are_told_and_the_end_of_them_too(qtbot):
    log = Log()
    recording = Recording(log)
    for problem in ("The disk is full.", ""):
        with qtbot.waitSignal(recording.problem_changed) as told:
            log.problem_changed(problem)
        assert told.args == [problem]


def test_a_problem_from_before_is_told(qtbot):
    recording = Recording(Log("Damaged."))
    with qtbot.waitSignal(recording.problem_changed) as told:
        pass
    assert told.args == ["Damaged."]


def test_without_a_log_everything_goes_on(qapp):
    told = []
    recording = Recording(None)
    recording.record(RUN, told.append)
    assert told == [""]
    recording.close()


def test_after_close_nothing_is_called_back(qapp):
    log, told = Log(), []
    recording = Recording(log)
    recording.record(RUN, told.append)
    recording.close()
    log.waiting[0](None)
    qapp.processEvents()
    assert told == []
    assert log.is_closed


def test_a_disk_slower_than_one_s_patience_still_tells_when_it_is_written(qtbot, monkeypatch):
    monkeypatch.setattr("explorer.ui.runs.recording.PATIENCE_MS", 1)
    log, told, written = Log(), [], []
    recording = Recording(log)
    recording.written.connect(written.append)
    recording.record(RUN, told.append)
    qtbot.waitUntil(lambda: told == ["RUN1"])
    assert written == []
    log.waiting[0](None)
    qtbot.waitUntil(lambda: written == ["RUN1"])
    assert told == ["RUN1"]

"""What is wrong with the session log is said in the reader's language."""

from explorer.sessions.log.log import SessionLog
from explorer.ui.runs.recording import Recording

KOREAN = {
    "The session database was damaged: it is kept as {old}, and a new one was begun as {new}.": (
        "{old}(으)로 보관하고 {new}(으)로 시작했습니다."
    ),
    "No run could be read from the damaged one.": "읽을 수 있는 실행이 없습니다.",
}


def test_a_damaged_log_is_told_in_the_language(qtbot, tmp_path, speak):
    speak("ko", **KOREAN)
    path = tmp_path / "sessions.db"
    path.write_bytes(b"SQLite format 3\0" + b"?" * 5000)
    log = SessionLog(path, "window")
    recording = Recording(log)
    told = []
    recording.problem_changed.connect(told.append)
    qtbot.waitUntil(lambda: any("읽을 수 있는 실행이 없습니다." in one for one in told))
    assert told[-1].endswith("sessions.db로 시작했습니다. 읽을 수 있는 실행이 없습니다.")
    recording.close()


def test_in_english_it_is_as_it_was(tmp_path):
    path = tmp_path / "sessions.db"
    path.write_bytes(b"SQLite format 3\0" + b"?" * 5000)
    with SessionLog(path, "window") as log:
        assert log.opened.wait(5)
    assert log.problem.startswith("The session database was damaged: it is kept as sessions-")
    assert log.problem.endswith("begun as sessions.db. No run could be read from the damaged one.")

import errno
import pickle

import pytest

from explorer.api.family import NeedsConsent
from explorer.api.question import (
    Blame,
    CheckpointFault,
    ExplorerError,
    Failure,
    MachineFault,
    PluginFault,
    Unavailable,
    UserMistake,
)
from explorer.text import Phrase, said


def raised(error):
    try:
        raise error
    except type(error) as caught:
        return caught


@pytest.mark.parametrize(
    ("kind", "blame"),
    [
        (UserMistake, Blame.USER),
        (NeedsConsent, Blame.USER),
        (Unavailable, Blame.USER),
        (CheckpointFault, Blame.CHECKPOINT),
        (PluginFault, Blame.PLUGIN),
        (MachineFault, Blame.MACHINE),
        (ExplorerError, Blame.BUG),
    ],
)
def test_expected_failures_say_whose_they_are(kind, blame):
    failure = Failure.of(raised(kind("It is so.", "Do this.")))
    assert (failure.blame, failure.message, failure.hint) == (blame, "It is so.", "Do this.")
    assert failure.kind == kind.__name__
    assert bool(failure.traceback) == (blame is not Blame.USER)


def test_anything_else_is_a_bug_with_its_traceback():
    failure = Failure.of(raised(ZeroDivisionError("by zero")))
    assert failure.blame is Blame.BUG
    assert "ZeroDivisionError: by zero" in failure.message
    assert "def raised" not in failure.message
    assert "Traceback" in failure.traceback
    assert "(ValueError)" in Failure.of(ValueError()).message


class OutOfMemoryError(RuntimeError):
    """Named as torch's."""


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OutOfMemoryError("CUDA out of memory"),
        RuntimeError("CUDA error: out of memory"),
        RuntimeError("MPS backend out of memory (MPS allocated: 8.90 GB)"),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        RuntimeError("can't start new thread"),
        RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory"),
        ImportError("libtorch_cpu.so: failed to map segment from shared object"),
    ],
)
def test_out_of_memory_is_the_machines(error):
    failure = Failure.of(raised(error))
    assert failure.blame is Blame.MACHINE
    assert "not enough memory" in failure.message


def test_errors_and_failures_cross_processes():
    error = pickle.loads(pickle.dumps(NeedsConsent("message", "hint")))
    assert (type(error), error.message, error.hint) == (NeedsConsent, "message", "hint")
    failure = Failure.of(error)
    assert pickle.loads(pickle.dumps(failure)) == failure


def test_what_a_file_says_moves_no_cursor_and_turns_no_words_round():
    error = CheckpointFault("{name} is damaged.", name="a\x1b[2J\n\u202eb\x9bc\ud800")
    assert error.message == r"a\u001b[2J\u000a\u202eb\u009bc\ud800 is damaged."
    assert Failure.of(raised(error)).said == error.message


def test_a_phrase_inside_stays_one():
    error = CheckpointFault("No: {why}", why=Phrase("It is {size} wide.", size=7))
    assert isinstance(error.values["why"], Phrase)


def test_a_phrase_is_said_in_the_language_of_whoever_reads_it(speak):
    why = Phrase("It is {size} wide.", size=7), Phrase("So it is.")
    error = raised(Unavailable(Phrase.joined(why)))
    assert (error.message, error.said) == ("It is 7 wide. So it is.",) * 2
    speak("de", **{"It is {size} wide.": "Es ist {size} breit.", "So it is.": "So ist es."})
    assert (
        error.said == said(error.problem) == Failure.of(error).said == "Es ist 7 breit. So ist es."
    )
    assert error.message == "It is 7 wide. So it is."


def test_a_failure_can_be_said_again_in_another_language(speak):
    inner = Phrase("It is {size} wide.", size=7)
    told = Failure.of(CheckpointFault("No: {why}", "Choose {other}.", why=inner, other="B"))
    assert isinstance(told.problem, Phrase)
    assert told.problem == told.said == "No: It is 7 wide."
    assert told.remedy == "Choose B."
    plain = Failure(Blame.BUG, "It broke.")
    assert (plain.problem, plain.remedy) == ("It broke.", "")
    speak("en_XA")
    assert said(told.problem) == told.said
    assert said(told.remedy) == told.advice
    assert said(plain.remedy) == ""

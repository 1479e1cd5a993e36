"""What can go wrong, sorted by whose fault it is.

Every failure that reaches a person is one of four kinds, and each kind has its own words on
screen: the user's mistake (change the input), a checkpoint's fault (take another file), a
plugin's fault (update or disable it), a bug (report it).

A failure is kept as codes and values, so that it can be told in the reader's language:

    raise UserMistake(N_("{path} is not a folder."), N_("Name another."), path=path)
"""

import enum
import errno
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.text import N_, Phrase, _, said
from explorer.text.messages import id_of, today
from explorer.text.printable import on_a_line
from explorer.text.translation import in_english

Value = str | int | float


class Blame(enum.StrEnum):
    """Whose fault a failure is."""

    USER = "user"
    CHECKPOINT = "checkpoint"
    PLUGIN = "plugin"
    MACHINE = "machine"
    BUG = "bug"


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether a device or the system had no memory left, as Python and its libraries tell that."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    try:
        told = str(error) if isinstance(error, RuntimeError | ImportError) else ""
    except Exception:  # noqa: BLE001  one of a plugin's own that cannot even be printed
        return False
    return any(words in told for words in _NO_MEMORY)


_NO_MEMORY = (
    "not enough memory",
    "out of memory",  # Apple's GPUs, and CUDA where even its own tables found no room
    "STATUS_ALLOC_FAILED",  # cuBLAS and cuDNN
    "can't allocate memory",
    "can't start new thread",
    "failed to map segment",
)


@dataclass(frozen=True)
class Failure:
    """A failure as data, so that it can cross the process boundary and be stored.

    Attributes:
        blame: Whose fault it is.
        message: One clear sentence saying what is wrong, in English: what is searched and
            printed for programs. A person reads `said`.
        hint: What to do about it; may be empty. A person reads `advice`.
        traceback: For the details pane and bug reports; empty for the user's mistakes.
        kind: Name of the error's class, by which the window knows what to offer: "NeedsConsent"
            asks, and loads again with `allow_pickle`; "NeedsRoom" asks, and loads what fits.
        code: The message as catalogues have it, with named places; "" where it has none.
        hint_code: The hint likewise.
        values: What stands in the places.
        id: The message's id, by which it is worded as today where an older program stored it.
        hint_id: The hint's.
    """

    blame: Blame
    message: str
    hint: str = ""
    traceback: str = ""
    kind: str = ""
    code: str = ""
    hint_code: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    id: str = ""
    hint_id: str = ""

    def __post_init__(self) -> None:
        for text, code, known in (("message", "code", "id"), ("hint", "hint_code", "hint_id")):
            self._say_as_today(text, code, known)

    def _say_as_today(self, text: str, code: str, known: str) -> None:
        then = getattr(self, code) or getattr(self, text)
        now = today(then, getattr(self, known))
        if now != then:
            if getattr(self, code):
                object.__setattr__(self, code, now)
            object.__setattr__(self, text, in_english(now, self.values))
        object.__setattr__(self, known, id_of(now) or getattr(self, known))

    @property
    def problem(self) -> Phrase:
        """What is wrong, for whoever says it again in another language."""
        return _phrase(self.code, self.message, self.values)

    @property
    def remedy(self) -> Phrase:
        """What to do about it, likewise."""
        return _phrase(self.hint_code, self.hint, self.values)

    @property
    def said(self) -> str:
        """What is wrong, in the reader's language."""
        return _(self.code, **_worded(self.values)) if self.code else said(self.message)

    @property
    def advice(self) -> str:
        """What to do about it, in the reader's language."""
        return _(self.hint_code, **_worded(self.values)) if self.hint_code else said(self.hint)

    @staticmethod
    def of(error: BaseException) -> "Failure":
        """Describe any exception; unknown ones are bugs."""
        kind = type(error).__name__
        if isinstance(error, UserMistake):
            return _of_expected(error)
        details = "".join(traceback.format_exception(error))
        if isinstance(error, ExplorerError):
            return _of_expected(error, details)
        if is_out_of_memory(error):
            return Failure(
                Blame.MACHINE,
                N_("There is not enough memory for this."),
                N_("Close other models, choose a shorter text, or run on the CPU."),
                details,
                kind,
            )
        summary = f"{kind}: {error}" if str(error) else kind
        message = N_("Something went wrong inside the program ({summary}).")
        return Failure(
            Blame.BUG,
            in_english(message, {"summary": summary}),
            N_("Nothing you typed is lost. Please report it with the details."),
            details,
            kind,
            code=message,
            values={"summary": summary},
        )


class ExplorerError(Exception):
    """Base of every failure the program expects.

    Attributes:
        message: What is wrong, in English.
        hint: What to do about it, in English; may be empty.
        code: The message with named places, as catalogues have it.
        hint_code: The hint likewise.
        values: What stands in the places.
    """

    blame = Blame.BUG

    def __init__(self, message: str, hint: str = "", /, **values: object) -> None:
        """Say what is wrong.

        Args:
            message: One sentence, marked with `N_`, with places such as "{path}"; or a Phrase, as
                the reason for which a port is missing is one.
            hint: What to do about it, likewise marked.
            values: What stands in the places of both.
        """
        if isinstance(message, Phrase):
            # Worded when it is read, as any value is.
            message, values = "{message}", {"message": message, **values}
        self.values = {name: _plain(value) for name, value in values.items()}
        self.code, self.hint_code = message, hint
        self.message = in_english(message, self.values)
        self.hint = in_english(hint, self.values)
        super().__init__(self.message)

    @property
    def problem(self) -> Phrase:
        """What is wrong, for a row that another process words."""
        return Phrase(self.code, **self.values)

    @property
    def remedy(self) -> Phrase:
        """What to do about it, likewise."""
        return Phrase(self.hint_code, **self.values)

    @property
    def said(self) -> str:
        """What is wrong, in the reader's language."""
        return _(self.code, **_worded(self.values))

    @property
    def advice(self) -> str:
        """What to do about it, in the reader's language."""
        return _(self.hint_code, **_worded(self.values))

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.code, self.hint_code, self.values)


class UserMistake(ExplorerError):
    """The input or the options can't be answered as they are."""

    blame = Blame.USER


class CheckpointFault(ExplorerError):
    """A checkpoint's files are missing, damaged, or do not fit each other."""

    blame = Blame.CHECKPOINT


class PluginFault(ExplorerError):
    """A plugin is broken or breaks the contract."""

    blame = Blame.PLUGIN


class MachineFault(ExplorerError):
    """The machine refuses: memory, disk, device, network."""

    blame = Blame.MACHINE


class NeedsRoom(MachineFault):
    """There is no room for a model as it was to be loaded.

    Its value "fitting" names what fits instead, in the order in which it should be offered, with
    commas between: number types ("8bit") and devices ("offload"); "" where nothing does.
    """


class NeedsConsent(UserMistake):
    """The weights are a pickle: ask the user, then load with `allow_pickle`."""


class Unavailable(UserMistake):
    """This model cannot answer this question; the message says why in one line."""


class Cancelled(Exception):
    """Raised inside work that was cancelled, before the next layer."""


def error_of(failure: Failure) -> ExplorerError:
    """A failure that was told by another process, as the error that it was there."""
    known = globals().get(failure.kind, ExplorerError)
    kind = known if isinstance(known, type) and issubclass(known, ExplorerError) else ExplorerError
    words = failure.code or failure.message, failure.hint_code or failure.hint
    error = kind(*words, **failure.values)
    if failure.traceback:
        error.add_note(failure.traceback)
    return error


def _phrase(code: str, message: str, values: Mapping[str, Value]) -> Phrase:
    if code:
        return Phrase(code, **values)
    return message if isinstance(message, Phrase) else Phrase(message)


def _worded(values: Mapping[str, Value]) -> dict[str, Value]:
    """What is a text itself, in the reader's language; the rest as it was given."""
    return {name: one.said if isinstance(one, Phrase) else one for name, one in values.items()}


def _plain(value: object) -> Value:
    """What a log and another process can hold, and a terminal can print."""
    return value if isinstance(value, int | float | Phrase) else on_a_line(str(value))


def _made_again(
    kind: type[ExplorerError], code: str, hint_code: str, values: Mapping[str, Value]
) -> ExplorerError:
    return kind(code, hint_code, **values)


def _of_expected(error: ExplorerError, details: str = "") -> Failure:
    return Failure(
        error.blame,
        error.message,
        error.hint,
        details,
        type(error).__name__,
        code=error.code if error.values else "",
        hint_code=error.hint_code if error.values else "",
        values=error.values,
    )

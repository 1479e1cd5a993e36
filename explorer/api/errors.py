"""What can go wrong, sorted by whose fault it is.

Every failure that reaches a person is one of four kinds, and each kind has its own words on
screen: the user's mistake (change the input), a checkpoint's fault (take another file), a
plugin's fault (update or disable it), a bug (report it).
"""

import enum
import traceback
from dataclasses import dataclass


class Blame(enum.StrEnum):
    """Whose fault a failure is."""

    USER = "user"
    CHECKPOINT = "checkpoint"
    PLUGIN = "plugin"
    MACHINE = "machine"
    BUG = "bug"


@dataclass(frozen=True)
class Failure:
    """A failure as data, so that it can cross the process boundary and be stored.

    Attributes:
        blame: Whose fault it is.
        message: One clear sentence saying what is wrong.
        hint: What to do about it; may be empty.
        traceback: For the details pane and bug reports; empty for the user's mistakes.
        kind: Name of the error's class, by which the window knows what to offer: "NeedsConsent"
            asks, and loads again with `allow_pickle`.
    """

    blame: Blame
    message: str
    hint: str = ""
    traceback: str = ""
    kind: str = ""

    @staticmethod
    def of(error: BaseException) -> "Failure":
        """Describe any exception; unknown ones are bugs."""
        kind = type(error).__name__
        if isinstance(error, UserMistake):
            return Failure(error.blame, error.message, error.hint, kind=kind)
        details = "".join(traceback.format_exception(error))
        if isinstance(error, ExplorerError):
            return Failure(error.blame, error.message, error.hint, details, kind)
        if isinstance(error, MemoryError) or kind == "OutOfMemoryError":
            return Failure(
                Blame.MACHINE,
                "There is not enough memory for this.",
                "Close other models, choose a shorter text, or run on the CPU.",
                details,
                kind,
            )
        summary = f"{kind}: {error}" if str(error) else kind
        return Failure(
            Blame.BUG,
            f"Something went wrong inside the program ({summary}).",
            "Nothing you typed is lost. Please report it with the details.",
            details,
            kind,
        )


class ExplorerError(Exception):
    """Base of every failure the program expects."""

    blame = Blame.BUG

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type["ExplorerError"], tuple[str, str]]:
        return type(self), (self.message, self.hint)


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


class NeedsConsent(UserMistake):
    """The weights are a pickle: ask the user, then load with `allow_pickle`."""


class Unavailable(UserMistake):
    """This model cannot answer this question; the message says why in one line."""


class Cancelled(Exception):
    """Raised inside work that was cancelled, before the next layer."""

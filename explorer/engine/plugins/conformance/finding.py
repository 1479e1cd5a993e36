"""What a check of a plugin found."""

import enum
from dataclasses import dataclass


class CheckOutcome(enum.StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class Finding:
    """One check and what came of it.

    Attributes:
        check: What was checked, in a few words: "imports without torch".
        outcome: How it ended.
        message: What is wrong, or why it was skipped; of what was measured by how much it may be
            off and is; "" otherwise.
        hint: What to do about it.
        checkpoint: Name of the tiny checkpoint it was tried with; "" for the plugin itself.
        traceback: Of what was raised, as Python prints it; "" where nothing was.
    """

    check: str
    outcome: CheckOutcome
    message: str = ""
    hint: str = ""
    checkpoint: str = ""
    traceback: str = ""

    @property
    def failed(self) -> bool:
        """Whether the plugin has to be changed."""
        return self.outcome is CheckOutcome.FAILED

    @property
    def ok(self) -> bool:
        """Whether it is as it should be, or can't be otherwise: what was not tried is not known."""
        return self.outcome in {CheckOutcome.PASSED, CheckOutcome.SKIPPED}


def passed(check: str, checkpoint: str = "", message: str = "") -> Finding:
    """It is as it should be."""
    return Finding(check, CheckOutcome.PASSED, message, checkpoint=checkpoint)


def failed(
    check: str, message: str, hint: str = "", checkpoint: str = "", traceback: str = ""
) -> Finding:
    """It is not."""
    return Finding(check, CheckOutcome.FAILED, message, hint, checkpoint, traceback)


def not_tried(check: str, message: str, hint: str = "", checkpoint: str = "") -> Finding:
    """It could have been checked, with something else than what it was checked with."""
    return Finding(check, CheckOutcome.NOT_TRIED, message, hint, checkpoint)


def skipped(check: str, message: str, hint: str = "", checkpoint: str = "") -> Finding:
    """There is nothing to check."""
    return Finding(check, CheckOutcome.SKIPPED, message, hint, checkpoint)

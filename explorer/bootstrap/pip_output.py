"""Reads what pip prints: into one line a person follows, and into why it failed."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_PROGRESS = re.compile(r"Progress (\d+) of (\d+)")
_ERROR = re.compile(r"(ERROR|error|fatal error|[A-Za-z_.]*(Error|Exception))\b")
_SAYS_NOTHING = {
    "error: subprocess-exited-with-error",
    "error: metadata-generation-failed",
    "ERROR: Exception:",
}
_FIRST_WORDS = (
    "Collecting",
    "Downloading",
    "Using cached",
    "Building",
    "Preparing",
    "Installing",
    "Obtaining",
    "Getting requirements",
    "Looking in links",
    "Processing",
)


class Reason(NamedTuple):
    """Why pip failed, in words.

    Attributes:
        kind: "network", "space", "permission", "version" or "other".
        message: One sentence saying what is wrong.
        hint: What to do.
    """

    kind: str
    message: str
    hint: str


_REASONS = (
    (
        re.compile(r"No space left on device|Errno 28|There is not enough space", re.IGNORECASE),
        Reason(
            "space",
            "the disk is full",
            "Free about 4 GB (more with a GPU build of torch), or point TMPDIR at a larger disk.",
        ),
    ),
    (
        re.compile(
            r"Temporary failure in name resolution|Name or service not known|getaddrinfo failed"
            r"|Failed to establish a new connection|Network is unreachable|Connection refused"
            r"|Connection reset|Connection broken|ConnectTimeout|Read timed out|ReadTimeoutError"
            r"|ProxyError|Cannot connect to proxy|SSLError|CERTIFICATE_VERIFY_FAILED"
            r"|Max retries exceeded|nodename nor servname|IncompleteRead|HTTP error 5\d\d"
            r"|40[37] Client Error",
        ),
        Reason(
            "network",
            "the package index could not be reached",
            "Check the connection (behind a proxy, HTTPS_PROXY; a package mirror goes into pip's "
            "own configuration).",
        ),
    ),
    (
        re.compile(r"Permission denied|Errno 13|Read-only file system|Errno 30|Access is denied"),
        Reason(
            "permission",
            "a file could not be written",
            "Start it as the user who owns this folder, or copy the folder to a place of your own.",
        ),
    ),
    (
        # Without retries pip says no more than this when nobody answers.
        re.compile(r"\(from versions: none\)"),
        Reason(
            "network",
            "the package index did not answer, or has nothing for this Python and machine",
            "Check the connection (behind a proxy, HTTPS_PROXY); Python must be 3.11, 3.12 or "
            "3.13 (64 bit).",
        ),
    ),
    (
        re.compile(r"No matching distribution found|Requires-Python|ResolutionImpossible"),
        Reason(
            "version",
            "a package has no version for this Python and machine",
            "Use Python 3.11, 3.12 or 3.13 (64 bit); a package mirror may also lack it.",
        ),
    ),
)


def live_line(line: str, before: str) -> str:
    """What the live line says after pip printed one more line.

    Args:
        line: What pip printed.
        before: What the live line said until now.
    """
    progress = _PROGRESS.match(line)
    if progress:
        done, total = int(progress[1]), int(progress[2])
        stem = before.partition(" · ")[0]
        return f"{stem} · {100 * done // total} %" if total else before
    text = line.strip()
    if text.startswith("Installing collected packages:"):
        count = text.count(",") + 1
        return f"Installing {count} packages (the last and longest step)"
    if text.startswith("Requirement already satisfied: "):
        return "Checking " + text.removeprefix("Requirement already satisfied: ").split(" in ")[0]
    if text.startswith(_FIRST_WORDS):
        return re.sub(r"\s*\((?:from|line) .*\)$", "", text)
    return before


def reason_of(output: Sequence[str]) -> Reason:
    """Why pip failed, judged by everything it printed."""
    text = "\n".join(output)
    for pattern, reason in _REASONS:
        if pattern.search(text):
            return reason
    return Reason(
        "other", "pip failed", "Read the log; deleting the .venv folder starts from scratch."
    )


def last_errors(output: Sequence[str], count: int = 4) -> tuple[str, ...]:
    """The last lines pip marked as errors, or its last lines where it marked none."""
    lines = [line.strip() for line in output if line.strip()]
    marked = [line for line in lines if _ERROR.match(line) and line not in _SAYS_NOTHING]
    chosen = marked or lines
    return tuple(chosen[-count:])

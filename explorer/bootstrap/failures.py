"""Why setting up failed: judged by what pip or uv said, and told with what to do."""

import re
from typing import NamedTuple


class SetupFailure(Exception):
    """Setting up did not work out; the message is for the user, all lines of it."""

    def __init__(self, message: str, kind: str = "other") -> None:
        super().__init__(message)
        self.kind = kind


class Reason(NamedTuple):
    """A cause, in words.

    Attributes:
        kind: "network", "space", "permission", "version" or "other".
        message: One sentence saying what is wrong.
        hint: What to do.
        pattern: What was said, as a regular expression.
    """

    kind: str
    message: str
    hint: str
    pattern: str


_REASONS = (
    Reason(
        "space",
        "the disk is full",
        "Free about 4 GB (more with a GPU build of torch), or point TMPDIR at a larger disk.",
        r"(?i)No space left on device|Errno 28|os error 28|There is not enough space",
    ),
    Reason(
        "network",
        "the package index could not be reached",
        "Check the connection (behind a proxy, HTTPS_PROXY; a package mirror goes into pip's "
        "own configuration).",
        r"Temporary failure in name resolution|Name or service not known|getaddrinfo failed"
        r"|Failed to establish a new connection|Network is unreachable|Connection refused"
        r"|Connection reset|Connection broken|ConnectTimeout|Read timed out|ReadTimeoutError"
        r"|ProxyError|Cannot connect to proxy|SSLError|CERTIFICATE_VERIFY_FAILED"
        r"|Max retries exceeded|nodename nor servname|IncompleteRead|HTTP error 5\d\d"
        r"|40[37] Client Error|dns error|error sending request|network connectivity is disabled",
    ),
    Reason(
        "permission",
        "a file could not be written",
        "Start it as the user who owns this folder, or copy the folder to a place of your own.",
        r"Permission denied|Errno 13|Read-only file system|Errno 30|Access is denied",
    ),
    # Without retries pip says no more than this when nobody answers.
    Reason(
        "network",
        "the package index did not answer, or has nothing for this Python and machine",
        "Check the connection (behind a proxy, HTTPS_PROXY); Python must be 3.11, 3.12 or "
        "3.13 (64 bit).",
        r"\(from versions: none\)",
    ),
    Reason(
        "version",
        "a package has no version for this Python and machine",
        "Use Python 3.11, 3.12 or 3.13 (64 bit); a package mirror may also lack it.",
        r"No matching distribution found|Requires-Python|ResolutionImpossible"
        r"|No solution found when resolving",
    ),
    Reason(
        "other",
        "the installer failed",
        "Read what it said; deleting the .venv folder starts from scratch.",
        "",
    ),
)
_ERROR = re.compile(r"(ERROR|error|fatal error|Caused by|cause|[A-Za-z_.]*(Error|Exception))\b")
_SAYS_NOTHING = {
    "error: subprocess-exited-with-error",
    "error: metadata-generation-failed",
    "ERROR: Exception:",
}


def reason_of(said: str) -> Reason:
    """Why an installer failed, judged by everything it said."""
    return next(reason for reason in _REASONS if re.search(reason.pattern, said))


def last_errors(said: str, count: int = 4) -> list[str]:
    """The last lines marked as errors, or the last lines where none is."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    marked = [line for line in lines if _ERROR.match(line) and line not in _SAYS_NOTHING]
    return (marked or lines)[-count:]

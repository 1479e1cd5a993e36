"""What the hub has of a model, and what fetching it takes: values that the window may know."""

from dataclasses import dataclass

BRANCH, TAG, COMMIT = "branch", "tag", "commit"


@dataclass(frozen=True)
class Revision:
    """A state of a repository that has a name.

    Attributes:
        name: As it is asked for: "step1000", or a commit.
        kind: "branch", "tag" or "commit".
        commit: 40 hexadecimal digits.
        title: Of a commit, what its author wrote; "" of the others.
        date: Of a commit, as the hub writes it; "" of the others.
    """

    name: str
    kind: str
    commit: str
    title: str = ""
    date: str = ""


@dataclass(frozen=True)
class DownloadSize:
    """What a download takes.

    Attributes:
        commit: What is behind the name now.
        whole: Bytes of all files that are needed.
        missing: Bytes of those that are not here yet.
    """

    commit: str
    whole: int
    missing: int

"""What the hub has of a model, and what fetching it takes: values that the window may know."""

from dataclasses import dataclass

from explorer.api.question import Failure

BRANCH, TAG, COMMIT = "branch", "tag", "commit"
MOST_FOUND = 20
"""Models that a search names; each is asked for its size."""


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


@dataclass(frozen=True)
class FoundModel:
    """A model that a search of the hub found. What its authors wrote is cut to a line's length.

    Attributes:
        id: Its name on the hub.
        page: Its address there, for a person.
        library: What it was made with: "transformers"; "" where nobody says.
        model_type: As in its config.json: "bert".
        architectures: Its classes, whose names say which heads it has: "BertForMaskedLM".
        languages: Codes or names, as its card has them.
        licence: Likewise.
        is_known: A family here knows its type, or nobody says which that is.
        is_gated: Its owners let in only who accepts their conditions.
        downloads: Of the last month.
        size: What a download takes.
        problem: Why there is none, where there is none.
    """

    id: str
    page: str
    library: str = ""
    model_type: str = ""
    architectures: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    licence: str = ""
    is_known: bool = True
    is_gated: bool = False
    downloads: int = 0
    size: DownloadSize | None = None
    problem: Failure | None = None

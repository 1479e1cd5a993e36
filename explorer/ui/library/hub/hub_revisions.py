"""What a repository of the hub has beside its main branch, asked for by whoever wants to know."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject

from explorer.api.question import Blame, Failure
from explorer.engine.downloads.offered import DownloadSize, Revision
from explorer.engine.messages import ListRevisions, MeasureDownloads
from explorer.text import _
from explorer.ui.runs.engine_bridge import EngineBridge, Reply, nothing

LANE = "download:@revisions"
"""Of both requests: the newest is what its user waits for."""

_TYPED = re.compile(r"(?P<name>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>\S*))?", re.ASCII)


def typed_revision(text: str) -> tuple[str, str] | None:
    """A repository and a revision, as in OWNER/NAME@step1000; None of what names no repository.

    Args:
        text: What somebody typed. Of a name alone, without an owner, an @ says that it is one.
    """
    found = _TYPED.fullmatch(text.strip())
    if found is None or not ("/" in found["name"] or "@" in text):
        return None
    return found["name"], found["revision"] or ""


class HubRevisions(QObject):
    """Asks the hub, and forgets what was asked before.

    Args:
        bridge: To the engine, whose process alone reaches the network.
        parent: With which it ends.
    """

    def __init__(self, bridge: EngineBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge

    def list(
        self,
        name: str,
        found: Callable[[Sequence[Revision]], None],
        failed: Callable[[Failure], None],
    ) -> None:
        """Branches, tags and the newest commits of a repository."""
        self._ask(ListRevisions(name), found, failed)

    def measure(
        self,
        names: Sequence[str],
        found: Callable[[Sequence[DownloadSize]], None],
        failed: Callable[[Failure], None],
    ) -> None:
        """How much the downloads of some are, each with its revision; nothing is fetched."""
        self._ask(MeasureDownloads(tuple(names)), found, failed)

    def forget(self) -> None:
        """Nobody waits for it any more."""
        self._bridge.forget(LANE)

    def _ask(
        self,
        request: ListRevisions | MeasureDownloads,
        found: Callable[[Any], None],
        failed: Callable[[Failure], None],
    ) -> None:
        self._bridge.submit(
            LANE,
            request,
            Reply(
                answered=lambda answer: found(answer.result),
                failed=failed,
                stopped=nothing,
                lost=lambda reason: failed(Failure(Blame.MACHINE, reason, _("Try it again."))),
            ),
        )

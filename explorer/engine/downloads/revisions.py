"""A repository's branches, tags and commits, as huggingface_hub's list_repo_refs asks for them."""

from collections.abc import Callable
from urllib.parse import quote

from explorer.api.family import UserMistake
from explorer.engine.downloads.hub import NONSENSE, ask_hub, check_id, not_understood
from explorer.engine.downloads.offered import BRANCH, COMMIT, TAG, Revision
from explorer.engine.library.hub_cache import commit_digits, is_revision
from explorer.text import N_

MOST = 10_000
"""Of each kind: more than any repository has."""


def list_revisions(
    checkpoint_id: str, is_cancelled: Callable[[], bool], *, offline: bool = False
) -> tuple[Revision, ...]:
    """Branches, tags, and the newest commits of the main branch.

    Raises:
        UserMistake: Offline, or there is no such repository, or the user may not see it.
        CheckpointFault: The hub's answer makes no sense.
        MachineFault: The hub can't be reached.
    """
    if offline:
        raise UserMistake(
            N_("The revisions of {checkpoint_id} can't be listed: the program is offline."),
            N_("Start it without --offline to ask the hub."),
            checkpoint_id=checkpoint_id,
        )
    check_id(checkpoint_id)
    name = f"/{quote(checkpoint_id)}"
    refs = ask_hub(f"{name}/refs", checkpoint_id, is_cancelled)
    commits = ask_hub(f"{name}/commits/main", checkpoint_id, is_cancelled)
    try:
        found = [
            Revision(str(one["name"]), kind, commit_digits(one["targetCommit"]))
            for kind, key in ((BRANCH, "branches"), (TAG, "tags"))
            for one in refs.get(key, [])[:MOST]
        ]
        found += [
            Revision(
                commit_digits(one["id"]), COMMIT, one["id"], str(one["title"]), str(one["date"])
            )
            for one in commits[:MOST]
        ]
    except NONSENSE as error:
        raise not_understood(checkpoint_id) from error
    return tuple(one for one in found if is_revision(one.name))

"""How much memory this process can still have: what is free, and what it may take of that."""

from pathlib import Path

_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUP = Path("/proc/self/cgroup")


def free_memory(*, with_swap: bool = False) -> int:
    """Bytes that can be had.

    Args:
        with_swap: Also those for which the system puts other memory on its disk.
    """
    import psutil

    free = int(psutil.virtual_memory().available)
    if with_swap:
        free += int(psutil.swap_memory().free)
    limits = (address_space_left(), group_memory_left())
    return min((free, *(one for one in limits if one is not None)))


def left_for_all() -> int:
    """Bytes that this process and those beside it can have before the system ends one of them.

    What files in use keep in memory and what fits on the disk's swap counts as free; what limits
    a single process does not count.
    """
    import psutil

    free = int(psutil.virtual_memory().available) + int(psutil.swap_memory().free)
    group = group_memory_left(whole_cache=True)
    return free if group is None else min(free, group)


def address_space_left() -> int | None:
    """Bytes that this process may still address (ulimit -v, -d); None where nothing limits it."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, RLIMIT_DATA, getrlimit
    except ImportError:  # Windows
        return None
    limits = {"vms": getrlimit(RLIMIT_AS)[0], "data": getrlimit(RLIMIT_DATA)[0]}
    limited = {kind: limit for kind, limit in limits.items() if limit != RLIM_INFINITY}
    if not limited:
        return None
    import psutil

    taken = psutil.Process().memory_info()
    return max(0, min(limit - int(getattr(taken, kind, 0)) for kind, limit in limited.items()))


def group_memory_left(
    groups: Path = _CONTROL_GROUPS, own: Path = _OWN_GROUP, *, whole_cache: bool = False
) -> int | None:
    """Bytes that Linux still gives to this process' control group, as a container's.

    What the group keeps of files can be dropped, and counts as free.

    Args:
        groups: Where the kernel shows the groups (version 2).
        own: Where it says which one this process is in.
        whole_cache: Count what it keeps of files that were read again, too.

    Returns:
        The least that is left in the group and those it is part of; None where none has a limit.
    """
    try:
        named = own.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    path = next((line[3:].lstrip("/") for line in named if line.startswith("0::")), None)
    if path is None:
        return None
    parts = Path(path).parts
    dropped = ("inactive_file", "active_file") if whole_cache else ("inactive_file",)
    left = [_left_in(groups.joinpath(*parts[:depth]), dropped) for depth in range(len(parts) + 1)]
    known = [one for one in left if one is not None]
    return min(known) if known else None


def _left_in(group: Path, dropped: tuple[str, ...]) -> int | None:
    try:
        limit = int((group / "memory.max").read_text(encoding="ascii"))
        used = int((group / "memory.current").read_text(encoding="ascii"))
        stated = (group / "memory.stat").read_text(encoding="ascii").split()
    except (OSError, ValueError):  # there is none, or it says "max"
        return None
    counts = dict(zip(stated[::2], stated[1::2], strict=False))
    return max(0, limit - used + sum(int(counts.get(name, 0)) for name in dropped))

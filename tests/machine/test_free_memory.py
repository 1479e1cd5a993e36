import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from explorer.machine.free_memory import (
    address_space_left,
    free_memory,
    group_memory_left,
    left_for_all,
)

MB = 1_000_000


def group(folder: Path, limit: str, used: int, inactive: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(limit)
    (folder / "memory.current").write_text(str(used))
    (folder / "memory.stat").write_text(f"anon 1\ninactive_file {inactive}\nactive_file 7\n")


def test_a_container_has_what_its_groups_leave(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("0::/outer/inner\n")
    group(tmp_path / "outer", str(500 * MB), 450 * MB, 10 * MB)
    group(tmp_path / "outer" / "inner", str(400 * MB), 100 * MB, 0)
    assert group_memory_left(tmp_path, own) == 60 * MB
    assert group_memory_left(tmp_path, own, whole_cache=True) == 60 * MB + 7
    group(tmp_path / "outer", "max", 450 * MB, 10 * MB)
    assert group_memory_left(tmp_path, own) == 300 * MB
    group(tmp_path / "outer" / "inner", str(MB), 2 * MB, 0)
    assert group_memory_left(tmp_path, own) == 0


def test_without_groups_nothing_is_limited(tmp_path: Path) -> None:
    assert group_memory_left(tmp_path, tmp_path / "no file") is None
    own = tmp_path / "own"
    own.write_text("4:memory:/old\n")
    assert group_memory_left(tmp_path, own) is None
    own.write_text("0::/gone\n")
    assert group_memory_left(tmp_path, own) is None


def test_no_more_is_free_than_the_machine_has() -> None:
    assert 0 < free_memory() <= psutil.virtual_memory().total
    assert left_for_all() > 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts both")
@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_limit_of_the_process_counts(kind: str) -> None:
    code = f"""
import resource, psutil
from explorer.machine.free_memory import address_space_left, free_memory
assert address_space_left() is None
taken = psutil.Process().memory_info()
used = taken.vms if "{kind}" == "RLIMIT_AS" else taken.data
resource.setrlimit(resource.{kind}, (used + 90_000_000, resource.RLIM_INFINITY))
print(address_space_left(), free_memory())
"""
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    left, free = map(int, ended.stdout.split())
    assert left == pytest.approx(90 * MB, abs=3 * MB)
    assert free <= left + 3 * MB
    assert address_space_left() is None

"""What huggingface_hub's own downloads keep of what is promised here.

`python -m tests.hub.library_trial` tries each against a small hub, with `HfApi.model_info` and
`hf_hub_download` in a process that is killed where it must end. What it prints is in
docs/architecture.md; a newer version is tried anew.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.hub.small_hub import SmallHub, Stored, small_hub

NAME, FILE = "owner/small", "model.safetensors"
WEIGHTS = bytes(range(256)) * 120_000
TOKEN = "hf_secret"

_CHILD = """
import sys
from huggingface_hub import HfApi, hf_hub_download
name, cache = sys.argv[1:]
for file in HfApi().model_info(name, files_metadata=True).siblings:
    hf_hub_download(name, file.rfilename, cache_dir=cache)
"""


class _Outside(Stored):
    """A file whose name in the cache leads out of it."""

    @property
    def etag(self) -> str:
        return "../../../../outside"


def _begin(hub: SmallHub, cache: Path) -> "subprocess.Popen[bytes]":
    told = {"HF_ENDPOINT": hub.address, "NO_PROXY": "*", "HF_HOME": str(cache.parent / "home")}
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD, NAME, str(cache)],
        env={**os.environ, **told, "HF_TOKEN": TOKEN, "HF_HUB_DISABLE_PROGRESS_BARS": "1"},
        stderr=subprocess.DEVNULL,
    )


def _comes(hub: SmallHub, cache: Path) -> bool:
    return _begin(hub, cache).wait(120) == 0


def _cut_off(hub: SmallHub, cache: Path) -> float:
    """Kill it once some of its file is there; seconds until it was gone."""
    stored = hub.repositories[NAME][FILE]
    stored.bytes_per_second = 20_000_000
    process = _begin(hub, cache)
    while not any(one.stat().st_size for one in cache.rglob("*.incomplete")):
        time.sleep(0.02)
    begun = time.monotonic()
    process.kill()
    process.wait()
    stored.bytes_per_second = 0
    return time.monotonic() - begun


def ends_within_a_second(hub: SmallHub, cache: Path) -> bool:
    return _cut_off(hub, cache) < 1


def goes_on_where_it_was_cut_off(hub: SmallHub, cache: Path) -> bool:
    _cut_off(hub, cache)
    hub.requests.clear()
    _comes(hub, cache)
    return any(request.range is not None for request in hub.requests)


def leaves_nothing_useless_where_it_was_cut_off(hub: SmallHub, cache: Path) -> bool:
    _cut_off(hub, cache)
    _comes(hub, cache)
    return not any(cache.rglob("*.incomplete"))


def shows_a_snapshot_when_all_of_it_is_there(hub: SmallHub, cache: Path) -> bool:
    _cut_off(hub, cache)
    return not any(cache.rglob("snapshots/*/config.json"))


def refuses_other_bytes_than_were_promised(hub: SmallHub, cache: Path) -> bool:
    hub.repositories[NAME][FILE].sent = WEIGHTS[::-1]
    return not _comes(hub, cache)


def refuses_more_bytes_than_were_promised(hub: SmallHub, cache: Path) -> bool:
    hub.repositories[NAME][FILE].sent = WEIGHTS * 2
    return not _comes(hub, cache)


def reads_a_listing_of_any_length_in_bounds(hub: SmallHub, cache: Path) -> bool:
    import psutil

    hub.api_body = b" " * 200_000_000 + b"{}"
    process, most = _begin(hub, cache), 0
    while process.poll() is None:
        most = max(most, psutil.Process(process.pid).memory_info().rss)
        time.sleep(0.01)
    return most < 200_000_000


def writes_nothing_outside_the_cache(hub: SmallHub, cache: Path) -> bool:
    hub.repositories[NAME] = {FILE: _Outside(b"x")}
    _comes(hub, cache)
    return not any(cache.parent.parent.glob("outside*"))


def sends_the_token_to_no_host_that_a_redirect_names(hub: SmallHub, cache: Path) -> bool:
    with small_hub() as other:
        other.repositories = hub.repositories
        hub.cdn = other.address.replace("127.0.0.1", "localhost")
        _comes(hub, cache)
        return bool(other.requests) and not any(one.authorization for one in other.requests)


def sends_the_token_to_no_host_that_is_named_for_xet(hub: SmallHub, cache: Path) -> bool:
    with small_hub() as other:
        hub.cdn = other.address.replace("127.0.0.1", "localhost")
        hub.repositories[NAME][FILE].more = {
            "X-Xet-Hash": "a" * 64,
            "X-Xet-Refresh-Route": f"{hub.cdn}/api/models/{NAME}/xet-read-token/main",
        }
        _comes(hub, cache)
        return bool(other.requests) and not any(one.authorization for one in other.requests)


TRIED: tuple[Callable[[SmallHub, Path], bool], ...] = (
    ends_within_a_second,
    goes_on_where_it_was_cut_off,
    leaves_nothing_useless_where_it_was_cut_off,
    shows_a_snapshot_when_all_of_it_is_there,
    refuses_other_bytes_than_were_promised,
    refuses_more_bytes_than_were_promised,
    reads_a_listing_of_any_length_in_bounds,
    writes_nothing_outside_the_cache,
    sends_the_token_to_no_host_that_a_redirect_names,
    sends_the_token_to_no_host_that_is_named_for_xet,
)


def main() -> None:
    """Print the version, and of each promise whether it was kept."""
    import huggingface_hub

    print(f"huggingface_hub {huggingface_hub.__version__}")
    for one in TRIED:
        with tempfile.TemporaryDirectory() as folder, small_hub() as hub:
            hub.add(NAME, {"config.json": b"{}", FILE: WEIGHTS})
            place = Path(folder) / "only" / "place"
            place.mkdir(parents=True)
            kept = one(hub, place / "cache")
        print(f"{'kept' if kept else 'NOT KEPT':10}{one.__name__.replace('_', ' ')}", flush=True)


if __name__ == "__main__":
    main()

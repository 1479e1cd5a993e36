"""Folders of frames, as transformers' Trainer leaves them: PLACE/checkpoint-500."""

import re
from pathlib import Path

from explorer.series.steps import step_of

CONFIG = "config.json"
MOST = 10_000
"""Frames of a series; more are not looked at."""
_FRAME = re.compile(r"checkpoint-(\d{1,12})", re.ASCII)
_NAMED = re.compile(r"checkpoint-(\d{1,12})(?:-([a-z][a-z-]*))?", re.ASCII)


def frame_folders(place: Path) -> tuple[tuple[int, Path], ...]:
    """The frames in a folder, by their steps; none where it holds none or can't be read."""
    found = {}
    try:
        for one in place.iterdir():
            named = _FRAME.fullmatch(one.name)
            if named is not None and one.is_dir():
                found[int(named[1])] = one
            if len(found) >= MOST:
                break
    except OSError:
        return ()
    return tuple(sorted(found.items()))


def series_folder(place: Path) -> Path | None:
    """The folder of a series, of which this may be a frame; None where it is neither."""
    return place if frame_folders(place) else series_folder_of(place)


def series_folder_of(frame: Path | str | None) -> Path | None:
    """The folder of the series whose frame a folder is; None where it is none."""
    place = Path(frame or "")
    return place.parent if _FRAME.fullmatch(place.name) and place.is_dir() else None


def frame_title(folder: str | None) -> str:
    """What a frame's folder is called: "RUN@500"; "" of what is none.

    What was made of a frame stands beside it, with words behind its name, and is called so:
    "RUN@500, former heads" of RUN/checkpoint-500-former-heads.
    """
    place = Path(folder or "")
    named = _NAMED.fullmatch(place.name)
    series = None if named is None else series_folder_of(place.with_name(f"checkpoint-{named[1]}"))
    if named is None or series is None:
        return ""
    words = f", {named[2].replace('-', ' ')}" if named[2] else ""
    return f"{series.name}@{int(named[1])}{words}"


def last_frame(place: Path) -> Path | None:
    """The last frame that has a config, where a folder is a series and no checkpoint itself."""
    if (place / CONFIG).is_file():
        return None
    frames = (one for _, one in reversed(frame_folders(place)) if (one / CONFIG).is_file())
    return next(frames, None)


def frame_named(place: Path, revision: str) -> Path | None:
    """A frame of a series by what stands behind an @: 500, step500, checkpoint-500."""
    step = int(revision) if revision.isdecimal() else step_of(revision)
    return dict(frame_folders(place)).get(-1 if step is None else step)

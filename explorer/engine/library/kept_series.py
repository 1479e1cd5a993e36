"""Where series of frames are: films that come with the program, runs of training, other folders.

A film is `FILMS/NAME/checkpoint-N`, and its frame is called NAME@step512 wherever the program lies.
Frames of other folders are called by their paths.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.engine.library.hub_cache import revision_of, with_revision
from explorer.files.typed_paths import typed_path
from explorer.series.frame_folders import (
    frame_folders,
    frame_named,
    last_frame,
    series_folder,
    series_folder_of,
)
from explorer.series.steps import step_of


@dataclass(frozen=True)
class KeptSeries:
    """The folders of frames on this machine.

    Attributes:
        films: Where those of the program are, whole; need not exist.
        training: Where the runs of training are that were made here; None for none.
    """

    films: Path
    training: Path | None = None

    def folder(self, text: str) -> Path | None:
        """The folder of frames that a name or a path says; None where there are none."""
        film = self.film(text)
        if film is not None:
            return film
        if self.training is not None and _is_name(text):
            run = series_folder(self.training / text)
            if run is not None:
                return run
        return series_folder(typed_path(text)) if text else None

    def frame(self, text: str) -> Path | None:
        """A frame by what a user types: NAME or a path for the last one, NAME@512."""
        for typed, step in ((text, ""), revision_of(text)):
            place = self.folder(typed)
            frame = place and (frame_named(place, step) if step else last_frame(place))
            if frame:
                return frame
        return None

    def trained(self) -> tuple[Path, ...]:
        """The finished models of the runs of training here."""
        if self.training is None:
            return ()
        from explorer.learning.runs.run_folder import runs_in

        return tuple(model for one in runs_in(self.training) if (model := one.model) is not None)

    def film(self, name: str) -> Path | None:
        """The folder of a film; None where there is none of this name."""
        place = self.films / name
        return place if _is_name(name) and frame_folders(place) else None

    def of_film(self, text: str) -> Path | None:
        """A frame of a film by what a user types; None where that names none."""
        return self.frame(text) if self.film(revision_of(text)[0]) is not None else None

    def finished_films(self) -> Iterator[Path]:
        """The last frame of each film, by their names."""
        if self.films.is_dir():
            for place in sorted(self.films.iterdir()):
                frame = last_frame(place) if place.is_dir() else None
                if frame is not None:
                    yield frame

    def is_film(self, series: Path | None) -> bool:
        """Whether a folder of frames came with the program."""
        return series is not None and series.parent == self.films

    def frame_id(self, frame: Path) -> str:
        """What a film's frame is called."""
        return with_revision(frame.parent.name, f"step{step_of(frame.name)}")

    def series_id(self, series: Path) -> str:
        """What a series is called: by the name of a film, by the path of any other folder."""
        return series.name if self.is_film(series) else str(series)

    def holds_film(self, place: str) -> bool:
        """Whether a folder is a frame of a film."""
        return self.is_film(series_folder_of(place))


def _is_name(text: str) -> bool:
    return bool(text) and Path(text).name == text

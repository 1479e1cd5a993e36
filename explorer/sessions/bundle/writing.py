"""Writes chosen runs into a bundle: texts, answers, pictures, versions, hashes of weights."""

import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from explorer import __version__
from explorer.api.question import UserMistake
from explorer.serialise import to_json
from explorer.sessions.bundle.contents import (
    KIND,
    LIST,
    RUN,
    RUNS,
    VERSION,
    BundledFile,
    BundledRun,
)
from explorer.sessions.bundle.data_files import Room
from explorer.sessions.bundle.reading import MOST_RUNS
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.export.tables import table_to_csv
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import StoredRun
from explorer.sessions.schema.atomic import written_atomically
from explorer.text import N_

Draw = Callable[[StoredRun], bytes | None]
"""A picture of a run's page as PNG; None where it can't be drawn."""


@dataclass(frozen=True)
class WrittenBundle:
    """What is in a bundle.

    Attributes:
        file: Where it is.
        runs: How many.
        pictures: How many of them have one.
        files: How many files are with them that they were made from.
        left_out: Names of those that are too large to be.
    """

    file: str
    runs: int
    pictures: int
    files: int = 0
    left_out: tuple[str, ...] = ()


def write_bundle(
    database: Path, ids: Sequence[str], target: Path, draw: Draw | None = None
) -> WrittenBundle:
    """Write runs into a bundle.

    Args:
        database: The log.
        ids: Of the runs, or beginnings of them.
        target: The bundle, a name that ends in .zip.
        draw: Makes the pictures; None leaves them out.

    Raises:
        UserMistake: There is no such run, none at all, or the name ends otherwise.
        MachineFault: The log can't be read, or the bundle not be written.
    """
    if target.suffix.lower() != ".zip":
        raise UserMistake(
            N_("{name} is no name of a bundle."),
            N_("Choose one that ends in .zip."),
            name=target.name,
        )
    if not ids:
        raise UserMistake(N_("No run is logged that fits."), N_("Choose others."))
    if len(ids) > MOST_RUNS:
        raise UserMistake(
            N_("A bundle holds at most {most} runs."), N_("Choose fewer."), most=MOST_RUNS
        )
    reader = SessionReader(database)
    pictures = 0
    names: list[str] = []
    room, files = Room(), dict[str, BundledFile]()
    with (
        written_atomically(target) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for run_id in ids:
            stored = reader.run(run_id)
            if stored.summary.id in names:
                continue
            names.append(stored.summary.id)
            kept = BundledRun.of(stored, Provenance.of_stored(stored).said())
            folder = f"{RUNS}/{kept.id}"
            kept = replace(kept, files=room.take(archive, folder, stored.request))
            files |= {f"{folder}/{name}": one for name, one in kept.files.items()}
            archive.writestr(f"{folder}/{RUN}", to_json(kept))
            archive.writestr(f"{folder}/caption.txt", f"{kept.caption}\n")
            if table := kept.stored_table():
                archive.writestr(f"{folder}/table.csv", table_to_csv(table))
            picture = None if draw is None else draw(stored)
            if picture is not None:
                archive.writestr(f"{folder}/page.png", picture)
                pictures += 1
        told = {
            "kind": KIND,
            "version": VERSION,
            "program": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "runs": names,
        }
        archive.writestr(LIST, json.dumps(told, indent=1))
    inside = sum(one.is_inside for one in files.values())
    out = (name.rpartition("/")[2] for name, one in files.items() if not one.is_inside)
    return WrittenBundle(str(target), len(names), pictures, inside, tuple(dict.fromkeys(out)))

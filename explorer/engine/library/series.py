"""Which moments of a model are here: a run, a folder with checkpoint-*, a hub's revisions."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from explorer.api.family import Files, UserMistake
from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.hub_cache import revision_of
from explorer.series.differences import difference
from explorer.series.frame_folders import frame_folders
from explorer.series.series import CheckpointSeries, Frame
from explorer.series.steps import step_of
from explorer.text import N_


def series_of(catalogue: Catalogue, text: str) -> CheckpointSeries | None:
    """The series that a checkpoint is of, or that a name is of; None where there is none.

    Args:
        catalogue: The checkpoints.
        text: A folder with frames or one of its frames, a run's name, a bundled film's or a hub's
            id, with a revision or without.
    """
    name, _ = revision_of(text)
    folder = catalogue.series.film(name) or catalogue.series.folder(text)
    if folder is not None:
        frames = [
            _frame(catalogue, step, place.name, str(place)) for step, place in frame_folders(folder)
        ]
        of_all = catalogue.series.series_id(folder)
        return _compared(catalogue, of_all, folder.name, frames, folder) if frames else None
    of_steps = {
        (step, one)
        for one in catalogue.cached_revisions(name)
        if (step := step_of(revision_of(one)[1])) is not None
    }
    frames = [_frame(catalogue, step, revision_of(one)[1], one) for step, one in sorted(of_steps)]
    # Of published steps the last one may have the log of all before it.
    last = Path(frames[-1][1].folder or "") if frames else Path()
    return _compared(catalogue, name, name, frames, last) if frames else None


def at_step(catalogue: Catalogue, text: str, step: int) -> str:
    """The id of a checkpoint's frame.

    Raises:
        UserMistake: It has no steps, or not this one.
        CheckpointFault: That frame is damaged.
    """
    return needed_series(catalogue, text).at(step).id


def needed_series(catalogue: Catalogue, text: str) -> CheckpointSeries:
    """The series of a name.

    Raises:
        UserMistake: There is none.
    """
    found = series_of(catalogue, text)
    if found is None:
        raise UserMistake(
            N_("{text} has no steps of training here."),
            N_(
                "Steps have: BERT film, which comes with the program, a run of training, a folder "
                "with checkpoint-* in it, and a model of the hub whose revisions were downloaded "
                "with download --steps."
            ),
            text=text,
        )
    return found


def _frame(
    catalogue: Catalogue, step: int, name: str, checkpoint_id: str
) -> tuple[Frame, Checkpoint]:
    try:
        row = catalogue.find(checkpoint_id)
    except UserMistake as error:
        row = Checkpoint(checkpoint_id, name, Source.FOLDER)
        row = replace(row, problem=error.problem, hint=error.remedy)
    return Frame(step, row.id, name, row.size_bytes, row.problem, row.hint), row


def _compared(
    catalogue: Catalogue,
    series_id: str,
    title: str,
    frames: Sequence[tuple[Frame, Checkpoint]],
    record: Path,
) -> CheckpointSeries:
    """With what differs from the first frame that can be shown, and its losses.

    Args:
        catalogue: The checkpoints.
        series_id: What a user types.
        title: What a user reads.
        frames: In order.
        record: Where its losses may be written down.
    """
    from explorer.learning.curves.of_series import loss_of_series

    first: Files | None = None
    told = []
    for one, row in frames:
        frame = one
        if not frame.problem:
            files = catalogue.files(row)
            frame = frame if first is None else replace(frame, difference=difference(first, files))
            first = first or files
        told.append(frame)
    return CheckpointSeries(series_id, title, tuple(told), loss_of_series(record))

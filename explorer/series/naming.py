"""Which series a checkpoint is a frame of, told by its name alone."""

from explorer.series.frame_folders import series_folder_of
from explorer.series.steps import step_of


def series_named(checkpoint_id: str) -> str:
    """What the ids of all frames of a series have in common; "" of what is no frame.

    Args:
        checkpoint_id: A folder (RUN/checkpoint-500), or a hub's id with a revision (NAME@step500).
    """
    place = series_folder_of(checkpoint_id)
    if place is not None:
        return str(place)
    name, _, revision = checkpoint_id.partition("@")
    return name if step_of(revision) is not None else ""

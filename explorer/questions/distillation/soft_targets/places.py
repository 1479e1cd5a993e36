"""Whether there is a place at which two models can be compared."""

from explorer.api import UserMistake
from explorer.hf.text.paired import TwoReadings
from explorer.text import N_


def check_places(readings: TwoReadings) -> None:
    """Refuse a text in which both models have no mask.

    Raises:
        UserMistake: Nothing is masked, or nothing in the part that fits into both.
    """
    if readings.places:
        return
    cut = readings.left.left_out or readings.right.left_out
    raise UserMistake(
        N_("Nothing is masked.")
        if cut is None or not cut.masks
        else N_("Every mask lies in the part of the text that does not fit into both models."),
        N_("Click a word, press M on it, or type [MASK]."),
    )

"""What heads for pairs were trained to tell, and their classes in words."""

import enum
from collections.abc import Sequence

from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits


class Judges(enum.StrEnum):
    """What a head was trained to tell."""

    NEXT = "next_sentence"
    ORDER = "sentence_order"
    CLASSES = "classifier"


TRAINED = {
    Judges.NEXT: N_(
        "Trained to say whether the second text really followed the first or came "
        "from somewhere else (Devlin et al. 2019, section 3.1). Label 0 is that it "
        "follows."
    ),
    Judges.ORDER: N_(
        "Trained to say whether two texts that belong together are in their order or "
        "were swapped (Lan et al. 2020, section 3.1). Label 0 is the right order."
    ),
    Judges.CLASSES: N_("Fine-tuned to tell classes apart; their names are its config’s."),
}

OF_NEXT = {
    "is next": N_("the second follows"),
    "is not next": N_("the second is from elsewhere"),
}
OF_ORDER = {"right order": N_("right order"), "swapped": N_("swapped")}
CLASSES = {**OF_NEXT, **OF_ORDER}
"""The classes of heads that judge pairs, in words: by their names (`hf.predict.tasks`)."""


def verdict(judges: Judges, labels: Sequence[str], best: int, chance: float) -> Phrase:
    """The likeliest class, in words.

    Args:
        judges: What was judged.
        labels: Names of the classes.
        best: The number of the likeliest.
        chance: Its probability.
    """
    share = in_digits(chance)
    if judges is Judges.CLASSES:
        return Phrase(N_("“{label}”: {share}."), label=labels[best], share=share)
    return Phrase(VERDICTS[judges, best == 0], share=share)


VERDICTS = {
    (Judges.NEXT, True): N_("The second text follows the first: {share}."),
    (Judges.NEXT, False): N_("The second text does not follow the first: {share}."),
    (Judges.ORDER, True): N_("The two texts are in the right order: {share}."),
    (Judges.ORDER, False): N_("The two texts are swapped: {share}."),
}
"""By what was judged, and whether the likeliest class is the first."""


def named(labels: Sequence[str]) -> tuple[str, ...]:
    """What people call the classes of a head that judges pairs, marked; () for other classes."""
    known = next((one for one in (OF_NEXT, OF_ORDER) if {*labels} <= {*one}), None)
    return () if known is None else tuple(known[label] for label in labels)

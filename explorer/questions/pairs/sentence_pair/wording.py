"""What a model says of a pair, in words."""

from collections.abc import Sequence

from explorer.questions.pairs.sentence_pair.question import Judgement, Judges
from explorer.text import N_, _
from explorer.text.formatting.probabilities import in_digits

TRAINED = {
    Judges.NEXT: N_(
        "Trained to tell whether the second text really followed the first or came from somewhere "
        "else (Devlin et al. 2019, section 3.1). Label 0 is that it follows."
    ),
    Judges.ORDER: N_(
        "Trained to tell whether two texts that belong together stand in their order or were "
        "swapped (Lan et al. 2020, section 3.1). Label 0 is the right order."
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


def classes_said(labels: Sequence[str]) -> tuple[str, ...]:
    """Classes in words where they are those of a head that judges pairs, else by their names."""
    known = next((one for one in (OF_NEXT, OF_ORDER) if {*labels} <= {*one}), None)
    return tuple(labels) if known is None else tuple(_(known[label]) for label in labels)


def verdict(one: Judgement) -> str:
    """The likeliest class, in words."""
    share = in_digits(float(one.probabilities[one.best]))
    if one.judges is Judges.NEXT:
        if one.best == 0:
            return _("The second text follows the first: {share}.", share=share)
        return _("The second text does not follow the first: {share}.", share=share)
    if one.judges is Judges.ORDER:
        if one.best == 0:
            return _("The two texts stand in the right order: {share}.", share=share)
        return _("The two texts are swapped: {share}.", share=share)
    return _("“{label}”: {share}.", label=one.labels[one.best], share=share)


def label_said(one: Judgement, number: int) -> str:
    """A class by its name."""
    label = one.labels[number]
    return label if one.judges is Judges.CLASSES else _(CLASSES.get(label, label))

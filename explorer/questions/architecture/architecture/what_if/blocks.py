"""What can be changed of a model: numbers by sliders, what its layers share, and where to begin."""

from collections.abc import Iterator
from typing import Any

from explorer.api.family import FIELDS, SHARING, SHARINGS, sharing_of
from explorer.questions.architecture.architecture.question import CHECKPOINT, is_example
from explorer.questions.architecture.architecture.what_if.changes import NOTES, NOTES_CHANGES
from explorer.questions.architecture.architecture.what_if.options import (
    BASE,
    CHANGES,
    OF_NOTES,
    SIZES,
)
from explorer.questions.architecture.architecture.what_if.parts import outcomes
from explorer.text import N_, _
from explorer.ui.blocks import (
    Block,
    Chip,
    Chips,
    Edit,
    Move,
    SetNumber,
    Shown,
    number_sliders,
    set_options,
)

FIXED = N_("In this family it follows from the other numbers")
SHARED = {
    "none": N_("No layer shares"),
    "attention": N_("Layers share attention"),
    "feed_forward": N_("Layers share feed-forward"),
    "all": N_("Layers share everything"),
}


def changes(shown: Shown) -> Iterator[Block]:
    """Each number, what layers share, and what to begin with."""
    values, possible = CHANGES.of(shown.now), shown.result.possible
    counted = outcomes(shown.result)[1].blueprint

    def moves(name: str) -> Any:
        return lambda value: Move(CHANGES, {**values, name: int(value)})

    yield number_sliders(
        [
            SetNumber(
                name,
                SIZES[name].translated(),
                values.get(name, getattr(counted, name)),
                moves(name),
                "" if name in possible else _(FIXED),
            )
            for name in FIELDS
        ]
    )
    shared = values.get(SHARING, sharing_of(counted))
    yield Chips(
        [
            Chip(
                _(SHARED[key]),
                shown.setting(CHANGES, {**values, SHARING: key}, _(SHARED[key]))
                if SHARING in possible
                else None,
                chosen=key == shared,
                tip="" if SHARING in possible else _(FIXED),
                key=(SHARING, key),
            )
            for key in SHARINGS
        ],
        title=_("Which weights layers share"),
    )
    yield Chips([_again(shown), _other(shown)])


def _again(shown: Shown) -> Chip:
    """Without changes, of the example or the model."""
    begun = CHANGES.of(shown.now).get(BASE) == OF_NOTES
    values = {BASE: OF_NOTES} if begun else None
    act = _choose(shown, values, _("reset the changes"))
    return Chip(_("Reset"), act, tip=_("Show all numbers as they were"), key="reset")


def _other(shown: Shown) -> Chip:
    """Begin with the example; with the model that answers where it is begun with."""
    if is_example(shown.now):
        return Chip(
            _("Start from the loaded model"),
            _choose(shown, None, _("take this model"), ""),
            tip=_("Begin with the model that answers the other questions"),
            key="model",
        )
    values = {BASE: OF_NOTES, **dict(NOTES_CHANGES)}
    return Chip(
        _("Example: BERT base, embeddings 64 wide"),
        _choose(shown, values, _("take the example of BERT base"), NOTES),
        tip=_(
            "Begins with BERT base: 30,000 × 64 + 64 × 768 numbers from tokens to layers "
            "in place of 30,000 × 768"
        ),
        key="notes",
    )


def _choose(
    shown: Shown, values: dict[str, Any] | None, name: str, checkpoint: str | None = None
) -> Edit:
    """Change numbers; of another model, where one is named: "" for the loaded one."""
    wanted: dict[str, Any] = {CHANGES.key: values}
    if checkpoint is not None:
        wanted[CHECKPOINT.key] = checkpoint or None
    return set_options(shown.now, wanted, name)

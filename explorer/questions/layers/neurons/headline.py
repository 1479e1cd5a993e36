"""What to look at first: how far the best neuron is from a linear probe."""

from explorer.api.question import Headline, UnitKind, beyond
from explorer.questions.layers.neurons.question import NeuronsResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal

SMALL = 0.05
"""A difference of F1 that says little."""


def headline(result: NeuronsResult) -> Headline:
    """The unit's best label, where it stands clear of saying yes of every word."""
    own = result.own
    if own is None or own.low <= own.always:
        return Headline()
    values = {
        "number": str(result.number),
        "label": own.label,
        "f1": decimal(own.f1, 2),
        "probe": decimal(own.probe, 2),
    }
    if own.high < own.probe_low:
        code = (
            N_("Neuron {number} finds “{label}” with F1 {f1}; a linear probe gets {probe}.")
            if result.unit == UnitKind.NEURON
            else N_("Head {number} finds “{label}” with F1 {f1}; a linear probe gets {probe}.")
        )
    else:
        code = (
            N_("Neuron {number} finds “{label}” as well as a linear probe: F1 {f1} and {probe}.")
            if result.unit == UnitKind.NEURON
            else N_("Head {number} finds “{label}” as well as a linear probe: F1 {f1} and {probe}.")
        )
    return Headline(Phrase(code, **values), strength=beyond(own.f1 - own.always, SMALL, 1.0))

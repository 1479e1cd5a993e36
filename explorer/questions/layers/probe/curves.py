"""What is read off each layer, as curves with the spread of the splits."""

import numpy as np

from explorer.questions.layers.probe.question import ProbeResult
from explorer.text import _
from explorer.ui.charts.description import Axis, Chart
from explorer.ui.charts.over_layers import layer_axis, over_layers


def accuracy_chart(result: ProbeResult) -> Chart:
    """The probe beside its control task and the commonest label."""
    scores = result.scores
    lines = [over_layers(_("probe"), scores.accuracy, "bar")]
    if result.withheld is not None:
        withheld = result.withheld.accuracy
        lines.append(over_layers(_("withheld words"), withheld, "bar_original", dash="dot"))
    lines += [
        over_layers(_("control task"), scores.control, "bar_second", dash="dash"),
        over_layers(
            _("majority label"),
            np.full(len(result.layers), float(scores.majority.mean())),
            "muted",
            width=1.2,
        ),
    ]
    return Chart(
        _("Accuracy"),
        _("Share of words in new sentences whose label is right."),
        tuple(lines),
        layer_axis(result.layers),
        Axis(_("accuracy"), 0.0, 1.0, grid=True),
        height=180,
    )


def selectivity_chart(result: ProbeResult) -> Chart:
    """Accuracy minus that of the control task."""
    lines = [over_layers(_("new sentences"), result.scores.selectivity, "bar")]
    if result.withheld is not None:
        withheld = result.withheld.selectivity
        lines.append(over_layers(_("withheld words"), withheld, "bar_original", dash="dot"))
    least = min(float(one.y.min() if one.band is None else one.band[0].min()) for one in lines)
    return Chart(
        _("Selectivity"),
        _("Accuracy minus that of the control task, split by split."),
        tuple(lines),
        layer_axis(result.layers),
        Axis(_("selectivity"), min(0.0, least), 1.0, grid=True, strong=(0.0,)),
        height=180,
    )

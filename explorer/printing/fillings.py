"""Joint fillings for people."""

import math

from explorer.document import Document
from explorer.questions.masking.joint_decoding.question import Filling, FillJointlyResult

BETWEEN = " · "


def show_fillings(result: FillJointlyResult, document: Document) -> None:
    """Print the fillings with both probabilities, then how the first one came about."""
    stamp = result.model
    print(f"{stamp.id}  ({stamp.family}, {stamp.dtype} on {stamp.device})")
    print(document.text if document.pair is None else f"{document.text}  |  {document.pair}")
    order = ", ".join(str(mask + 1) for mask in result.order)
    print(f"filled: {result.method.value.replace('_', ' ')}, masks in the order {order}")
    if result.note:
        print(result.note)
    rows = [(str(rank), one) for rank, one in enumerate(result.fillings, start=1)]
    if result.independent is not None:
        rows.append(("each alone", result.independent))
    labels = [BETWEEN.join(one.words) for _, one in rows]
    first = max(len(rank) for rank, _ in rows)
    width = max(len(label) for label in labels)
    print(f"\n{'':<{first}}  {'':<{width}}    together  each alone  log ratio")
    for (rank, filling), words in zip(rows, labels, strict=True):
        print(f"{rank:>{first}}  {words:<{width}}  {_numbers(filling)}".rstrip())
    if len(result.steps) > 1:
        print("\nstep  mask  word             now       alone     KL (nats)  belief moved")
        best = result.fillings[0]
        for number, step in enumerate(result.steps, start=1):
            chosen = best.chosen[step.mask]
            alone = best.alone[step.mask].probability if best.alone else None
            print(
                f"{number:4}  {step.mask + 1:4}  {chosen.word:<15}  {_shown(chosen.probability)}"
                f"  {_shown(alone)}  {_plain(step.kl):>9}  {_percent(step.total_variation):>12}"
            )


def _numbers(filling: Filling) -> str:
    log = filling.log_independent
    if log is None:
        return f"{_shown(math.exp(filling.log_joint)):>10}"
    ratio = filling.log_joint - log
    return f"{_shown(math.exp(filling.log_joint)):>10}  {_shown(math.exp(log)):>10}  {ratio:+9.3f}"


def _shown(value: float | None) -> str:
    if value is None:
        return f"{'-':>8}"
    return f"{value:8.4f}" if value >= 0.0001 else f"{value:8.1e}"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value * 100:.1f} %"

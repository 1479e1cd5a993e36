"""What is known of a checkpoint before it is loaded, and what went wrong with it."""

import html

from PySide6.QtWidgets import QTextBrowser, QWidget

from explorer.api import Blame, Checkpoint, Failure, ModelCard, Source
from explorer.questions import all_operations
from explorer.text.quantities import in_bytes, took
from explorer.ui.theme.schemes import current_theme, theme_signals

ATTENTION_LENGTHS = (128, 512)

BLAMED = {
    Blame.USER: "",
    Blame.CHECKPOINT: "The checkpoint's files are at fault.",
    Blame.PLUGIN: "The family's plugin is at fault.",
    Blame.MACHINE: "",
    Blame.BUG: "This is a bug in the program.",
}


class CheckpointDetails(QTextBrowser):
    """A read-only page about one checkpoint; texts can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checkpoint_details")
        self.setAccessibleName("About the checkpoint")
        self.setOpenLinks(False)
        self.setMinimumHeight(120)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self._said: tuple[Checkpoint | None, str, Failure | None, ModelCard | None]
        self._said = (None, "", None, None)
        theme_signals().changed.connect(self._recolour)

    def show_checkpoint(
        self,
        checkpoint: Checkpoint | None,
        doing: str = "",
        failure: Failure | None = None,
        card: ModelCard | None = None,
    ) -> None:
        """Describe a checkpoint.

        Args:
            checkpoint: None for an empty page.
            doing: What goes on with it now ("Reading weights, 40 %").
            failure: Why the latest load or download failed.
            card: What loading it told, where it is loaded.
        """
        said = (checkpoint, doing, failure, card)
        if said == self._said:
            return
        same = checkpoint is not None and self._said[0] is not None
        same = same and checkpoint.id == self._said[0].id  # type: ignore[union-attr]
        place = self.verticalScrollBar().value() if same else 0
        self._said = said
        self._fill()
        self.verticalScrollBar().setValue(place)

    def _recolour(self, _theme: object) -> None:
        self._fill()

    def _fill(self) -> None:
        checkpoint, doing, failure, card = self._said
        if checkpoint is None:
            self.setHtml(_paragraph("Choose a checkpoint to read about it here.", "muted"))
            return
        parts = [f"<p style='margin:0 0 2px 0'><b>{html.escape(checkpoint.title)}</b></p>"]
        if checkpoint.architecture:
            parts.append(_paragraph(checkpoint.architecture))
        if doing:
            parts.append(_paragraph(doing, "accent"))
        if failure is not None:
            parts.append(_failed(failure))
        elif checkpoint.problem:
            is_fault = checkpoint.source is not Source.CONFIG
            parts.append(_paragraph(checkpoint.problem, "danger" if is_fault else "muted"))
            parts.append(_paragraph(checkpoint.hint))
        if checkpoint.note:
            parts.append(_paragraph(checkpoint.note))
        parts.append(_table(_facts(checkpoint, card)))
        parts.append(_heads(checkpoint))
        self.setHtml("".join(part for part in parts if part))


def _paragraph(text: str, colour: str = "text") -> str:
    if not text:
        return ""
    tint = current_theme().colour(colour).name()
    return f"<p style='margin:0 0 6px 0; color:{tint}'>{html.escape(text)}</p>"


def _failed(failure: Failure) -> str:
    page = _paragraph(failure.said, "danger")
    page += _paragraph(" ".join(p for p in (failure.advice, BLAMED[failure.blame]) if p))
    if failure.traceback and failure.blame is not Blame.USER:
        tint = current_theme().muted.name()
        page += (
            f"<p style='margin:0; color:{tint}'>Details</p>"
            f"<pre style='color:{tint}; white-space:pre-wrap'>{html.escape(failure.traceback)}"
            "</pre>"
        )
    return page


def _facts(checkpoint: Checkpoint, card: ModelCard | None) -> list[tuple[str, str]]:
    memory = ", ".join(
        f"{in_bytes(count)} as {dtype}" for dtype, count in checkpoint.weights_bytes.items()
    )
    known = checkpoint.attention_bytes
    attention = ", ".join(
        f"{in_bytes(known[length])} at {length} tokens"
        for length in ATTENTION_LENGTHS
        if length in known
    )
    operations = ", ".join(_title(name) for name in checkpoint.operations)
    facts = [
        ("Recognised", checkpoint.recognition),
        ("Parameters", f"{checkpoint.parameters:,}" if checkpoint.parameters else ""),
        ("File size", in_bytes(checkpoint.size_bytes) if checkpoint.size_bytes else ""),
        ("Weights in memory", memory),
        ("All attentions", attention),
        ("Longest input", f"{checkpoint.max_length:,} tokens" if checkpoint.max_length else ""),
        ("Answers", operations),
        ("Other half", _other_half(checkpoint)),
        ("Taught by", checkpoint.teacher),
        ("Languages", checkpoint.languages),
        ("Licence", checkpoint.licence),
        (
            "Weights file",
            "a pickle: you are asked before it is opened" if checkpoint.pickled else "",
        ),
        ("Folder", checkpoint.folder or ""),
    ]
    if card is not None:
        facts += _loaded_facts(card)
    return [(name, value) for name, value in facts if value]


def _other_half(checkpoint: Checkpoint) -> str:
    """Which checkpoint it makes a pair with."""
    if not checkpoint.partner:
        return ""
    judges = "replaced_tokens" in checkpoint.operations
    return f"{'generator' if judges else 'discriminator'}: {checkpoint.partner}"


def _title(operation: str) -> str:
    known = all_operations().get(operation)
    return known.title.lower() if known is not None else operation.replace("_", " ")


def _loaded_facts(card: ModelCard) -> list[tuple[str, str]]:
    report = card.report
    tensors = [f"{report.found:,} taken from the files"]
    if report.missing:
        tensors.append(f"{len(report.missing):,} missing: {_few(report.missing)}")
    if report.unexpected:
        tensors.append(f"{len(report.unexpected):,} not used: {_few(report.unexpected)}")
    return [
        ("Runs on", f"{card.stamp.device} as {card.stamp.dtype}"),
        ("In memory now", in_bytes(card.weights_bytes)),
        ("Tensors", ", ".join(tensors)),
        ("Loaded in", took(card.duration)),
        ("Fingerprint", card.stamp.fingerprint),
    ]


def _few(names: tuple[str, ...], limit: int = 3) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


def _table(facts: list[tuple[str, str]]) -> str:
    tint = current_theme().muted.name()
    rows = "".join(
        f"<tr><td style='color:{tint}; padding:1px 10px 1px 0'>{name}</td>"
        f"<td style='padding:1px 0'>{html.escape(value)}</td></tr>"
        for name, value in facts
    )
    return f"<table cellspacing='0' style='margin:2px 0 6px 0'>{rows}</table>" if rows else ""


def _heads(checkpoint: Checkpoint) -> str:
    if not checkpoint.heads:
        return ""
    theme = current_theme()
    lines = []
    for head in checkpoint.heads:
        mark, tint = ("✓", theme.positive) if head.present else ("✗", theme.muted)
        why = "" if head.present else f" ({_missing(head.missing)})"
        lines.append(
            f"<p style='margin:0'><span style='color:{tint.name()}'>{mark}</span> "
            f"{html.escape(head.title + why)}</p>"
        )
    return f"<p style='margin:0; color:{theme.muted.name()}'>Heads</p>" + "".join(lines)


def _missing(names: tuple[str, ...]) -> str:
    return f"not in the files: {_few(names, 2)}" if names else "not in the files"

"""What is known of a checkpoint before it is loaded, and what went wrong with it."""

import html
from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtWidgets import QTextBrowser, QWidget

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import Blame, Failure, ModelCard
from explorer.choosing.room import fitting
from explorer.machine.free_memory import free_memory
from explorer.questions import all_questions
from explorer.text import N_, _, ngettext, said
from explorer.text.formatting.numbers import whole
from explorer.text.formatting.quantities import in_bytes, took
from explorer.text.lists import any_of
from explorer.ui.controls.facts_table import facts_table
from explorer.ui.theme.schemes import current_theme, theme_signals
from explorer.ui.views import listed

ATTENTION_LENGTHS = (128, 512)
NO_TITLES: Mapping[str, str] = MappingProxyType({})

BLAMED = {
    Blame.USER: "",
    Blame.CHECKPOINT: N_("The checkpoint's files are at fault."),
    Blame.PLUGIN: N_("The family's plugin is at fault."),
    Blame.MACHINE: "",
    Blame.BUG: N_("This is a bug in the program."),
}


class CheckpointDetails(QTextBrowser):
    """A read-only page about one checkpoint; texts can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checkpoint_details")
        self.setAccessibleName(_("About the checkpoint"))
        self.setOpenLinks(False)
        self.setMinimumHeight(120)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self._told: tuple[
            Checkpoint | None, str, Failure | None, ModelCard | None, Mapping[str, str]
        ]
        self._told = (None, "", None, None, NO_TITLES)
        self._with_traceback = False
        self.anchorClicked.connect(self._toggle_traceback)
        theme_signals().changed.connect(self._recolour)

    def show_checkpoint(
        self,
        checkpoint: Checkpoint | None,
        doing: str = "",
        failure: Failure | None = None,
        card: ModelCard | None = None,
        titles: Mapping[str, str] = NO_TITLES,
    ) -> None:
        """Describe a checkpoint.

        Args:
            checkpoint: None for an empty page.
            doing: What goes on with it now ("Reading weights, 40 %").
            failure: Why the latest load or download failed.
            card: What loading it told, where it is loaded.
            titles: Of the checkpoints that it names, by id.
        """
        told = (checkpoint, doing, failure, card, titles)
        if told == self._told:
            return
        same = checkpoint is not None and self._told[0] is not None
        same = same and checkpoint.id == self._told[0].id  # type: ignore[union-attr]
        place = self.verticalScrollBar().value() if same else 0
        self._with_traceback = self._with_traceback and failure == self._told[2]
        self._told = told
        self._fill()
        self.verticalScrollBar().setValue(place)

    def _toggle_traceback(self, _url: object = None) -> None:
        """Show what only a developer reads, or hide it again."""
        self._with_traceback = not self._with_traceback
        place = self.verticalScrollBar().value()
        self._fill()
        self.verticalScrollBar().setValue(place)

    def _recolour(self, _theme: object) -> None:
        self._fill()

    def _fill(self) -> None:
        checkpoint, doing, failure, card, titles = self._told
        if checkpoint is None:
            self.setHtml(_paragraph(_("Choose a checkpoint to read about it here."), "muted"))
            return
        parts = [f"<p style='margin:0 0 2px 0'><b>{html.escape(checkpoint.title)}</b></p>"]
        if checkpoint.architecture:
            parts.append(_paragraph(said(checkpoint.architecture)))
        if doing:
            parts.append(_paragraph(doing, "accent"))
        if failure is not None:
            parts.append(_failed(failure, whole=self._with_traceback))
        elif checkpoint.problem:
            is_fault = checkpoint.source is not Source.CONFIG
            parts.append(_paragraph(said(checkpoint.problem), "danger" if is_fault else "muted"))
            parts.append(_paragraph(said(checkpoint.hint)))
        if checkpoint.note:
            parts.append(_paragraph(said(checkpoint.note)))
        parts.append(facts_table(_facts(checkpoint, card, titles)))
        parts.append(_heads(checkpoint))
        parts.append(_answers(checkpoint))
        self.setHtml("".join(part for part in parts if part))


def _paragraph(text: str, colour: str = "text") -> str:
    if not text:
        return ""
    tint = current_theme().colour(colour).name()
    return f"<p style='margin:0 0 6px 0; color:{tint}'>{html.escape(text)}</p>"


def _failed(failure: Failure, *, whole: bool) -> str:
    """What went wrong; the traceback behind a link, for most readers are helped by the advice."""
    page = _paragraph(failure.said, "danger")
    page += _paragraph(" ".join(p for p in (failure.advice, _(BLAMED[failure.blame])) if p))
    if failure.traceback and failure.blame is not Blame.USER:
        theme = current_theme()
        link_text = _("Hide details") if whole else _("Show details")
        link = f"<a href='details' style='color:{theme.accent.name()}'>{link_text}</a>"
        page += f"<p style='margin:0 0 6px 0'>{link}</p>"
        if whole:
            style = f"color:{theme.muted.name()}; white-space:pre-wrap"
            page += f"<pre style='{style}'>{html.escape(failure.traceback)}</pre>"
    return page


def _facts(
    checkpoint: Checkpoint, card: ModelCard | None, titles: Mapping[str, str]
) -> list[tuple[str, str]]:
    memory = ", ".join(
        _("{size} as {dtype}", size=in_bytes(count), dtype=dtype)
        for dtype, count in checkpoint.weights_bytes.items()
    )
    known = checkpoint.attention_bytes
    attention = ", ".join(
        _("{size} at {count} tokens", size=in_bytes(known[length]), count=length)
        for length in ATTENTION_LENGTHS
        if length in known
    )
    facts = [
        (_("Recognised"), said(checkpoint.recognition)),
        (_("Parameters"), whole(checkpoint.parameters) if checkpoint.parameters else ""),
        (_("File size"), in_bytes(checkpoint.size_bytes) if checkpoint.size_bytes else ""),
        (_("Weights in memory"), memory),
        (_("Free memory"), "" if card is not None else _room(checkpoint)),
        (_("All attentions"), attention),
        (
            _("Longest input"),
            ngettext("{count} token", "{count} tokens", checkpoint.max_length)
            if checkpoint.max_length
            else "",
        ),
        (_("Other half"), _other_half(checkpoint, titles)),
        (_("Taught by"), titles.get(checkpoint.teacher, checkpoint.teacher)),
        (_("Languages"), _(checkpoint.languages)),
        (_("Licence"), _(checkpoint.licence)),
        (
            _("Weights file"),
            _("a pickle: you are asked before it is opened") if checkpoint.pickled else "",
        ),
        (_("Folder"), checkpoint.folder or ""),
    ]
    if card is not None:
        facts += _loaded_facts(card)
    return [(name, value) for name, value in facts if value]


def _other_half(checkpoint: Checkpoint, titles: Mapping[str, str]) -> str:
    """Which checkpoint it makes a pair with."""
    if not checkpoint.partner:
        return ""
    title = titles.get(checkpoint.partner, checkpoint.partner)
    judges = "replaced_tokens" in checkpoint.operations
    if judges:
        return _("generator: {title}", title=title)
    return _("discriminator: {title}", title=title)


def _room(checkpoint: Checkpoint) -> str:
    """Whether there is room for its weights, and where not, for which there is."""
    sizes, free = checkpoint.weights_bytes, free_memory()
    whole = sizes.get("float32", 0)
    if not whole or checkpoint.problem:
        return ""
    if whole <= free:
        return in_bytes(free)
    found = [_(one) for one in fitting(checkpoint, free)]
    if not found:
        return _("{free}: too little for this model", free=in_bytes(free))
    return _(
        "{free}: too little for float32; there is room for {fitting}",
        free=in_bytes(free),
        fitting=any_of(found),
    )


def _loaded_facts(card: ModelCard) -> list[tuple[str, str]]:
    report = card.report
    tensors = [_("{found} taken from the files", found=report.found)]
    if report.missing:
        tensors.append(
            _("{count} missing: {names}", count=len(report.missing), names=_few(report.missing))
        )
    if report.unexpected:
        tensors.append(
            _(
                "{count} not used: {names}",
                count=len(report.unexpected),
                names=_few(report.unexpected),
            )
        )
    return [
        (_("Runs on"), _("{device} as {dtype}", device=card.stamp.device, dtype=card.stamp.dtype)),
        (_("In memory now"), in_bytes(card.weights_bytes)),
        (_("On the disk now"), in_bytes(card.disk_bytes) if card.disk_bytes else ""),
        (_("Tensors"), ", ".join(tensors)),
        (_("Loaded in"), took(card.duration)),
        (_("Fingerprint"), card.stamp.fingerprint),
    ]


def _few(names: tuple[str, ...], limit: int = 3) -> str:
    listed = ", ".join(names[:limit])
    if len(names) <= limit:
        return listed
    return _("{names} and {count} more", names=listed, count=len(names) - limit)


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
            f"{html.escape(_(head.title) + why)}</p>"
        )
    title = html.escape(_("Heads"))
    return f"<p style='margin:6px 0 0 0'><b>{title}</b></p>" + "".join(lines)


def _answers(checkpoint: Checkpoint) -> str:
    """The pages that it answers, topic by topic, as the tree of pages has them."""
    left = dict.fromkeys(checkpoint.operations)
    topics: dict[str, list[str]] = {}
    for one in listed():
        if one.of.name in left:
            del left[one.of.name]
            topics.setdefault(_(one.heading), []).append(_(one.of.title))
    if left:
        known = all_questions()
        names = (_(known[one].title) if one in known else one.replace("_", " ") for one in left)
        topics.setdefault(_("Others"), []).extend(names)
    if not topics:
        return ""
    title = html.escape(_("Pages that it answers"))
    lines = facts_table((topic, ", ".join(names)) for topic, names in topics.items())
    return f"<p style='margin:6px 0 0 0'><b>{title}</b></p>{lines}"


def _missing(names: tuple[str, ...]) -> str:
    return _("not in the files: {names}", names=_few(names, 2)) if names else _("not in the files")

"""How an answer came about: the one record that captions, tables and files of pictures tell."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from explorer.api.question import BY_NAME, MODEL, SLOTS, Mask, ModelStamp, Question
from explorer.api.question.options.asks import asked_fields
from explorer.api.question.options.values import in_words, quoted
from explorer.api.question.roles import TITLES
from explorer.document import Document, ranges_of
from explorer.questions import all_questions
from explorer.sessions.export.settings import (
    ChangedSetting,
    asked_each_time,
    asked_with,
    every_setting,
    looked_at_with,
)
from explorer.sessions.records import LoggedRun, StoredRun
from explorer.text import _
from explorer.text.formatting import dates


@dataclass(frozen=True)
class Provenance:
    """How an answer came about.

    Attributes:
        operation: The question's name; it may be known no more.
        document: The one that asked.
        request: As it was logged; None where it can't be read.
        result: The answer; None where it can't be read.
        models: Who played which role, in the order of the roles.
        seed: What random numbers were drawn with.
        versions: Of the program and what it stands on.
        created_at: When it was answered, in ISO 8601.
        is_brief: Models are told by their ids alone, as where all are told of at one place.
    """

    operation: str
    document: Document
    request: Any
    result: Any = None
    models: Mapping[str, ModelStamp] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    created_at: str = ""
    is_brief: bool = False

    @classmethod
    def of(cls, run: LoggedRun, created_at: str) -> Self:
        """Of a run that was answered just now."""
        return cls(
            run.operation,
            run.document,
            run.request,
            run.result,
            everybody(run.question, run.models, run.model),
            run.seed,
            run.versions,
            created_at,
        )

    @classmethod
    def of_stored(cls, run: StoredRun) -> Self:
        """Of a run that was read back."""
        return cls(
            run.summary.operation,
            run.document,
            run.request,
            run.result,
            everybody(all_questions().get(run.summary.operation), run.models, run.model),
            run.seed,
            run.versions,
            run.summary.created_at,
        )

    @property
    def question(self) -> Question[Any, Any] | None:
        """What was asked; None where the question is known no more."""
        return all_questions().get(self.operation)

    def settings(self) -> tuple[ChangedSetting, ...]:
        """What was set, of all that is not the usual."""
        known = self.question
        return () if known is None else tuple(asked_with(known, self.request, self.document))

    def said(self, *, in_file: bool = True, looked_at: Document | None = None) -> str:
        """One paragraph for below a picture or beside a table.

        Args:
            in_file: It goes into a file with rows, where moments stay in ISO 8601; else people
                read it, in their language and the time of their place.
            looked_at: The document whose settings of how to look at it are told too; None where
                they change nothing of what is told about.
        """
        settings = [*self.settings(), *self._looks(looked_at)]
        sentences = [self._title(), *self._models(), *self._texts(), *_said(settings)]
        if self.request is None:
            sentences.append(_("What it was set to can't be read."))
        sentences += self._made_from()
        sentences += self._drawn_with()
        if self.versions:
            told = (f"{name} {number}" for name, number in self.versions.items())
            sentences.append(", ".join(told) + ".")
        if self.created_at:
            when = self.created_at if in_file else dates.in_full(self.created_at)
            sentences.append(f"{when}.")
        return " ".join(sentences)

    def said_as_pinned(self) -> str:
        """The same of an answer that another one is compared with: who, and what was asked."""
        told = [*self._models(), *self._texts(), *_said(self.settings()), *self._drawn_with()]
        return " ".join([_("Compared with the pinned answer:"), *told])

    def as_fields(self) -> dict[str, Any]:
        """The same for programs, as JSON has it."""
        known = self.question
        text, pair, masks = self.asked_of()
        return {
            "operation": self.operation,
            "models": [
                {
                    "role": role or MODEL,
                    "id": stamp.id,
                    "family": stamp.family,
                    "fingerprint": stamp.fingerprint,
                    "dtype": stamp.dtype,
                    "device": stamp.device,
                }
                for role, stamp in self.models.items()
            ],
            "text": text,
            "pair": pair,
            "masks": [
                {"start": one.start, "end": one.end, "part": one.part} for one in ranges_of(masks)
            ],
            "options": {} if known is None else every_setting(known, self.request),
            "seed": self.seed,
            "versions": dict(self.versions),
            "created_at": self.created_at,
        }

    def asked_of(self) -> tuple[str, str | None, tuple[Mask, ...]]:
        """The texts that were asked about and what is masked in them; "" for no text."""
        if self.request is None:
            known, asked = self.question, self.document
            reads = known is None or known.reads_text
            return (asked.text, asked.pair, asked.masks) if reads else ("", None, ())
        text, pair = getattr(self.request, "text", ""), getattr(self.request, "pair", None)
        return text, pair, getattr(self.request, "masks", ())

    def _title(self) -> str:
        known = self.question
        english = self.operation if known is None else known.title
        title = self.operation if known is None else _(known.title)
        if english.lower().replace(" ", "_") != self.operation:
            title += f" ({self.operation})"
        return f"{title}."

    def _models(self) -> list[str]:
        told = by_id if self.is_brief else of_model
        return [told(role, stamp) for role, stamp in self.models.items()] or [_("No model.")]

    def _texts(self) -> list[str]:
        text, pair, masks = self.asked_of()
        parts = (text, pair or "")
        sentences = [_ended(_("Text: {text}", text=quoted(text)))] if text else []
        if pair is not None:
            sentences.append(_ended(_("Second text: {text}", text=quoted(pair))))
        if masks:
            words = (in_words(parts[one.part][one.start : one.end]) for one in ranges_of(masks))
            sentences.append(_("Masked: {words}.", words=", ".join(words)))
        each = None if self.question is None else asked_each_time(self.question, self.request)
        entities = getattr(self.request if each is None else each[1], "entities", ())
        if entities == BY_NAME:
            sentences.append(_("Entities: those whose names are in the text."))
        elif entities:
            named = (f"{in_words(parts[e.part][e.start : e.end])} = {e.entity}" for e in entities)
            sentences.append(_("Entities: {words}.", words=", ".join(named)))
        return sentences

    def _looks(self, document: Document | None) -> tuple[ChangedSetting, ...]:
        known = self.question
        if known is None or document is None:
            return ()
        return tuple(looked_at_with(known, document))

    def _drawn_with(self) -> list[str]:
        """The seed, where anything was drawn."""
        known = self.question
        own = None if known is None else asked_fields(known.request).get("seed")
        if known is None or own is None or own.option.applies(self.document):
            draws = bool(self.seed) or hasattr(self.request, "seed")
        else:
            # The document says that it means nothing; a request of elsewhere may know better.
            draws = known.request_among(self.document, {}, SLOTS[0]) != self.request
        return [_("Seed {seed}.", seed=str(self.seed))] if draws else []

    def _made_from(self) -> list[str]:
        known = self.question
        if known is None or known.made_from is None or self.result is None:
            return []
        # One of a plugin that fails must not cost the caption.
        with contextlib.suppress(Exception):
            return [one for one in known.made_from(self.result) if one]
        return []


def everybody(
    question: Question[Any, Any] | None,
    models: Mapping[str, ModelStamp],
    answering: ModelStamp | None,
) -> Mapping[str, ModelStamp]:
    """All models of an answer by role: one that was only counted from its config, too."""
    if answering is None or answering in models.values():
        return models
    role = (question.first_role if question is not None else "") or MODEL
    return {role: answering, **{one: stamp for one, stamp in models.items() if one != role}}


def of_model(role: str, stamp: ModelStamp) -> str:
    """Who played a role, by its id: its family, weights and number type.

    Args:
        role: As a request names it, or words of the catalogue.
        stamp: Who.
    """
    told = {
        "role": _(TITLES.get(role or MODEL, role)),
        "model": stamp.id,
        "family": stamp.family,
        "fingerprint": stamp.fingerprint[:12],
    }
    if not stamp.dtype:
        # Its tokenizer alone was read; one that was trained here has no family either.
        if not stamp.family:
            return _("{role}: {model} (fingerprint {fingerprint}).", **told)
        return _("{role}: {model} (family {family}, fingerprint {fingerprint}).", **told)
    return _(
        "{role}: {model} (family {family}, fingerprint {fingerprint}, {dtype} on {device}).",
        **told,
        dtype=stamp.dtype,
        device=stamp.device,
    )


def by_id(role: str, stamp: ModelStamp) -> str:
    """Who played a role, where all models are told of at one place.

    Args:
        role: As a request names it, or words of the catalogue.
        stamp: Who.
    """
    told = {"role": _(TITLES.get(role or MODEL, role)), "model": stamp.id}
    return _("{role}: {model}.", **told)


def _said(settings: Sequence[ChangedSetting]) -> list[str]:
    if not settings:
        return []
    return [_("Settings: {settings}.", settings="; ".join(one.said for one in settings))]


def _ended(sentence: str) -> str:
    """With its full stop, unless what it quotes last has one."""
    return sentence if sentence.endswith((".”", "!”", "?”", "…”")) else f"{sentence}."

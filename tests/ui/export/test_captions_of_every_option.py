"""Every option of every question, turned: the caption of picture, rows and export tells it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from explorer.api.question import (
    SLOTS,
    Choice,
    FilePath,
    HeadChoice,
    HeadPlace,
    Items,
    ModelCard,
    ModelStamp,
    Number,
    Numbers,
    Option,
    Places,
    Question,
    Share,
    Switch,
    Whole,
    WordList,
    Words,
)
from explorer.document import Document
from explorer.questions import all_questions
from explorer.questions.attention.disentangled_attention.question import Off, OffOption
from explorer.questions.attention.head_ablation.question import HeadsOption
from explorer.questions.detection.drawing import RATE
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import StoredRun
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.shown import Origin, Pinned, Shown
from tests.ui.fake_engine import MINIATURE, card_of
from tests.ui.pages import kind_of

STORED = Path(__file__).parents[2] / "stored_runs"

TOLD_OTHERWISE = {
    "layer_similarity.source english": "without a file it is the small world in English anyway",
}
"""What may be turned without another caption, and why: it is the same answer."""

pytestmark = pytest.mark.usefixtures("qapp")


@cache
def runs() -> Mapping[str, StoredRun]:
    """A recorded answer of each question."""
    found: dict[str, StoredRun] = {}
    for file in sorted(STORED.glob("*.db"), reverse=True):
        reader = SessionReader(file)
        for one in reader.runs():
            run = reader.run(one.id)
            if run.request is not None and run.result is not None:
                found.setdefault(one.operation, run)
    return found


@cache
def cards(name: str) -> Mapping[str, ModelCard]:
    """The models of a recorded answer as they would be loaded, and another beside a single one."""
    stamps = [*runs()[name].models.values(), ModelStamp("another", "bert", "f" * 32, "cpu", "x")]
    able = {
        "operations": tuple(all_questions()),
        "languages": ("another", "word"),
        "stacks": tuple((kind, 12, 12) for kind in ("encoder", "decoder", "cross")),
    }
    return {
        slot: replace(card_of(MINIATURE, slot), stamp=stamp, **able)
        for slot, stamp in zip(SLOTS, stamps, strict=False)
    }


def others(option: Option[Any], document: Document) -> Iterator[Any]:
    """Values that an option may be turned to."""
    now = option.of(document)
    kinds = (kind for kind in VALUES if isinstance(option, kind))
    found = next(kinds, type(option.default))
    yield from (one for one in VALUES[found](option) if one != now)


VALUES: Mapping[type, Callable[[Any], Iterable[Any]]] = {
    Switch: lambda _: (True, False),
    HeadChoice: lambda _: ("1.1", "mean"),
    Choice: lambda one: (*(e.value for e in one.entries), *(("another",) if one.is_open else ())),
    Whole: lambda one: (one.default + 1, one.low, one.high),
    Share: lambda _: (0.3, 0.25, 0.05),
    Number: lambda one: (one.low, one.high),
    FilePath: lambda _: ("/tmp/another.txt",),
    Words: lambda _: ("one | another", "another | one"),
    WordList: lambda _: (("another", "word"), ("word",)),
    Numbers: lambda one: (tuple(value + one.step for value in one.default),),
    Places: lambda one: (tuple(range(1, one.count + 1)),),
    Items: lambda _: ((1, 2),),
    OffOption: lambda _: ((Off("c2p"), Off("p2c")), (Off("absolute"),), (Off("c2p", 1, 0),)),
    HeadsOption: lambda _: ((HeadPlace("encoder", 1, 0),),),
    dict: lambda _: ({"layers": 3}, {"heads": 2}),
    list: lambda _: (["some"],),
}
"""What an option of a kind may be turned to; what is no value of it is left out."""


def turned(option: Option[Any], value: Any, document: Document) -> Document:
    """A document with an option set, as its widget sets it."""
    if "." not in option.key:
        return replace(document, **{option.key: value})
    return document.with_option(option.key, option.written_in(document, value))


@dataclass(frozen=True)
class Asked:
    """What would be logged of a document."""

    document: Document = field(compare=False)
    request: Any
    models: Mapping[str, ModelStamp]

    @staticmethod
    def of(question: Question[Any, Any], document: Document) -> "Asked":
        here = cards(question.name)
        cast = question.cast(here, SLOTS[0], document)
        models = {role: here[slot].stamp for role, slot in cast.items() if slot in here}
        request = question.request_among(document, here, SLOTS[0])
        return Asked(document, request, models)

    def captions(self, question: Question[Any, Any]) -> dict[str, Any]:
        """What stands below its picture and next to its rows, and what its export says."""
        page: Page = kind_of(question.name).declared
        run = runs()[question.name]
        shown = Shown(run.result, self.document, self.document)
        seed = getattr(self.request, "seed", 0)
        origin = Origin("2026-01-01", seed, request=self.request, models=self.models)
        record = Provenance(question.name, self.document, self.request, None, self.models, seed)
        fields = record.as_fields()
        return {
            "picture": page.legend(shown, origin),
            "rows": page.legend(shown, origin, rows=True, in_file=True),
            "export": {name: fields[name] for name in ("options", "models", "seed", "text")},
        }


def begun(option: Option[Any], question: Question[Any, Any]) -> Document:
    """A document that asks something, and in which an option means something."""
    recorded = runs()[question.name].document
    if question.name == "file_of_sentences":
        recorded = recorded.with_option("file_of_sentences.path", "/tmp/some.txt")
    plain = recorded if question.name == "file_of_sentences" else replace(recorded, options=())
    first = [plain, replace(plain, masks=()), recorded]
    if question.name == "file_of_sentences":
        # The recorded one asks two models; some options are of what one answers.
        first.append(recorded.with_option("file_of_sentences.operation", "surprisal"))
    every = [*first, *(more for one in first for more in steps(question, one))]
    further = (more for one in every for more in steps(question, one))
    found = None
    # The further ones are very many, and hardly ever asked for.
    for document in chain(every, further):
        asked = Asked.of(question, document)
        if option.applies(document) and asked.request is not None:
            if option.redraws or any(
                Asked.of(question, turned(option, value, document)) != asked
                for value in others(option, document)
            ):
                return document
            found = found or document
    assert found is not None, f"{option.key} never means anything"
    return found


def steps(question: Question[Any, Any], document: Document) -> Iterator[Document]:
    """A document with one option of a question turned."""
    for one in question.options:
        for value in others(one, document):
            yield turned(one, value, document)


EVERY = [(name, one) for name, of in all_questions().items() for one in of.options]


@pytest.mark.parametrize(("name", "option"), EVERY, ids=[f"{n} {o.key}" for n, o in EVERY])
def test_an_option_that_is_turned_is_told(name, option):
    question = all_questions()[name]
    document = begun(option, question)
    before = Asked.of(question, document)
    assert before.request is not None
    told = before.captions(question)
    values = {
        str(one): there
        for one in others(option, document)
        if option.of(there := turned(option, one, document)) == one
    }
    assert values
    seen, asked = {told["picture"]}, []
    for value, there in values.items():
        after = Asked.of(question, there)
        said = after.captions(question)
        if f"{option.key} {value}" in TOLD_OTHERWISE:
            assert (after.request, after.models) == (before.request, before.models)
            continue
        if not option.redraws and after in asked:
            continue  # values that the question takes for one
        asked.append(after)
        # Nor do two of its values have the same words.
        assert said["picture"] not in seen, value
        seen.add(said["picture"])
        if not option.redraws:
            assert said["rows"] != told["rows"], value
        if (after.request, after.models) != (before.request, before.models):
            assert said["export"] != told["export"], value


@pytest.mark.parametrize("name", sorted(all_questions()))
def test_every_model_of_an_answer_is_named_with_its_weights(name):
    run = runs()[name]
    page: Page = kind_of(name).declared
    shown = Shown(run.result, run.document, run.document)
    for said in (
        page.legend(shown, Origin.of(run)),
        page.legend(shown, Origin.of(run), rows=True, in_file=True),
    ):
        # Who answers may be a checkpoint that is not loaded, whoever is.
        for stamp in (run.model, *tuple(run.models.values())[1:]):
            if stamp is None:
                continue
            assert f": {stamp.id} (" in said
            assert f"fingerprint {stamp.fingerprint[:12]}" in said


def test_a_picture_tells_what_it_is_compared_with():
    run = runs()["replaced_tokens"]
    page: Page = kind_of("replaced_tokens").declared
    then = turned(RATE, 0.9, replace(run.document, masks=()))
    asked = Asked.of(all_questions()["replaced_tokens"], then)
    origin = Origin("2026-01-01", 3, request=asked.request, models=run.models)
    shown = Shown(run.result, run.document, run.document, Pinned(run.result, then, origin))
    said = page.legend(shown, Origin.of(run)).partition("Compared with the pinned answer: ")[2]
    assert "Generator: " in said
    assert "Replaced = 90 %" in said
    assert "Seed 3." in said

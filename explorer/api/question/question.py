"""What a user can ask of models: a request, a result, and a function between them."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Generic, TypeVar

from explorer.api.context import Context
from explorer.api.entities import with_entities
from explorer.api.model import ModelCard, ModelStamp
from explorer.api.question.absorbed import Absorbed
from explorer.api.question.answered import Answered
from explorer.api.question.beside import computed, is_beside
from explorer.api.question.conditions import Asking, Condition, missing
from explorer.api.question.details import BESIDE, Detail
from explorer.api.question.headline import Headline, stated
from explorer.api.question.listing import Listing
from explorer.api.question.needs import Need
from explorer.api.question.options.asks import OF_DOCUMENT, Asks, Loaded, asked_fields
from explorer.api.question.options.options import Option, Optioned
from explorer.api.question.parts import part as parted
from explorer.api.question.parts.part import Part
from explorer.api.question.pool import Pool
from explorer.api.question.roles import MODEL, BySlot, Casting, Options, RoleBinding
from explorer.api.question.rows.rows import Cell, Table
from explorer.api.question.templates import Template
from explorer.api.question.upgrades import FormerOption, Upgrade
from explorer.text import N_, _
from explorer.text.language import for_programs

log = logging.getLogger(__name__)

Request = TypeVar("Request")
Result = TypeVar("Result")

READS_ENTITIES = "entities"
"""The question that every model answers that reads entities."""
LEAVES_OUT_ENTITIES = N_("The entities on the text are left out of this answer.")


def of_parts(*_result: Any, **_settings: Any) -> Any:
    """In the place of what is not declared: it follows from the parts of a result."""
    raise NotImplementedError


@dataclass(frozen=True)
class Question(Generic[Request, Result]):
    """One question a user can ask of a model.

    Each question.py in `explorer/questions` ends with one of these, named QUESTION; being there is
    the registration. So it is of `run` in a compute.py beside it, `parts` in a parts.py, and
    `headline` in a headline.py.

    Attributes:
        name: Its folder's name, and the command's: the field's term.
        title: What the window calls it.
        asks: One sentence: what it answers.
        request: The frozen, JSON-able dataclass that asks.
        result: The frozen dataclass that answers.
        run: What answers; it asks the ports of the model that plays the first role.
        table: The result's rows; those of its first part where nothing is said. It is given what
            it takes of what the question `follows`.
        parts: What its result is made of, with a typed return: `tuple[Labels, Curves]`; given the
            result, and the values of what it `follows`. On a page one that takes a `request` is
            given the one that was asked, one that takes `titles` what people read for models, by
            their ids, one that takes a `card` that of the model that answered, while it is loaded,
            and one that takes `selected` the position of the token that was turned to. None for
            the fields that are parts.
        listing: Where the window lists it.
        found_by: What people look for it by, besides its title and its question: the field's terms
            and everyday words, in every language that they are typed in, whichever the window
            speaks.
        pool: What the answers about every sentence of a file say together; None where the means
            of their rows say all.
        roles: What models do in it, in order, and the ports that each must have. The run is given
            the model of the first role; a request names no models, and no slots.
        optional: The roles that may stay empty. Where the first one is, its run is given None in
            the place of a model, and finds checkpoints in Context.shelf.
        binding: Which loaded models play the roles, where nothing else is said; None for the
            active one, or A and B in the order of the roles.
        delegates_to: The question that a request asks many times over, whose roles it has; or None.
        delegates_with: The request of that question, as it is asked each time; None where
            `delegates_to` is.
        made_from: What an answer was made from that neither texts nor settings say, in sentences:
            what was drawn, how much of a file was read. None for nothing.
        summary: The result as one row of named cells, for a table over many sentences; None for
            a question that makes no sense there. It follows from the parts, too.
        column_titles: What the summary's columns are called where they are read, as `titled` in
            column_titles.py has them, and of words that a cell may be, as "name: word"; one without
            a title is called by its name. Those of parts need not be named.
        sort_by: The summary's column that is greatest where the answer most needs a look; a table
            over many sentences begins there. "" leaves it as the file is.
        pair_field: The request's field that second sentences of a file go into.
        run_many: Answers many requests in less time than one after the other, each with its
            result or the error that it met; None where there is nothing to gain.
        cheap_variant: The question without what would take minutes; None where nothing does.
        options: What it can be set to besides the fields of its request, or where its request's
            fields stand in the bar; those that are not named here come first, in their order.
        conditions: What a document must hold before it can be asked.
        templates: Ready-made comparisons for the sheet, with this question's own settings.
        lifts_masks: What the page says where the question, which hides tokens, lifts the text's.
        leaves_out_entities: What the page says where a model that reads entities was asked without
            those that are on the text, and why.
        headline: What to look at first in an answer, as its page says above it and the list of
            runs beside it; a function of the result alone, so that it is there for a logged one,
            too. Where it is silent, as with None, the list has the first cells of the summary. Of
            parts it is that of the first one that is not silent.
        follows: Options that redraw and change the numbers that `headline` speaks of, as a
            temperature, by the names of the parameters in which it is given them. Without one it
            speaks of its default, and says which that is.
        derived: Fields that --json prints beside the result's own: arrays in another shape.
        beside: What is asked besides, of an answer and the document that asked, where another is
            to be laid beside it; None for nothing of that kind.
        drawn_beside: Blocks of what came of it on another question's page: from what is shown
            there, the detail, the position of a token or None for the whole answer, and, named
            `has_places`, whether that page has places for single tokens as well.
        tokenizer_of: The checkpoint whose tokenizer a request reads, loaded or not; "" for none.
        is_provisional: Whether an answer only says that something is not there yet: it is not
            logged, and the window does not show it again without asking. None for never.
        saves: Writes what was made besides the answer into a new folder (--save), over nothing;
            None where nothing is made.
        is_expensive: Whether a document's question is so dear, with a model and after the answer
            that is shown, that it waits for the Run button; None where it never is.
        waiting_hint: What to do then.
        warns: What must be known before a request is first run; "" for nothing.
        second_model_hint: What to do while one of two models is missing; "" for the usual words.
        upgrades: What a field that is new, gone or renamed in the request or the result needs:
            each step brings what is stored of one schema to the next. Append only; a step that
            was released is never edited.
        formerly: Names it had, the first one first. Runs, options, commands and layouts of then
            are its own still (`explorer.questions.former_names`). Append only.
        former_options: What its options were called that have another name, or whose values mean
            something else since, without the question's name. Append only.
        replaces: Questions that it answers too now, by each name they had. Append only.
        about: What its answers show and how they are read, in a paragraph of the page.
        elsewhere: Which models answer, for those that do not; "" where it is plain.
        needs_steps: Whether one of its models must be here at several steps of its training.
    """

    name: str
    title: str
    asks: str
    request: type[Request]
    result: type[Result]
    run: Callable[[Any, Request, Context], Result] = of_parts
    table: Callable[..., Table] = of_parts
    parts: parted.Making | None = None
    listing: Listing = field(default_factory=Listing)
    found_by: tuple[str, ...] = ()
    summary: Callable[[Result], Mapping[str, Cell]] | None = of_parts
    run_many: Callable[[Any, Sequence[Request], Context], Sequence[Result | Exception]] | None = (
        None
    )
    column_titles: Mapping[str, str] = field(default_factory=dict)
    pair_field: str = "pair"
    sort_by: str = ""
    pool: Pool | None = None
    roles: Mapping[str, tuple[Need, ...]] = field(default_factory=lambda: {MODEL: ()})
    optional: frozenset[str] = frozenset()
    binding: Casting | None = None
    delegates_to: "Callable[[Request], Question[Any, Any]] | None" = None
    delegates_with: Callable[[Request], Any] | None = None
    made_from: Callable[[Result], Sequence[str]] | None = None
    cheap_variant: Callable[[Request], Request] | None = None
    options: tuple[Option[Any], ...] = ()
    conditions: tuple[Condition, ...] = ()
    templates: tuple[Template, ...] = ()
    lifts_masks: str = ""
    leaves_out_entities: str = LEAVES_OUT_ENTITIES
    headline: Callable[..., Headline] | None = of_parts
    follows: Mapping[str, Option[Any]] = field(default_factory=dict)
    derived: Callable[[Result], Mapping[str, Any]] | None = None
    beside: Callable[[Result, Any], Sequence[Detail]] | None = None
    drawn_beside: Callable[..., Iterable[Any]] | None = None
    is_provisional: Callable[[Result], bool] | None = None
    saves: Callable[[Result, Path], None] | None = None
    tokenizer_of: Callable[[Request], str] | None = None
    is_expensive: Callable[[Any, ModelCard, Answered | None], bool] | None = None
    waiting_hint: str = ""
    warns: Callable[[Request], str] = lambda _request: ""
    second_model_hint: str = ""
    upgrades: tuple[Upgrade, ...] = ()
    formerly: tuple[str, ...] = ()
    former_options: Mapping[str, FormerOption] = field(default_factory=dict)
    replaces: Mapping[str, Absorbed] = field(default_factory=dict)
    about: str = ""
    elsewhere: str = ""
    needs_steps: bool = False

    def __post_init__(self) -> None:
        """Let what is not declared follow from the request's fields and the result's parts.

        Raises:
            TypeError: Its request is no Asks, nothing answers, or neither parts nor rows are told.
        """
        if not issubclass(self.request, Asks):
            raise TypeError(f"{self.name}: its request is no explorer.api.question.Asks")
        self._take_what_is_beside()
        asked = (one.option for one in asked_fields(self.request).values() if one.is_held)
        named = {one.key for one in self.options}
        first = tuple(one for one in asked if one.key not in named and one.key not in OF_DOCUMENT)
        object.__setattr__(self, "options", (*first, *self.options))
        if self.has_parts:
            self._follow_parts()
        elif self.table is of_parts:
            raise TypeError(f"{self.name} declares neither parts nor a table")
        else:
            # What can do without: an answer that is no row among others.
            for name in ("summary", "headline"):
                if getattr(self, name) is of_parts:
                    object.__setattr__(self, name, None)

    def _take_what_is_beside(self) -> None:
        home = self.request.__module__
        if self.run is of_parts and is_beside(home, "compute"):
            object.__setattr__(self, "run", computed(home))
        if self.parts is None and is_beside(home, "parts"):
            object.__setattr__(self, "parts", parted.made_of(home))
        if self.headline is of_parts and is_beside(home, "headline"):
            object.__setattr__(self, "headline", stated(home))
        if self.run is of_parts:
            raise TypeError(f"{self.name}: there is no run, and no compute.py")

    def _follow_parts(self) -> None:
        follow: dict[str, Callable[..., Any]] = {
            "table": lambda result, **settings: parted.table_of(self.parts_of(result, **settings)),
            "summary": lambda result: parted.summary_of(self.parts_of(result)),
            "headline": lambda result, **settings: parted.headline_of(
                self.parts_of(result, **settings)
            ),
        }
        for name, function in follow.items():
            if getattr(self, name) is of_parts:
                object.__setattr__(self, name, function)
        known = {one.key for one in self.options}
        looked_at = [one for one in self._options_of_parts() if one.key not in known]
        in_bar = (one for one in looked_at if one.in_bar)
        in_picture = (one for one in looked_at if not one.in_bar)
        object.__setattr__(self, "options", (*in_bar, *self.options, *in_picture))

    def _options_of_parts(self) -> list[Option[Any]]:
        """What all kinds of its parts are looked at with, under the question's name."""
        made = self.parts
        kinds = made.kinds if isinstance(made, parted.MadeBeside) else self.part_kinds
        every = {one.key: one for kind in reversed(kinds) for one in kind.OPTIONS}
        return [replace(one, key=f"{self.name}.{key}") for key, one in every.items()]

    @property
    def has_parts(self) -> bool:
        """Whether its results are made of parts."""
        return self.parts is not None or bool(parted.fields_of(self.result))

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """What the summary's columns are called, those of its parts among them."""
        return {**parted.titles_of(self.part_kinds), **self.column_titles}

    @cached_property
    def part_kinds(self) -> tuple[type[Part], ...]:
        """The kinds of parts that its results are made of."""
        if self.parts is not None:
            return parted.kinds_of(self.parts)
        return tuple(dict.fromkeys(parted.fields_of(self.result).values()))

    def parts_of(
        self,
        result: Result,
        asked: Asking | None = None,
        titles: Mapping[str, str] | None = None,
        /,
        **settings: Any,
    ) -> tuple[Part, ...]:
        """What a result is made of.

        Args:
            result: The answer.
            asked: The document that asked for it: what makes the parts is given the request of it,
                where it takes a `request`.
            titles: What people read for models, by their ids, given where `titles` are taken.
            settings: What its parts follow (`follows`); the defaults without them.
        """
        if self.parts is not None:
            if asked is not None and "request" in self.parts_take:
                asks: type[Asks] = self.request  # type: ignore[assignment]
                settings["request"] = asks.of(asked)
            if titles is not None and "titles" in self.parts_take:
                settings["titles"] = titles
            return tuple(self.parts(result, **settings))
        found = (getattr(result, name) for name in parted.fields_of(self.result))
        return tuple(one for one in found if one is not None)

    @cached_property
    def parts_take(self) -> frozenset[str]:
        """The names of what the function that makes its parts is given."""
        return frozenset() if self.parts is None else frozenset(signature(self.parts).parameters)

    @property
    def first_name(self) -> str:
        """What it was called at first: what is kept under that name stays where it is."""
        return (*self.formerly, self.name)[0]

    @property
    def schema(self) -> int:
        """The number that its stored requests and results carry: 1 before the first upgrade."""
        return 1 + len(self.upgrades)

    def request_of(self, document: Asking, cards: Sequence[ModelCard] = ()) -> Request | None:
        """The question a document asks; None where something is missing still.

        Args:
            document: The user's.
            cards: The models that are asked, in the order of the roles, where they are loaded.
        """
        return self.asked_of(document, Loaded(playing=cards))

    def request_among(
        self, document: Asking, cards: Mapping[str, ModelCard], active: str
    ) -> Request | None:
        """The question a document asks of the loaded models; None where something is missing.

        Args:
            document: The user's.
            cards: The loaded models by slot.
            active: The slot that is asked where one model is enough.
        """
        options: Any = document
        cast = self.cast(cards, active, options)
        playing = [cards[slot] for slot in cast.values() if slot in cards]
        return self.asked_of(document, Loaded(cards, active, playing))

    def asked_of(self, document: Asking, loaded: Loaded) -> Request | None:
        """The question a document asks of the models that there are; None where it lacks something.

        Args:
            document: The user's.
            loaded: The models.
        """
        if self.hint(document, loaded.playing):
            return None
        asks: type[Asks] = self.request  # type: ignore[assignment]
        request: Any = asks.of(document, loaded)
        if not request.is_whole:
            return None
        return self.with_entities_of(request, document, loaded.playing)

    def with_entities_of(
        self, request: Request, document: Asking, cards: Sequence[ModelCard] = ()
    ) -> Request:
        """A request with the document's entities, if a model is asked that reads any.

        Args:
            request: What was made of the document.
            document: The user's.
            cards: The models that are asked, in the order of the roles, where they are loaded.
        """
        entities = getattr(document, "entities", ())
        if not entities or (cards and not any(READS_ENTITIES in c.operations for c in cards)):
            return request
        return with_entities(request, entities)

    def detail(
        self, request: Request, document: Asking, model: ModelStamp, lane: str = ""
    ) -> Detail:
        """A part of an answer to a document, or what is laid beside one, as it is asked.

        All that is sent is in it: answers to details are kept by what they were asked with.

        Args:
            request: Which part; the document's entities are put beside its words here.
            document: That asked for the answer it belongs to.
            model: Who is asked.
            lane: A newer detail in a lane takes the place of the older.
        """
        return Detail(self.with_entities_of(request, document), model, lane)

    def laid_beside(self, result: Result, asked: Any, now: Any) -> Sequence[Detail]:
        """What is asked besides, where the switch for that is on.

        Args:
            result: The answer.
            asked: The document that asked for it.
            now: The document that holds the switch.
        """
        if self.beside is None or not BESIDE.of(now):
            return ()
        return self.beside(result, asked)

    def hint(self, document: Asking, cards: Sequence[ModelCard] = ()) -> str:
        """What to do before it can be asked; "" where nothing is missing.

        A condition's hint is marked with `N_`; a mistake of what was typed is said as it is read.
        """
        if said_first := missing(self.conditions, document, cards):
            return said_first
        options: Any = document
        mistakes = (one.option.mistake(options) for one in asked_fields(self.request).values())
        return next((one.said for one in mistakes if one is not None), "")

    def settings_of(self, document: Optioned) -> dict[str, Any]:
        """What the sentences about an answer follow, as a document sets it."""
        return {name: option.of(document) for name, option in self.follows.items()}

    def table_settings_of(self, document: Optioned) -> dict[str, Any]:
        """Those of them that the rows follow, too: what their function takes."""
        taken = signature(self.table).parameters
        if any(one.kind is Parameter.VAR_KEYWORD for one in taken.values()):
            return self.settings_of(document)
        return {name: one for name, one in self.settings_of(document).items() if name in taken}

    def headline_of(self, result: Result, **settings: Any) -> Headline:
        """What to look at first in an answer, numbers as programs have them.

        Args:
            result: The answer.
            settings: What the sentence follows (`follows`); the defaults without them.

        Returns:
            One without a sentence where nothing stands out, and where a question fails to tell.
        """
        if self.headline is None:
            return Headline()
        try:
            with for_programs():
                return self.headline(result, **settings)
        except Exception:
            # It costs a line, and must cost neither the answer nor its run.
            log.exception("The headline of %s", self.name)
            return Headline()

    @property
    def question_said(self) -> str:
        """The question in the reader's language."""
        return _(self.asks)

    @property
    def reads_text(self) -> bool:
        """Whether it is asked of the user's sentence."""
        return "text" in getattr(self.request, "__dataclass_fields__", {})

    @property
    def needs_mask(self) -> bool:
        """Whether it is no question where nothing in the text is masked."""
        return any(one.of_masks for one in self.conditions)

    @property
    def needs_model(self) -> bool:
        """Whether there is a role that may not stay empty."""
        return self.delegates_to is not None or not self.optional.issuperset(self.roles)

    @property
    def one_answers(self) -> bool:
        """Whether one model is enough: every other role may stay empty."""
        return bool(self.roles) and {*self.roles} - self.optional == {self.first_role}

    @property
    def first_role(self) -> str:
        """What the model does that the run is given; "" where none takes part."""
        return next(iter(self.roles), "")

    @property
    def first_needs(self) -> tuple[Need, ...]:
        """Ports that a model must have to play the first role; none where it may stay empty."""
        if self.first_role in self.optional:
            return ()
        return self.roles.get(self.first_role, ())

    def roles_of(self, request: Request) -> tuple[str, ...]:
        """What models do in a request: of a question asked many times, what they do in that."""
        return tuple(self.roles if self.delegates_to is None else self.delegates_to(request).roles)

    def needs_of(self, request: Request) -> Mapping[str, tuple[Need, ...]]:
        """Ports that the models of a request must have, by role."""
        return self.roles if self.delegates_to is None else self.delegates_to(request).roles

    def optional_of(self, request: Request) -> frozenset[str]:
        """Those of the request's roles that may stay empty."""
        return self.optional if self.delegates_to is None else self.delegates_to(request).optional

    def cast(self, cards: Mapping[str, ModelCard], active: str, document: Options) -> RoleBinding:
        """Which slot plays which role, where nothing else is said.

        Args:
            cards: The loaded models by slot.
            active: The slot that is asked where one model is enough.
            document: The user's options.

        Returns:
            A slot for each role; one may be empty still, and then a model is missing. An
            optional role that nobody plays is left out.
        """
        casting = self.binding or BySlot(tuple(self.roles))
        return casting(cards, active, document)

    @property
    def swap(self) -> str:
        """The option of a document by which A and B swap their roles; "" for none."""
        return self.binding.swap if isinstance(self.binding, BySlot) else ""

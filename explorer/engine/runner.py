"""Holds the loaded models and answers questions with them.

The engine's process and the command line use the same runner. Nothing here imports torch before
the first model is loaded.
"""

import contextlib
import ctypes
import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from explorer.api.errors import is_out_of_memory
from explorer.api.family import (
    AttentionModules,
    Cancelled,
    CheckpointFault,
    Context,
    Entity,
    ExplorerError,
    Family,
    Files,
    Knowledge,
    LoadedModel,
    LoadOptions,
    ModelStamp,
    Unavailable,
    UserMistake,
)
from explorer.api.family.checkpoint import Checkpoint
from explorer.api.family.load_options import numbers_of
from explorer.api.question import MODEL, SLOTS, ModelCard, Need, Question, missing_port
from explorer.api.question.roles import RoleBinding
from explorer.api.worker_context import ModelReplica, Parallelism, WorkerContext
from explorer.choosing.times import SentenceTime
from explorer.engine.frames import LoadedFrame
from explorer.engine.lending import Lending
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.engine.measuring import sentence_time
from explorer.engine.plugins.border.code import CheckedFamily, blamed, run_plugin
from explorer.engine.plugins.host import PluginHost
from explorer.engine.process.surroundings import versions
from explorer.hf.device_memory import give_back
from explorer.hf.loading.checkpoint import check_loadable
from explorer.hf.loading.memory.weighing import weigh
from explorer.hf.proving.gate import ProvedFacts, guesses, keep_proved
from explorer.hf.text.faults import PANIC
from explorer.hf.text.reading_entities import reading_entities
from explorer.questions import all_questions, answered_with, brought, question_of
from explorer.text import N_, Phrase
from explorer.text.lists import all_of, any_of
from explorer.text.printable import first_line

T = TypeVar("T")

UNKNOWN_PORT = N_("This model can't answer this.")


class Configured(Protocol):
    """What a runner was made of, as far as it asks: the rest is for another process."""

    @property
    def sharing(self) -> Parallelism:
        """How many processes are wanted."""

    @property
    def slots(self) -> tuple[str, ...]:
        """Where models may lie."""


class Runner:
    """Slots for models, and the questions they are asked.

    Args:
        host: The plugins.
        catalogue: The checkpoints.
        configuration: What both were made of; another process makes the same of it. None where
            nobody else is to answer with the models.
    """

    is_apart = False

    def __init__(
        self,
        host: PluginHost,
        catalogue: Catalogue,
        configuration: Configured | None = None,
    ) -> None:
        self._configuration = configuration
        self._slots = SLOTS if configuration is None else configuration.slots
        self._host = host
        self._catalogue = catalogue
        self._shelf = CatalogueShelf(host, catalogue)
        self._models: dict[str, LoadedModel] = {}
        self._cards: dict[str, ModelCard] = {}
        self._families: dict[str, Family] = {}
        self._copied: dict[str, ModelReplica] = {}
        self._proved: dict[str, tuple[ProvedFacts, ...]] = {}
        self._lent: dict[tuple[str, LoadOptions], ModelStamp] = {}
        self._frames: dict[str, LoadedFrame] = {}
        self._at_work = 0

    @property
    def models(self) -> Mapping[str, LoadedModel]:
        """The loaded models by slot."""
        return MappingProxyType(self._models)

    @property
    def cards(self) -> Mapping[str, ModelCard]:
        """What the window knows of them, by slot."""
        return MappingProxyType(self._cards)

    @property
    def proved(self) -> Mapping[str, tuple[ProvedFacts, ...]]:
        """What came of the claims of their plugins when they were loaded, by slot."""
        return MappingProxyType(self._proved)

    def versions(self) -> dict[str, str]:
        """Of Python, the libraries that are imported, and the program."""
        return versions(sys.modules.get("torch"), sys.modules.get("transformers"))

    def load(
        self, slot: str, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> ModelCard:
        """Load a checkpoint into a slot; what was there is freed once the new one stands.

        Where the slot has another frame of the same series, loaded in the same way, the model
        stays and gets the other weights. A number type that is named with the checkpoint
        ("bert-miniature:8bit") overrules that of the options. A load that fails or is cancelled
        leaves the slot as it was.

        Raises:
            UserMistake: No such slot or checkpoint, or a device that is not there.
            NeedsConsent: The weights are a pickle and the options do not allow one.
            CheckpointFault: The files are damaged, no plugin knows them, or they make no model.
            PluginFault: The family's plugin failed.
        """
        self._check_slot(slot)
        started = time.perf_counter()
        checkpoint_id, dtype = numbers_of(checkpoint_id)
        options = replace(options, dtype=dtype or options.dtype)
        checkpoint = self._catalogue.find(checkpoint_id)
        files = self._catalogue.files(checkpoint)
        check_loadable(files, options, checkpoint.title)
        frame = LoadedFrame(checkpoint, files, options)
        if (shown := self._refilled(slot, frame, context, started)) is not None:
            return shown
        family = (
            self._host.family(options.family) if options.family else self._host.family_of(files)[0]
        )
        context.progress(N_("loading"), 0.0, 0.0)
        context.check()
        try:
            with _blaming(files):
                model: Any = family.load(checkpoint.id, files, options, context)
                context.check()
                proved = _keep_proved(family, model)
                card = _checked_card(slot, checkpoint, files, family, model)
        except BaseException:
            model = None
            _give_memory_back()
            raise
        self.unload(slot)
        card = replace(card, duration=time.perf_counter() - started)
        self._models[slot] = replace(model, title=checkpoint.title)
        self._frames[slot] = replace(frame, model=model)
        self._cards[slot] = card
        self._families[slot] = family
        self._proved[slot] = proved
        # A model at several places is put there anew by what is free in the other process.
        again = options if card.stamp.is_offloaded else replace(options, device=card.stamp.device)
        self._copied[slot] = ModelReplica(
            checkpoint_id, again, card.stamp.fingerprint, card.weights_bytes
        )
        return card

    def unload(self, slot: str) -> None:
        """Free a slot; fine when it is empty."""
        self._check_slot(slot)
        self._families.pop(slot, None)
        self._cards.pop(slot, None)
        self._copied.pop(slot, None)
        self._frames.pop(slot, None)
        self._proved.pop(slot, None)
        if self._models.pop(slot, None) is not None:
            _give_memory_back()

    def _refilled(
        self, slot: str, frame: LoadedFrame, context: Context, started: float
    ) -> ModelCard | None:
        """The card of a model that got a frame's weights; None where another one is to be made."""
        before = self._frames.get(slot)
        # A run that gave way goes on with the weights that it began with.
        if before is None or self._at_work or not frame.follows(before):
            return None
        shown = frame.put_in_place_of(before, self._families[slot], context)
        if shown is None:
            return None
        self._frames[slot], model = shown, shown.loaded
        self._models[slot] = replace(model, title=frame.checkpoint.title)
        self._cards[slot] = replace(
            self._cards[slot],
            stamp=replace(model.stamp, commit=frame.checkpoint.commit),
            title=frame.checkpoint.title,
            folder=str(frame.files.folder),
            partner=frame.checkpoint.partner,
            duration=time.perf_counter() - started,
        )
        self._copied[slot] = replace(
            self._copied[slot], checkpoint=model.stamp.id, fingerprint=model.stamp.fingerprint
        )
        return self._cards[slot]

    def entities_named(self, slot: str, beginning: str, most: int) -> tuple[Entity, ...]:
        """Entities of a loaded model's graph whose names begin so; first the one with this id."""
        model = self._models.get(slot)
        if model is None or Knowledge not in model.ports:
            return ()
        knowledge = model.port(Knowledge)
        found = list(knowledge.named(beginning, most))
        with contextlib.suppress(UserMistake):
            found.insert(0, knowledge.entity(beginning))
        return tuple(dict.fromkeys(found))[:most]

    def sentence_time(
        self, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> SentenceTime:
        """How long a model takes for a sentence; it is loaded for that where it is not loaded.

        Raises:
            ExplorerError: As `load`, or it reads no text.
        """
        found = self._catalogue.find(checkpoint_id)
        return sentence_time(self._lending(options), found.id, found.parameters, context)

    def ask(self, request: Any, models: RoleBinding, context: Context) -> Any:
        """Answer a request with the models that play its roles, by their slots.

        Raises:
            UserMistake: A role is empty that may not be, or no model is loaded in its slot, or
                the request can't be answered as it is.
            Unavailable: The model does not answer this kind of request.
            PluginFault: A plugin failed on the way.
        """
        roles = _roles_of(request, models)
        context = self.with_models({role: models[role] for role in roles}, context)
        playing = dict(context.models)
        if entities := getattr(request, "entities", ()):
            playing = {
                role: reading_entities(model, request, entities) for role, model in playing.items()
            }
            context = replace(context, models=MappingProxyType(playing))
        context.check()
        question = _question(request)
        request.check()
        for role, needs in question.needs_of(request).items():
            if role in playing:
                _must_have(needs, playing[role], role, roles)
        first = next(iter(question.roles_of(request)), "")
        model = playing.get(first)
        if model is None:
            return question.run(None, request, context)
        family = self._families[models[first]]
        self._at_work += 1
        try:
            if not isinstance(family, CheckedFamily):
                return question.run(model, request, context)
            return family.ask(question.run, model, request, context)
        finally:
            self._at_work -= 1

    def with_models(self, models: RoleBinding, context: Context) -> Context:
        """What a handler may know, with the models that play the roles.

        A long run gives way to others, which may load and unload: its models stay the same.

        Raises:
            UserMistake: No model is loaded in a slot.
        """
        playing = {role: self._playing(role, slot) for role, slot in models.items()}
        elsewhere = None
        if self._configuration is not None:
            copied = {role: self._copied[slot] for role, slot in models.items()}
            elsewhere = WorkerContext(self._configuration, copied, self._configuration.sharing)
        first = next((self._copied[slot].options for slot in models.values()), LoadOptions())
        return replace(
            context,
            models=MappingProxyType(playing),
            shelf=self._shelf,
            elsewhere=elsewhere,
            lending=self._lending(first),
        )

    def _lending(self, first: LoadOptions) -> Lending:
        """Further models are loaded as the first one that takes part was."""
        # Neither its family nor the consent to read its pickle is another one's.
        options = LoadOptions(first.device, first.dtype)

        def again() -> Runner:
            return Runner(self._host, self._catalogue, self._configuration)

        return Lending(self, again, options, self._lent)

    def watched(self, slot: str, work: Callable[[], T]) -> T:
        """Do something with the model of a slot; what its plugin's code raises is its own fault.

        Raises:
            PluginFault: The code failed.
        """
        family = self._families.get(slot)
        if not isinstance(family, CheckedFamily):
            return work()
        return blamed(family.title, family.package, work)

    def _check_slot(self, slot: str) -> None:
        if slot not in self._slots:
            slots = any_of(self._slots)
            raise UserMistake(
                N_("There is no slot {slot}."), N_("Use {slots}."), slot=slot, slots=slots
            )

    def _playing(self, role: str, slot: str) -> LoadedModel:
        """The model of a slot."""
        self._check_slot(slot)
        if slot not in self._models:
            raise UserMistake(
                N_("No model is loaded as {slot}.")
                if role == MODEL
                else N_("No model is loaded as {slot}, to be the {role}."),
                N_("Load one from the model library."),
                slot=slot,
                role=role,
            )
        return self._models[slot]


@contextlib.contextmanager
def _blaming(files: Files) -> Iterator[None]:
    """Tell what nobody foresaw as the checkpoint's: others have loaded the same way.

    What is in its files decides which code of the libraries runs, and what that raises.

    Raises:
        CheckpointFault: Something else than a failure that is expected, or a lack of memory.
    """
    try:
        yield
    except (ExplorerError, Cancelled):
        raise
    except BaseException as error:
        is_unforeseen = isinstance(error, Exception) or type(error).__name__ == PANIC
        if not is_unforeseen or is_out_of_memory(error):
            raise
        raise CheckpointFault(
            N_("No model can be made of the files of {name} ({error})."),
            N_("They may be damaged, or of a kind that is not known here; the details say more."),
            name=files.name,
            error=first_line(error),
        ) from error


def _question(request: Any) -> Question[Any, Any]:
    """The question that a request asks.

    Raises:
        Unavailable: There is none.
    """
    try:
        return question_of(request)
    except KeyError as error:
        raise Unavailable(
            N_("There is no question for {name}."), name=type(request).__name__
        ) from error


def _must_have(
    needs: tuple[Need, ...], model: LoadedModel, role: str, roles: tuple[str, ...]
) -> None:
    """Refuse a model that lacks a port that its role needs.

    Raises:
        Unavailable: It does; with the model's own reason.
    """
    port = missing_port(needs, model.ports)
    if port is None:
        return
    why = Phrase.joined([model.refused.get(port, UNKNOWN_PORT)])
    if len(roles) == 1:
        raise Unavailable("{why}", why=why)
    raise Unavailable(
        N_("{model} can't be the {role}. {why}"), model=model.title, role=role, why=why
    )


def _roles_of(request: Any, models: RoleBinding) -> tuple[str, ...]:
    """The roles of a request that are played, in the question's order.

    Raises:
        UserMistake: One is empty that may not be, or there is no such role.
    """
    question = _question(request)
    roles, optional = question.roles_of(request), question.optional_of(request)
    unknown = [role for role in models if role not in roles]
    empty = [role for role in roles if role not in models and role not in optional]
    if unknown:
        raise UserMistake(
            N_("There is no {unknown} in this question."),
            N_("Name {roles}."),
            unknown=unknown[0],
            roles=all_of(roles),
        )
    if empty:
        raise UserMistake(
            N_("This can only be asked of a model.")
            if empty[0] == MODEL
            else N_("This can only be asked with a model as the {role}."),
            N_("Load one from the model library."),
            role=empty[0],
        )
    return tuple(role for role in roles if role in models)


def _keep_proved(family: Family, model: LoadedModel) -> tuple[ProvedFacts, ...]:
    """Take away what a plugin says of a model and is not so."""
    if isinstance(family, CheckedFamily):
        return run_plugin(family.title, lambda: keep_proved(model, guessed=guesses(family)))
    return keep_proved(model, guessed=guesses(family))


def _checked_card(
    slot: str, checkpoint: Checkpoint, files: Files, family: Family, model: LoadedModel
) -> ModelCard:
    if not isinstance(family, CheckedFamily):
        return _card(slot, checkpoint, files, family, model)
    card = run_plugin(family.title, lambda: _card(slot, checkpoint, files, family, model))
    family.check(card, ModelCard, "what load() returns")
    return card


def _card(
    slot: str, checkpoint: Checkpoint, files: Files, family: Family, model: LoadedModel
) -> ModelCard:
    weighed = weigh(model.module)
    return ModelCard(
        slot=slot,
        stamp=replace(model.stamp, commit=checkpoint.commit),
        title=checkpoint.title,
        architecture=Phrase.joined([family.architecture(files.config)]),
        folder=str(files.folder),
        parameters=weighed.parameters,
        weights_bytes=weighed.in_memory,
        disk_bytes=weighed.on_disk,
        max_length=model.max_length,
        mask_token=getattr(model.tokenizer, "mask_token", None),
        vocabulary_size=len(model.tokenizer),
        heads=model.heads,
        operations=answered_with(model.ports),
        unavailable=_unavailable(model),
        report=model.report,
        partner=checkpoint.partner,
        stacks=_stacks(model),
        languages=model.languages,
    )


def _stacks(model: LoadedModel) -> tuple[tuple[str, int, int], ...]:
    """The stacks of attention whose heads can be told apart."""
    modules = model.ports.get(AttentionModules)
    return modules.stacks() if modules is not None else ()


def _unavailable(model: LoadedModel) -> dict[str, str]:
    """Why a model does not answer some questions, by their names."""
    found: dict[str, str] = {}
    for name, question in all_questions().items():
        port = missing_port(question.first_needs, model.ports)
        if port is not None and port in model.refused:
            found[name] = model.refused[port]
        elif port is not None and name in brought():
            found[name] = UNKNOWN_PORT  # one of a plugin's own, which other families never heard of
    return found


def _give_memory_back() -> None:
    """To the device and to the system: glibc keeps freed pages unless it is told not to."""
    gc.collect()
    give_back()
    if sys.platform == "linux":
        try:
            ctypes.CDLL("libc.so.6").malloc_trim(0)
        except (OSError, AttributeError):
            return

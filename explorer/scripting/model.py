"""`explorer.open`: a model, and everything that it can be asked."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from explorer.api.question import LoadedModel, Mask, ModelCard, UserMistake
from explorer.machine.turns import at_work
from explorer.scripting.answer import ModelAnswer
from explorer.scripting.asking import ask
from explorer.scripting.methods import Methods
from explorer.scripting.mistakes import advised
from explorer.scripting.notebook.progress import bar
from explorer.scripting.process import OpenModel, Process, current
from explorer.scripting.requests import known_question, request_of
from explorer.text import N_, _

if TYPE_CHECKING:
    from explorer.scripting.values import TakenValues


class Model(OpenModel, Methods):
    """A model that is loaded. Each question is a method: `model.masked_tokens(text, top_k=5)`.

    It is loaded until `close`, or the end of a `with` block; the same one is not loaded twice.
    """

    @property
    def name(self) -> str:
        """As it was found by."""
        return self.card.stamp.id

    @property
    def fingerprint(self) -> str:
        """Of its weights: two models with the same one answer the same."""
        return self.card.stamp.fingerprint

    @property
    def questions(self) -> tuple[str, ...]:
        """Names of what it answers when it plays the first role."""
        return self.card.operations

    @property
    def about(self) -> ModelCard:
        """Family, parameters, vocabulary, heads, what it can't be asked and why."""
        return self.card

    def ask(self, question: str, text: str | None = None, /, **options: Any) -> ModelAnswer:
        """Ask it a question; in one of several models it plays the first role that is not named.

        Args:
            question: Its name.
            text: The sentence.
            options: As `explorer.ask` takes them.
        """
        with advised():
            roles = known_question(question).roles
        free = next((role for role in roles if role not in options), None)
        playing: dict[str, Any] = {} if free is None else {free: self}
        return ask(question, text, **playing, **options)

    @property
    def loaded(self) -> LoadedModel:
        """The model itself: `module` for torch, `tokenizer`, and its ports.

        Raises:
            Mistake: It lies in the engine's process.
        """
        with advised():
            known = self.process.runner(in_engine=self.in_engine).models
            if self.card.slot not in known:
                raise UserMistake(
                    N_("This model is in the engine's process, out of reach from here."),
                    N_("Open it without engine=True."),
                )
            found: LoadedModel = known[self.card.slot]
            return found

    def values(
        self,
        text: str,
        *kinds: str,
        pair: str | None = None,
        masks: Sequence[str | tuple[int, int] | Mask] | str = (),
    ) -> "TakenValues":
        """What it computes of a text, as arrays: `values("a meal").arrays["states"].values`.

        Args:
            text: The sentence; a [MASK] in it is a mask.
            kinds: Of "states", "logits", "attention", "queries" and "keys"; all without any.
            pair: The second sentence.
            masks: What is masked, as a question has it.

        Raises:
            Mistake: It has nothing of what was asked for, or lies in the engine's process.
        """
        from explorer.scripting.values import TakenValues
        from explorer.values import KINDS
        from explorer.values.taken import take_values

        with advised(), at_work(self.process.runner(in_engine=self.in_engine)):
            _request, document = request_of(
                known_question("tokens"), {"text": text, "pair": pair, "masks": masks}
            )
            taken = take_values(
                self.loaded, document.text, document.pair, document.masks, kinds=kinds or KINDS
            )
            return TakenValues(**vars(taken))

    def close(self) -> None:
        """Free what it takes."""
        self.process.close(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.questions})

    def __repr__(self) -> str:
        card = self.card
        return f"<{card.stamp.id}: {_(card.architecture)}, {card.parameters:,} parameters>"


def open(  # noqa: A001 - `explorer.open`
    name: str | Path,
    *,
    step: int | None = None,
    download: bool = False,
    device: str = "",
    dtype: str = "",
    allow_pickle: bool = False,
    engine: bool | None = None,
) -> Model:
    """Load a model, or take the one that is loaded already.

    Args:
        name: A bundled one ("bert-miniature"), a folder, the name of a run of training, or an id of
            the Hugging Face hub; with a branch, a tag or a commit behind an @, and a number type
            after a colon, as in "bert-miniature:8bit".
        step: Of a series of checkpoints, the one at this step of its training.
        download: Fetch it where it is not on this computer; nothing else reaches the network.
        device: "cpu", "cuda", "cuda:1", "mps", "offload"; "" as `use` has it.
        dtype: "float32", "float16", "bfloat16", "8bit", "4bit"; "" as `use` has it.
        allow_pickle: Open weights that are kept in a pickle, if you trust where they come from.
        engine: In a process of its own, where Ctrl+C stops a question at once, and a crash or a
            lack of memory ends that process and not this one; None as `use` has it.

    Raises:
        Mistake: Nothing is known by this name, or its weights are a pickle.
        Trouble: It is damaged, or there is no room for it.
    """
    process = current()
    with advised():
        if download:
            fetch(process, str(name))
        found = process.opened(
            str(name) if step is None else _at_step(process, str(name), step),
            device=device,
            dtype=dtype,
            allow_pickle=allow_pickle,
            in_engine=engine,
        )
        return Model(found.slot, process, found.in_engine)


def _at_step(process: Process, name: str, step: int) -> str:
    from explorer.engine.library.series import at_step

    program = process.program
    return at_step(program.catalogue(program.plugin_host()), name, step)


def fetch(process: Process, name: str) -> None:
    """Download a checkpoint that is not on this computer.

    Raises:
        ExplorerError: It can't be downloaded.
    """
    from explorer.engine.downloads.download import download

    program = process.program
    catalogue = program.catalogue(program.plugin_host())
    try:
        row = catalogue.find(name)
        if row.folder is not None and catalogue.files(row).weight_files:
            return
    except UserMistake:  # of no name that is known here
        pass
    with bar(_("downloading {name}", name=name)) as tell:

        def told(stage: str, done: float, total: float, _detail: str) -> None:
            tell(stage, done, total)

        download(name, program.paths.hub_cache, told, lambda: False, offline=program.offline)

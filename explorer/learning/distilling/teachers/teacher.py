"""A teacher at work: its logits at the places of a batch, its states and its attention."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api.family import CheckpointFault
from explorer.api.question import UserMistake
from explorer.engine.library.inspection import inspect_folder
from explorer.hf.loading.checkpoint import load_tokenizer, missing_weights
from explorer.learning.batches.losses import encode
from explorer.learning.distilling.teachers.attention_scores import captured_scores
from explorer.learning.distilling.teachers.outline import OF_TRANSFORMERS, class_of, type_of
from explorer.learning.distilling.teachers.ported import PortedModel, ported_teacher
from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Objective
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.training import Between
from explorer.objectives import IGNORED
from explorer.series.row_scales import FILE
from explorer.text import N_


@dataclass(frozen=True, slots=True)
class Scored:
    """What a model says of a batch.

    Attributes:
        scores: Logits at the asked places, shape [places, vocabulary].
        labels: What stood there, shape [places].
        states: What the layers read and what each of them leaves, [batch, length, width] each.
        attention: Scores before the softmax of each layer, [batch, heads, length, length] each;
            empty where nobody wants them.
        real: 1 where there is a token, shape [batch, length].
    """

    scores: Any
    labels: Any
    states: tuple[Any, ...]
    attention: tuple[Any, ...]
    real: Any

    def on(self, device: str) -> Scored:
        """The same on a device."""
        states, attention = (
            tuple(one.to(device) for one in each) for each in (self.states, self.attention)
        )
        return Scored(
            self.scores.to(device),
            self.labels.to(device),
            states,
            attention,
            self.real.to(device),
        )


@dataclass(frozen=True, slots=True)
class Teacher:
    """A model that learns no more.

    Attributes:
        name: What people call it.
        model: Of transformers, with logits over its pieces.
        tokenizer: Its own, which the student has too.
    """

    name: str
    model: Any
    tokenizer: Any


def scored(
    model: Any,
    batch: Mapping[str, Any],
    objective: Objective,
    *,
    attends: bool = False,
    reads_states: bool = True,
) -> Scored:
    """A model's logits, states and attention for a batch.

    Args:
        model: Fills masks or predicts the next piece.
        batch: Of the student's recipe.
        objective: Which of the two.
        attends: Its attention scores are wanted.
        reads_states: So are its states, which some models only have for the asking.
    """
    if isinstance(model, PortedModel):
        return _ported(model, batch, objective, reads_states=reads_states)
    if objective is Objective.CAUSAL:
        labels = batch["labels"][:, 1:]
        asked = labels != IGNORED
        said = model(input_ids=batch["input_ids"], output_hidden_states=True)
        real = (batch["labels"] != IGNORED).long()
        return Scored(said.logits[:, :-1][asked], labels[asked], said.hidden_states, (), real)
    asked = batch["labels"] != IGNORED
    if attends:
        with captured_scores(model) as caught:
            encoded = encode(model, batch, output_hidden_states=True)
        attention = tuple(caught)
    else:
        encoded, attention = encode(model, batch, output_hidden_states=True), ()
    states = encoded.last_hidden_state[asked]
    return Scored(
        piece_scores(model, states),
        batch["labels"][asked],
        encoded.hidden_states,
        attention,
        batch["attention_mask"],
    )


def _ported(
    model: PortedModel, batch: Mapping[str, Any], objective: Objective, *, reads_states: bool
) -> Scored:
    labels = batch["labels"]
    real = (labels != IGNORED).long()
    if objective is Objective.CAUSAL:
        labels = labels.clone()
        labels[:, 0] = IGNORED
    else:
        real = batch["attention_mask"]
    states = model.states({**batch, "attention_mask": real}) if reads_states else ()
    return Scored(model.scores(batch, labels), labels[labels != IGNORED], states, (), real)


def piece_scores(model: Any, states: Any) -> Any:
    """Logits over the pieces from states [..., width] of a model that fills masks."""
    heads: dict[str, Callable[[Any], Any]] = {
        "cls": lambda head: getattr(head, "predictions", head)(states),
        "predictions": lambda head: head(states),
        "lm_head": lambda head: head(states),
        "generator_lm_head": lambda head: head(model.generator_predictions(states)),
        "vocab_projector": lambda head: head(
            model.vocab_layer_norm(model.activation(model.vocab_transform(states)))
        ),
    }
    for name, score in heads.items():
        head = getattr(model, name, None)
        if head is not None:
            return score(head)
    raise TypeError(f"{type(model).__name__} has no head that is known.")


@functools.lru_cache(maxsize=2)
def loaded_teacher(name: str, folder: Path) -> Teacher:
    """A teacher from its folder, in float32.

    Args:
        name: What people call it.
        folder: In transformers' layout.

    Raises:
        UserMistake: Its files can't be read, or its vocabulary is not that of its tokenizer.
    """
    import transformers

    if type_of(folder) not in OF_TRANSFORMERS:
        ported, pieces = ported_teacher(name, folder)
        refuse_other_pieces(name, pieces, ported)
        return Teacher(name, ported, pieces)
    try:
        reads: Any = getattr(transformers, class_of(folder))
        if (folder / FILE).is_file():
            tokenizer, model = _of_film(folder, reads)
        else:
            reads_text: Any = transformers.AutoTokenizer
            tokenizer = reads_text.from_pretrained(folder)
            model = reads.from_pretrained(folder, dtype="float32")
    except (OSError, ValueError, AttributeError, KeyError, CheckpointFault) as error:
        raise UserMistake(
            N_("The teacher {name} can't be loaded ({why})."),
            N_("Choose another one."),
            name=name,
            why=str(error).strip().partition("\n")[0],
        ) from error
    refuse_other_pieces(name, tokenizer, model)
    if getattr(model.config, "trigram_input", False):
        _see_nothing_behind(model, tokenizer.pad_token_id)
    return Teacher(name, model.eval().requires_grad_(False), tokenizer)


def _of_film(folder: Path, reads: Any) -> tuple[Any, Any]:
    """Tokenizer and model of a film's frame, whose weights transformers does not read.

    Raises:
        CheckpointFault: Its files are damaged, or lack weights.
    """
    from explorer.hf.loading.stored import in_memory, read_stored

    files = inspect_folder(folder)
    model = reads(reads.config_class.from_dict(dict(files.config)))
    weights = {name: in_memory(one) for name, one in read_stored(folder / FILE).items()}
    found = model.load_state_dict(weights, strict=False)
    # Of what is tied only the first name is stored, and what is no parameter is computed.
    own = {name for name, _ in model.named_parameters()}
    if missing := sorted(own.intersection(found.missing_keys)):
        raise missing_weights(tuple(missing), tuple(found.unexpected_keys))
    return load_tokenizer(files), model


def _see_nothing_behind(model: Any, padding: int) -> None:
    """Have a model that reads neighbours together (MobileBERT) read padding as the text's end."""

    def silence(_module: Any, inputs: tuple[Any, ...], vectors: Any) -> Any:
        return vectors.masked_fill((inputs[0] == padding)[..., None], 0.0)

    model.get_input_embeddings().register_forward_hook(silence)


def refuse_other_pieces(name: str, tokenizer: Any, model: Any) -> None:
    """Refuse a teacher whose logits are not of the pieces that the student would read.

    Raises:
        UserMistake: They are of another number of pieces.
    """
    if len(tokenizer) > model.config.vocab_size:
        raise UserMistake(
            N_(
                "The tokenizers of {name} and of a student differ: it has {pieces} pieces, and its "
                "logits are of {scored}."
            ),
            name=name,
            pieces=len(tokenizer),
            scored=model.config.vocab_size,
        )


def goes_on(_run: Any, _row: Any) -> bool:
    """Nobody is told of a step."""
    return True


@functools.lru_cache(maxsize=4)
def trained_teacher(plan: TrainingPlan, meanwhile: Between = goes_on) -> Teacher:
    """A teacher that is trained here and now, and not kept.

    Args:
        plan: Its own.
        meanwhile: What is done after each of its steps; what it raises ends the training.
    """
    run = recipe_of(plan).begin()
    run.train(between=meanwhile)
    model = run.recipe.parts(run.model)[""]
    return Teacher(plan.stem, model.eval().requires_grad_(False), run.tokenizer)

"""KagNet (Lin et al. 2019): answers questions by the paths of a knowledge graph."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

from explorer.api.family import (
    CheckpointFault,
    Context,
    Encoded,
    Files,
    GraphReasoner,
    Head,
    LoadedModel,
    LoadOptions,
    LoadReport,
    ModelStamp,
    Recognition,
    Unavailable,
    Weights,
)
from explorer.hf import (
    EVERY_PORT,
    encode_text,
    fingerprint,
    load_tokenizer,
    longest_input,
    missing_weights,
    read_weights,
    resolve_device,
    resolve_dtype,
)
from explorer.text import N_, Phrase

from .anatomy import Anatomy, Config, with_widths

CONCEPTS = "concepts.txt"
"""The words of the concepts, one a line, in the order of their vectors."""

STEPS = 5
"""Concepts of the longest path where the config does not say: four edges."""

TENSORS = (
    "concept_emd.weight",
    "relation_emd.weight",
    *(f"lstm.{kind}_{which}_l0" for which in ("ih", "hh") for kind in ("weight", "bias")),
    *(
        f"{layer}.{kind}"
        for layer in (
            "qas_encoder.0",
            "qas_encoder.3",
            "qas_pathlstm_att",
            "sent_ltrel_att",
            "hidden2output.0",
            "graph_encoder.gcn1.apply_mod.linear",
            "graph_encoder.gcn2.apply_mod.linear",
        )
        for kind in ("weight", "bias")
    ),
)
"""As the authors name them."""

REPEATED = "graph_encoder.concept_emd.weight"
"""The concepts' vectors once more, as the authors' files hold them."""

NOT_TEXT = N_(
    "KagNet reads no text itself: ask it together with an encoder, in the graph question."
)


@dataclass(frozen=True)
class KagNetFamily(Anatomy):
    """Reads a checkpoint of the authors' layout, with its concepts in a file beside it."""

    id: str = "kagnet"
    title: str = "KagNet"
    ports: frozenset[type] = field(default=frozenset({GraphReasoner}))

    def recognise(self, files: Files) -> Recognition | None:
        """Claim by model_type, or by tensors that nothing else has."""
        if files.config.get("model_type") == self.id:
            return Recognition(self.id, 90, N_('Its config.json says model_type "kagnet".'))
        if {"qas_pathlstm_att.weight", "sent_ltrel_att.weight"} <= files.tensors.keys():
            return Recognition(self.id, 90, N_("It has the attentions of a KagNet."))
        return None

    def heads(self, files: Files) -> tuple[Head, ...]:
        """All of it is one head."""
        missing = tuple(name for name in TENSORS if name not in files.tensors)
        return (Head("graph_reasoner", N_("Graph reasoner"), not missing, missing),)

    def offers(self, files: Files) -> frozenset[type]:
        """What it can do."""
        return self.offers_with({head.name for head in self.heads(files) if head.present})

    def offers_with(self, present: set[str]) -> frozenset[type]:
        """It reasons or is nothing."""
        return self.ports if "graph_reasoner" in present else frozenset()

    def architecture(self, config: Mapping[str, Any]) -> Phrase:
        """As in "KagNet · paths of up to 4 edges · beside bert-miniature"."""
        edges = steps_of(config) - 1
        encoder = str(config.get("sentence_encoder", ""))
        if not encoder:
            return Phrase(
                N_("{family} · paths of up to {edges} edges"), family=self.title, edges=edges
            )
        return Phrase(
            N_("{family} · paths of up to {edges} edges · with {encoder}"),
            family=self.title,
            edges=edges,
            encoder=encoder,
        )

    def attention_shape(self, config: Mapping[str, Any]) -> tuple[int, int]:  # noqa: ARG002
        """It has no layers of attention between tokens."""
        return 0, 0

    def max_length(self, config: Mapping[str, Any]) -> int | None:  # noqa: ARG002
        """It reads graphs."""
        return None

    def parameters(self, files: Files) -> int:
        """Of the tensors in the files, the repeated one once."""
        return sum(prod(one.shape) for name, one in files.tensors.items() if name != REPEATED)

    def tokenizer(self, files: Files) -> Any:
        """That of the encoder it was trained beside."""
        return load_tokenizer(files)

    def load(
        self, checkpoint_id: str, files: Files, options: LoadOptions, context: Context
    ) -> LoadedModel:
        """Load the network, and the words of its concepts.

        Raises:
            CheckpointFault: The files are damaged, or do not fit each other.
        """
        from .reasoner import Reasoner, built

        device = resolve_device(options.device)
        dtype = resolve_dtype(options, device, files.tensors.values())
        weights = read_weights(files, options)
        context.check()
        lacking = tuple(name for name in TENSORS if name not in weights)
        if lacking:
            raise missing_weights(lacking)
        module = built(weights, steps_of(files.config)).to(device, dtype)
        tokenizer = self.tokenizer(files)
        reasoner = Reasoner(module, files.config, concepts_of(files.folder, module))
        hashed = fingerprint(_with_concepts(files), context.check)
        model = LoadedModel(
            stamp=ModelStamp(
                checkpoint_id, self.id, hashed, device, str(dtype).removeprefix("torch.")
            ),
            module=module,
            tokenizer=tokenizer,
            config=Config(**with_widths(files.config, _shapes(weights))),
            encode=_not_yet,
            encoder=_reads_no_text,
            heads=self.heads(files),
            report=LoadReport(
                found=len(TENSORS),
                unexpected=tuple(sorted(weights.keys() - {*TENSORS, REPEATED})),
            ),
            max_length=longest_input(None, tokenizer),
            ports={Weights: self, GraphReasoner: reasoner},
            refused=dict.fromkeys(EVERY_PORT - self.ports, NOT_TEXT),
        )
        model.encode = _encoding(model)
        return model


def _shapes(weights: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in weights.items()}


def steps_of(config: Mapping[str, Any]) -> int:
    """Concepts of the longest path, by the config."""
    steps = config.get("path_steps", STEPS)
    return steps if isinstance(steps, int) and not isinstance(steps, bool) and steps > 1 else STEPS


def concepts_of(folder: Path, module: Any) -> tuple[str, ...]:
    """The words of the concepts.

    Raises:
        CheckpointFault: There is no list of them, or it has another length than their vectors.
    """
    path = folder / CONCEPTS
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise CheckpointFault(
            N_("{name} has no list of its concepts that can be read."),
            N_("Copy concepts.txt, with a concept on every line, into the folder."),
            name=folder.name,
        ) from error
    wanted = module.sizes.concepts - 1
    if len(lines) != wanted:
        raise CheckpointFault(
            N_("{file} has {lines} concepts, and the weights have vectors for {wanted}."),
            N_("They belong to different models: copy them again."),
            file=CONCEPTS,
            lines=len(lines),
            wanted=wanted,
        )
    return tuple(line.replace("_", " ").strip().lower() for line in lines)


def _with_concepts(files: Files) -> Files:
    """The same with the list of concepts among what identifies a checkpoint."""
    return replace(files, tokenizer_files=(*files.tokenizer_files, CONCEPTS))


def _encoding(model: LoadedModel) -> Callable[..., Encoded]:
    def encode(*text: Any, **_: Any) -> Encoded:
        return encode_text(model, *text)

    return encode


def _not_yet(*_: Any, **__: Any) -> Encoded:
    raise RuntimeError("the model is still being put together")


def _reads_no_text(**_: Any) -> Any:
    raise Unavailable(NOT_TEXT)


def tiny(folder: Path) -> None:
    """Write a tiny random checkpoint."""
    from .reasoner import write_tiny

    write_tiny(folder)


FAMILY = KagNetFamily()

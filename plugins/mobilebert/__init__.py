"""MobileBERT (Sun et al. 2020): 24 thin layers with bottlenecks, and its teacher IB-BERT."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.family import Blueprint, Files, Head, Recognition, Role, Trait
from explorer.hf import (
    ANSWER_SPANS,
    BERT_ATTENTION,
    BERT_MASKED_LM,
    BERT_NAMES,
    BERT_NEXT_SENTENCE,
    MOBILEBERT_STREAM,
    POOLED_CHOICE,
    POOLED_CLASSES,
    TOKEN_CLASSES,
    ClassChoice,
    HeadSpec,
    TransformersFamily,
    config_number,
)
from explorer.text import N_, NN_, Phrase

MASKED_LM = replace(
    BERT_MASKED_LM,
    # With the part of the decoder for which the narrow piece embeddings have no room.
    tensors=(*BERT_MASKED_LM.tensors, "cls.predictions.dense.weight"),
)


def unpooled(head: HeadSpec) -> HeadSpec:
    """A head of BERT's behind a pooler without weights: it takes the first token as it is."""
    return replace(
        head, tensors=tuple(name for name in head.tensors if not name.startswith("pooler."))
    )


NEXT_SENTENCE = unpooled(BERT_NEXT_SENTENCE)
CLASSIFIER = unpooled(POOLED_CLASSES)
CHOICE = unpooled(POOLED_CHOICE)
POOLED_HEADS = frozenset({NEXT_SENTENCE.name, CLASSIFIER.name, CHOICE.name})

IB_BERT = {
    "key_query_shared_bottleneck": False,
    "num_feedforward_networks": 1,
    "normalization_type": "layer_norm",
    "hidden_act": "gelu",
}
"""What the teacher's config says otherwise than MobileBERT's, sizes left aside."""

TEACHER = {
    "MobileBertModel": "IbBertModel",
    "MobileBertForMaskedLM": "IbBertForMaskedLM",
    "MobileBertForPreTraining": "IbBertForPreTraining",
}


@dataclass(frozen=True)
class MobileBertFamily(TransformersFamily):
    """Tells the student from the teacher by the bottlenecks in the config."""

    def recognise(self, files: Files) -> Recognition | None:
        """Claim by model_type; IB-BERT as the same family with other bottlenecks."""
        recognition = super().recognise(files)
        if recognition is None or not is_teacher(files.config):
            return recognition
        return Recognition(
            self.id,
            recognition.score,
            N_(
                "Its config.json says MobileBERT with blocks wider than what lies between them: "
                "that is IB-BERT, the teacher."
            ),
        )

    def title_of(self, config: Mapping[str, Any]) -> str:
        """The teacher has a name of its own."""
        return "IB-BERT" if is_teacher(config) else self.title

    def architecture(self, config: Mapping[str, Any]) -> Phrase:
        """As in "... · embeddings 128 wide · blocks 128 wide, 4 feed-forwards each"."""
        line = super().architecture(config)
        if isinstance(config.get("embedding_size"), int):
            width = str(config["embedding_size"])
            line = Phrase(N_("{line} · embeddings {width} wide"), line=line, width=width)
        if config.get("use_bottleneck", True) and isinstance(
            config.get("intra_bottleneck_size"), int
        ):
            line = Phrase(
                NN_(
                    "{line} · blocks {width} wide, {count} feed-forward each",
                    "{line} · blocks {width} wide, {count} feed-forwards each",
                ),
                line=line,
                width=str(config["intra_bottleneck_size"]),
                count=config.get("num_feedforward_networks", 4),
            )
        return line

    def heads(self, files: Files) -> tuple[Head, ...]:
        """Pooled heads need the pooler's weights where the config says it has any."""
        heads = super().heads(files)
        if not files.config.get("classifier_activation", True):
            return heads
        pooler = ("pooler.dense.weight", "pooler.dense.bias")
        lacking = tuple(n for n in pooler if n not in self.tensor_names(files.tensors))
        return tuple(
            replace(head, present=not (head.missing + lacking), missing=head.missing + lacking)
            if head.name in POOLED_HEADS
            else head
            for head in heads
        )

    def specs(self, files: Files) -> tuple[HeadSpec, ...]:
        """The teacher was published for masked tokens and sentences alone."""
        if not is_teacher(files.config):
            return super().specs(files)
        return tuple(one for one in self.heads_known if not one.architecture)

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """Wide between the blocks and narrow inside them, or the other way round."""
        plain = super().blueprint(config, heads)
        teacher = not config.get("key_query_shared_bottleneck", True)
        inside = config_number(config, "intra_bottleneck_size")
        wide, stacked = plain.hidden_size, config_number(config, "num_feedforward_networks") or 1
        narrow = plain.embedding_size
        traits = [
            Trait(
                "embeddings",
                Phrase(N_("three neighbours, 3 × {narrow} to {wide}"), narrow=narrow, wide=wide),
                Phrase(
                    N_(
                        "A piece, the one before and the one after, side by side (Sun et al. 2020, "
                        "section 3.4)."
                    )
                ),
            ),
            Trait(
                "block",
                Phrase(
                    N_("inverted bottleneck: {wide} to {inside} to {wide}"),
                    wide=wide,
                    inside=inside,
                )
                if teacher
                else Phrase(
                    N_("bottleneck: {wide} to {inside} to {wide}"), wide=wide, inside=inside
                ),
                Phrase(N_("The layers work at another width than the one between them.")),
            ),
        ]
        if stacked > 1:
            traits.append(
                Trait(
                    "feed_forward",
                    Phrase(N_("{stacked} feed-forwards in a row"), stacked=stacked),
                    Phrase(
                        N_(
                            "They keep the balance between attention and feed-forward that the "
                            "bottleneck would upset (Sun et al. 2020, section 3.2)."
                        )
                    ),
                )
            )
        if config.get("normalization_type") == "no_norm":
            traits.append(
                Trait(
                    "block",
                    Phrase(N_("no layer norm")),
                    Phrase(
                        N_(
                            "A scale and a shift in its place, which are faster on a phone (Sun et "
                            "al. 2020, section 3.3)."
                        )
                    ),
                )
            )
        return replace(
            plain,
            joined=3,
            widened=True,
            head_size=inside // plain.heads if plain.heads else 0,
            bottleneck_size=inside,
            feed_forwards=stacked,
            pooler=plain.pooler and bool(config.get("classifier_activation", True)),
            traits=tuple(traits),
        )

    def skeleton_class(self, config: Mapping[str, Any], heads: set[str]) -> Any:
        """MobileBERT's class, or its teacher's."""
        return self._of_config(super().skeleton_class(config, heads), config)

    def _class_for(self, files: Files) -> Any:
        return self._of_config(super()._class_for(files), files.config)

    @staticmethod
    def _of_config(chosen: Any, config: Mapping[str, Any]) -> Any:
        if config.get("key_query_shared_bottleneck", True):
            return chosen
        from . import ib_bert

        return getattr(ib_bert, TEACHER[chosen.__name__])


def is_teacher(config: Mapping[str, Any]) -> bool:
    """Whether a config is IB-BERT's: inverted bottlenecks, wider inside than outside."""
    inside, outside = config.get("intra_bottleneck_size"), config.get("hidden_size")
    if not config.get("use_bottleneck", True):
        return False
    return isinstance(inside, int) and isinstance(outside, int) and inside > outside


FAMILY = MobileBertFamily(
    id="mobilebert",
    title="MobileBERT",
    model_types=("mobilebert",),
    heads_known=(MASKED_LM, NEXT_SENTENCE, CLASSIFIER, CHOICE, TOKEN_CLASSES, ANSWER_SPANS),
    classes=(
        ClassChoice("MobileBertModel", frozenset()),
        ClassChoice("MobileBertForMaskedLM", frozenset({"masked_lm"})),
        ClassChoice("MobileBertForPreTraining", frozenset({"masked_lm", "next_sentence"})),
    ),
    prefix="mobilebert",
    masked_lm_path="cls.predictions",
    embedding_key="embedding_size",
    # The end of a layer reads its input once more, in front of the bottleneck.
    attention=replace(BERT_ATTENTION, tail=""),
    streams=(MOBILEBERT_STREAM,),
    roles=(
        ("embeddings.embedding_transformation", Role.WIDEN),
        ("bottleneck", Role.BOTTLENECK),
        *BERT_NAMES,
    ),
)


def tiny(folder: Path) -> None:
    """A student and a teacher, small and random."""
    from explorer.hf import TINY_WIDTH, write_tiny

    from .ib_bert import IbBertForPreTraining

    write_tiny(FAMILY, folder / "student", config={"classifier_activation": False})
    write_tiny(
        FAMILY,
        folder / "teacher",
        model_class=IbBertForPreTraining,
        config={**IB_BERT, "intra_bottleneck_size": 2 * TINY_WIDTH},
    )

"""XLM (Lample and Conneau 2019): masked tokens across languages."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.family import (
    BidirectionalPredictor,
    Blueprint,
    CausalLM,
    CheckpointFault,
    Encoded,
    Files,
    Head,
    LoadedModel,
    Mask,
    Predictor,
    Role,
    SpanExtractor,
    Trait,
)
from explorer.hf import (
    ANSWER_SPANS,
    CORRECT_IT,
    FILLS,
    TOKEN_CLASSES,
    XLM_STREAM,
    AttentionKind,
    AttentionLayout,
    AttentionStack,
    CausalPredictor,
    ClassChoice,
    HeadSpec,
    TransformersFamily,
    as_taken,
    config_number,
    multiple_choice,
    quiet_transformers,
    text_classifier,
    value_of,
)
from explorer.text import N_, Phrase

from .beam import BeamSpanExtractor
from .encoding import encode_xlm
from .tiny import plain_logits, write
from .tokenizer import make_tokenizer

__all__ = ["FAMILY", "plain_logits", "tiny"]

MASKED_LM = HeadSpec(
    name="masked_lm",
    title=N_("Masked language model"),
    tensors=("pred_layer.proj.bias",),
    tied={"pred_layer.proj.weight": "embeddings.weight"},
    modules=("pred_layer.",),
    ports=FILLS,
)

CLASSIFIER = text_classifier("sequence_summary.summary")
CHOICE = multiple_choice("sequence_summary.summary", "logits_proj")
SIMPLE_ANSWERS = replace(ANSWER_SPANS, architecture="ForQuestionAnsweringSimple")
BEAM = replace(
    ANSWER_SPANS,
    name="span_beam",
    title=N_("Answer span, the end by the start"),
    tensors=(
        "qa_outputs.start_logits.dense.weight",
        "qa_outputs.start_logits.dense.bias",
        "qa_outputs.end_logits.dense_0.weight",
        "qa_outputs.end_logits.dense_0.bias",
        "qa_outputs.end_logits.LayerNorm.weight",
        "qa_outputs.end_logits.LayerNorm.bias",
        "qa_outputs.end_logits.dense_1.weight",
        "qa_outputs.end_logits.dense_1.bias",
        "qa_outputs.answer_class.dense_0.weight",
        "qa_outputs.answer_class.dense_0.bias",
        "qa_outputs.answer_class.dense_1.weight",
    ),
)


@dataclass(frozen=True)
class XlmFamily(TransformersFamily):
    """Languages beside tokens, and a tokenizer that transformers has only without offsets."""

    def architecture(self, config: Mapping[str, Any]) -> Phrase:
        """One line; pieces are counted as n_words in published configs, vocab_size in new ones."""
        return super().architecture({"n_words": config.get("vocab_size"), **config})

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's layers, with a table of languages in the place of segments."""
        plain = super().blueprint({**config, "n_words": pieces_of(config)}, heads)
        languages = config_number(config, "n_langs")
        told = bool(config.get("use_lang_emb", True)) and languages > 1
        causal = bool(config.get("causal", False))
        traits = [
            Trait(
                "embeddings",
                Phrase(N_("{languages} languages: a vector each is added"), languages=languages)
                if told
                else Phrase(N_("no language vectors: it must recognise the language itself")),
                Phrase(
                    N_(
                        "The vector of the text's language is added to every piece (Lample and "
                        "Conneau 2019, figure 1 and section 3.4)."
                    )
                ),
            )
        ]
        if causal:
            traits.append(Trait("attention", Phrase(N_("masked: sees only what comes before"))))
        return replace(
            plain,
            feed_forward_size=4 * plain.hidden_size,
            token_types=0,
            extra_embeddings=languages if told else 0,
            extra_name=N_("languages"),
            attention="before" if causal else "both",
            causal=causal,
            head_dense=False,
            pooler=False,
            traits=(*traits, *plain.traits[: 1 if causal else 2]),
        )

    def run_once(self, module: Any, ids: Any) -> None:
        """With languages, and with lengths that hold numbers: it compares them with the text's."""
        import torch

        lengths = torch.full((len(ids),), ids.shape[1], device="cpu")
        ids = as_taken(module, ids)
        # It looks up languages where it was trained with them, and nowhere else.
        module(input_ids=ids, attention_mask=torch.ones_like(ids), lengths=lengths, langs=ids)

    def size_keys(self, config: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """Pieces are counted as n_words in published configs."""
        key = "n_words" if "n_words" in config else "vocab_size"
        return {**super().size_keys(config), "vocabulary": (key,)}

    def load(self, checkpoint_id: str, files: Files, *rest: Any) -> LoadedModel:
        """Load it; the published causal checkpoints are known by their name only."""
        if is_causal(files):
            files = replace(files, config={**files.config, "causal": True})
        _refuse_odd_languages(files.config)
        model = super().load(checkpoint_id, files, *rest)
        known = getattr(model.config, "lang2id", None) or {}
        model.languages = tuple(map(str, known)) if len(known) > 1 else ()
        return model

    def tokenizer(self, files: Files) -> Any:
        """From vocab.json and merges.txt.

        Raises:
            CheckpointFault: One of them is missing or damaged.
        """
        for name in ("vocab.json", "merges.txt"):
            if name not in files.tokenizer_files:
                raise CheckpointFault(
                    N_("{model} has no {file}."),
                    N_("Copy {file} from the checkpoint."),
                    model=files.name,
                    file=name,
                )
        path = files.tokenizer_folder / "tokenizer_config.json"
        quiet_transformers()
        try:
            settings = json.loads(path.read_bytes()) if path.is_file() else {}
            return make_tokenizer(files.tokenizer_folder, settings)
        except Exception as error:
            raise CheckpointFault(
                N_("The tokenizer of {name} can't be read ({error})."),
                N_("Copy the tokenizer's files again."),
                name=files.name,
                error=error,
            ) from error

    def encode(
        self,
        model: LoadedModel,
        text: str,
        pair: str | None = None,
        masks: Sequence[Mask] = (),
        *,
        languages: Sequence[str] = (),
        begin: bool = False,  # noqa: ARG002 - a special token stands first anyhow
    ) -> Encoded:
        """Every token with its language."""
        return encode_xlm(model, text, pair, masks, languages)

    def offers(self, files: Files) -> frozenset[type]:
        """A causal checkpoint reads from the left."""
        offered = super().offers(files)
        if is_causal(files) and Predictor in offered:
            return offered - {BidirectionalPredictor} | {CausalLM}
        return offered

    def why_not(self, port: type, heads: tuple[Head, ...]) -> str:
        """Of a causal checkpoint, that nothing was masked in its training."""
        if port is BidirectionalPredictor and any(head.present for head in heads):
            return N_(
                "This XLM was trained without masks: every token of a text is predicted from those "
                "before it, and gives a loss."
            )
        return super().why_not(port, heads)

    def attention_layout(self, module: Any) -> AttentionLayout:
        """A causal checkpoint's tokens see what stands before them."""
        layout = super().attention_layout(module)
        if not module.config.causal:
            return layout
        (stack,) = layout.stacks
        return replace(layout, stacks=(replace(stack, kind=AttentionKind.DECODER),))

    def ports(self, model: LoadedModel, present: set[str]) -> dict[type, Any]:
        """A causal checkpoint reads from the left."""
        ports = super().ports(model, present)
        if BEAM.name in present:
            ports[SpanExtractor] = BeamSpanExtractor(model, model.module.qa_outputs)
        if model.config.causal and MASKED_LM.name in present:
            del ports[BidirectionalPredictor]
            head = self.masked_lm_head(model.module)
            assert head is not None
            ports[Predictor] = CausalPredictor(model, head, "This XLM", reads_pairs=True)
        return ports


def is_causal(files: Files) -> bool:
    """Whether a checkpoint predicts the next token; some say so by their name only."""
    steps = files.config.get("clm_steps") and not files.config.get("mlm_steps")
    return bool(files.config.get("causal") or "-clm-" in files.name or steps)


def pieces_of(config: Mapping[str, Any]) -> int:
    """Size of the vocabulary: n_words in published configs, vocab_size in new ones."""
    return config_number(config, "n_words") or config_number(config, "vocab_size")


FAMILY = XlmFamily(
    id="xlm",
    title="XLM",
    model_types=("xlm",),
    heads_known=(MASKED_LM, CLASSIFIER, CHOICE, TOKEN_CLASSES, SIMPLE_ANSWERS, BEAM),
    classes=(
        ClassChoice("XLMModel", frozenset()),
        ClassChoice("XLMWithLMHeadModel", frozenset({"masked_lm"})),
    ),
    prefix="transformer",
    masked_lm_path="pred_layer.proj",
    embedding="embeddings.weight",
    optional=("position_ids",),
    layers_key="n_layers",
    width_key="emb_dim",
    attention_heads_key="n_heads",
    vocabulary_key="n_words",
    # Its networks are four times as wide as the layers, whatever a config says.
    feed_forward_key="",
    attention=AttentionLayout(
        stacks=(AttentionStack(AttentionKind.ENCODER, "attentions.*"),),
        inside="",
        projections=("q_lin", "k_lin", "v_lin"),
        output="out_lin",
    ),
    streams=(XLM_STREAM,),
    roles=(
        ("pred_layer.proj.weight", Role.OUTPUT_MATRIX),
        ("pred_layer", Role.TOKENS),
        ("sequence_summary", Role.CLASSES),
        ("logits_proj", Role.CLASSES),
        ("classifier", Role.CLASSES),
        ("qa_outputs", Role.ANSWERS),
        ("embeddings", Role.PIECES),
        ("position_embeddings", Role.POSITIONS),
        ("lang_embeddings", Role.EXTRA),
        ("layer_norm_emb", Role.EMBEDDING_NORM),
        ("q_lin", Role.QUERY),
        ("k_lin", Role.KEY),
        ("v_lin", Role.VALUE),
        ("out_lin", Role.ATTENTION_OUTPUT),
        ("layer_norm1", Role.ATTENTION_NORM),
        ("layer_norm2", Role.FEED_FORWARD_NORM),
        ("lin1", Role.FEED_FORWARD_IN),
        ("lin2", Role.FEED_FORWARD_OUT),
    ),
)


def tiny(folder: Path) -> None:
    """Write a tiny random checkpoint, for checking the plugin."""
    write(FAMILY, folder)


def _refuse_odd_languages(config: Mapping[str, Any]) -> None:
    """Refuse languages without numbers.

    Raises:
        CheckpointFault: A number is none, or they are no table.
    """
    known, usual = config.get("lang2id"), config.get("lang_id")
    numbers = list(known.values()) if isinstance(known, Mapping) else []
    if known is not None and not isinstance(known, Mapping):
        wrong = f"lang2id is {value_of(known)}"
    elif not all(type(one) is int for one in numbers):
        wrong = f"lang2id is {value_of(dict(known or {}))}"
    elif usual is not None and type(usual) is not int:
        wrong = f"lang_id is {value_of(usual)}"
    else:
        return
    raise CheckpointFault(N_("config.json describes no model: {fields}."), CORRECT_IT, fields=wrong)

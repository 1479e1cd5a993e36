"""The family of every model that has no plugin of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Attentions,
    BidirectionalPredictor,
    Blueprint,
    CausalLM,
    Context,
    EmbeddingMatrices,
    Encoded,
    Files,
    GenerativeQA,
    Head,
    HiddenStates,
    InputEmbeddings,
    LayerReadout,
    LayerTrace,
    LoadedModel,
    LoadOptions,
    LoadReport,
    LogitParts,
    Mask,
    Neurons,
    PairClassifier,
    Predictor,
    Recognition,
    SpanExtractor,
    StepwisePass,
    TokenClassifier,
    Trait,
)
from explorer.hf import (
    FILLS,
    NOT_THEIRS,
    TRACED,
    AttentionKind,
    AttentionLayout,
    CausalPredictor,
    EagerAttentions,
    HeadSpec,
    MaskedPredictor,
    MaskPiece,
    StreamStack,
    TransformersFamily,
    encode_left,
    encode_text,
    last_tail,
    missing_weights,
)
from explorer.text import N_, Phrase

from .attending import right_layout
from .configs import (
    ALWAYS_ONE,
    COUNT_FROM_PADDING,
    MORE_THAN_PRODUCTS,
    OTHER_ATTENTION,
    PARTS_UNKNOWN,
    TAKEN_APART,
    as_bert,
    depth_written,
    own_keys,
)
from .filling import READS_AGAIN, filler_layers, filler_ports
from .head import HeadBehind, base_of, path_of, states_of, trunks, writer_of
from .holding import TITLES, head_named, head_of, ties
from .known import (
    ANSWERS,
    BASE,
    CLASSIFIER,
    MASKED_LM,
    NESTED,
    NEXT_TOKEN,
    TAGGER,
    WRITER,
    classes_of,
    fills_by_writing,
)
from .layouts import UNKNOWN, ends_as_bert, layout_that_fits
from .made_up import made_up
from .roles import NAMES
from .streams import streams_that_fit
from .writers import encode_runs, fills_anew, writer_ports

PORTS: Mapping[str, tuple[type, ...]] = {
    MASKED_LM: FILLS,
    NEXT_TOKEN: (Predictor, CausalLM, LayerReadout, ActivationPatching, LogitParts),
    WRITER: (CausalLM, GenerativeQA),
    CLASSIFIER: (PairClassifier,),
    TAGGER: (TokenClassifier,),
    ANSWERS: (SpanExtractor,),
}
TASKS = {CLASSIFIER, TAGGER, ANSWERS}
TAPPED = (AttentionModules, LayerTrace, StepwisePass)
READS_LEFT = N_(
    "This model was trained without masks: every token of a text is predicted from those before "
    "it, and gives a loss."
)
WRITES_ANEW = N_(
    "Its decoder writes a text anew, so that no prediction belongs to one token of the input."
)
REACHED = 5
"""The score of its claims: any plugin that knows a model better has a higher one."""


@dataclass(frozen=True)
class GenericFamily(TransformersFamily):
    """Finds its classes in transformers' tables; what they give is proved when they are loaded."""

    id: str = "auto"
    title: str = "Generic"
    model_types: tuple[str, ...] = ()
    heads_known: tuple[HeadSpec, ...] = tuple(
        HeadSpec(name, title, (), ports=PORTS.get(name, ())) for name, title in TITLES.items()
    )
    classes: tuple[Any, ...] = ()
    prefix: str = ""
    roles: Any = NAMES
    guesses: bool = True

    # ---- before loading ----------------------------------------------------------------------

    def recognise(self, files: Files) -> Recognition | None:
        """Whatever transformers has a class for that reads text."""
        kind = files.config.get("model_type")
        nested = NESTED & set(files.config)
        if not isinstance(kind, str) or nested or not classes_of(kind):
            return None
        reason = N_(
            'No plugin is for model_type "{kind}"; transformers knows it, so it is generic.'
        )
        return Recognition(self.id, REACHED, Phrase(reason, kind=kind))

    def heads(self, files: Files) -> tuple[Head, ...]:
        """The head that its config names or its tensors tell of."""
        head = head_of(files)
        return () if head is None else (head,)

    def offers(self, files: Files) -> frozenset[type]:
        """What can be told before it is tried."""
        present = {head.name for head in self.heads(files) if head.present}
        kind = str(files.config.get("model_type", ""))
        offered = {port for head in present for port in PORTS.get(head, ())}
        offered |= {EmbeddingMatrices, HiddenStates, Neurons}
        if offered & TRACED:
            offered.add(InputEmbeddings)
        if WRITER in present and fills_by_writing(kind):
            offered |= {*FILLS}
        if kind in PARTS_UNKNOWN:
            offered.discard(LogitParts)
        if kind not in OTHER_ATTENTION:
            offered.add(Attentions)
            known = any(name.endswith(TAKEN_APART) for name in files.tensors)
            if known and kind not in MORE_THAN_PRODUCTS:
                offered.update(TAPPED)
                if WRITER in classes_of(kind):
                    offered.discard(LayerTrace)
        return frozenset(offered)

    def offers_with(self, present: set[str]) -> frozenset[type]:
        """Ports that come with heads alone."""
        own = {port for name in present for port in PORTS.get(name, ())}
        traced = [InputEmbeddings] if own & TRACED else []
        return frozenset({Attentions, EmbeddingMatrices, HiddenStates, Neurons, *own, *traced})

    def architecture(self, config: Mapping[str, Any]) -> Phrase:
        """The numbers, whatever the config calls them."""
        return super().architecture(as_bert(config))

    def title_of(self, config: Mapping[str, Any]) -> str:
        """As in "Generic (xlm-roberta)"."""
        return f"{self.title} ({config.get('model_type', '?')})"

    def attention_shape(self, config: Mapping[str, Any]) -> tuple[int, int]:
        """Layers and heads, whatever the config calls them."""
        return super().attention_shape(as_bert(config))

    def max_length(self, config: Mapping[str, Any]) -> int | None:
        """Longest input in tokens; types that count from the padding's number lose those before."""
        length = super().max_length(as_bert(config))
        padding = config.get("pad_token_id")
        if length and config.get("model_type") in ALWAYS_ONE:
            return length - 2
        if length and config.get("model_type") in COUNT_FROM_PADDING:
            return max(0, length - (padding if isinstance(padding, int) else 1) - 1)
        return length

    def parameters(self, files: Files) -> int:
        """Weights in the files; a tied output matrix that was saved as well is one of them."""
        # BART's files hold a row of zeros that is no weight.
        apart = {"final_logits_bias"}
        if ties(files.config):
            apart |= {"lm_head.weight", "lm_head.decoder.weight", "embed_out.weight"}
        tensors = {name: one for name, one in files.tensors.items() if name not in apart}
        return super().parameters(replace(files, tensors=tensors))

    def heads_named(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        """The head of the class that a config names."""
        classes = classes_of(str(config.get("model_type", "")))
        named = config.get("architectures") or ()
        return tuple(head for head, name in classes.items() if head and name in named)[:1]

    def size_keys(self, config: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """Under the config's own names."""
        own = own_keys(config)
        sizes = super().size_keys(config)
        return {size: (own[keys[0]],) for size, keys in sizes.items() if keys[0] in own}

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """What the config's numbers say; how its layers are made is not known here."""
        plain = super().blueprint(as_bert(config), heads)
        kind = str(config.get("model_type", ""))
        causal = _is_causal(kind)
        decoder = depth_written(config) if WRITER in classes_of(kind) else 0
        own = config.get("head_dim")
        return replace(
            plain,
            head_size=own if isinstance(own, int) else plain.head_size,
            attention="before" if causal else "both",
            causal=causal,
            decoder_layers=decoder,
            cross_attention=bool(decoder),
            tied=ties(config),
            pooler=False,
            traits=(
                Trait(
                    "block",
                    Phrase(N_("generic: drawn from the config's numbers")),
                    Phrase(
                        N_(
                            "No plugin describes the layers of {kind}: where its norms and gates "
                            "are is not known here. The tensors below are its own."
                        ),
                        kind=kind,
                    ),
                ),
            ),
        )

    def skeleton_class(self, config: Mapping[str, Any], heads: set[str]) -> Any:
        """The class of a head, or of the encoder alone."""
        return _class(str(config.get("model_type", "")), next(iter(heads), BASE))

    # ---- loading -----------------------------------------------------------------------------

    def _class_for(self, files: Files) -> Any:
        head = head_of(files)
        kind = str(files.config.get("model_type", ""))
        return _class(kind, head.name if head is not None and head.present else BASE)

    def _heads_after(self, files: Files, report: LoadReport) -> tuple[Head, ...]:
        """As the files were loaded: a head with a random weight is none."""
        prefix = self._class_for(files).base_model_prefix
        headed = head_named(files) != BASE
        alone = [n for n in report.missing if headed and not n.startswith(f"{prefix}.")]
        rest = [n for n in report.missing if n not in alone and "pooler" not in n]
        if rest:
            raise missing_weights(tuple(rest))
        return tuple(
            replace(one, present=False, missing=(*one.missing, *alone)) if alone else one
            for one in self.heads(files)
        )

    def load(
        self, checkpoint_id: str, files: Files, options: LoadOptions, context: Context
    ) -> LoadedModel:
        """Load it; a head that transformers made up does not answer."""
        model = super().load(checkpoint_id, files, options, context)
        random = made_up(model.module, files)
        if random:
            model.heads = tuple(
                replace(head, present=False, missing=(*head.missing, *random))
                for head in model.heads
            )
            model.ports = {**self.ports(model, set())}
            lost = {port for head in model.heads for port in PORTS.get(head.name, ())}
            lost.add(InputEmbeddings)
            why = {port: self.why_not(port, model.heads) for port in lost}
            model.refused = {**model.refused, **why}
        limits = [n for n in (model.max_length, _places(model.module)) if n is not None]
        model.max_length = min(limits, default=None)
        return model

    def encode(
        self,
        model: LoadedModel,
        text: str,
        pair: str | None = None,
        masks: Sequence[Mask] = (),
        *,
        languages: Sequence[str] = (),  # noqa: ARG002 - it is told none
        begin: bool = False,
    ) -> Encoded:
        """With masks, or for a model that reads from the left with what hides them."""
        kind = model.config.model_type
        heads = {head.name for head in model.heads}
        if NEXT_TOKEN not in heads and not (heads <= TASKS and _is_causal(kind)):
            read = encode_runs if WRITER in heads and fills_anew(model) else encode_text
            return read(model, text, pair, masks)
        start = _start(model.tokenizer)
        return encode_left(model, text, pair, masks, start=start, begin=begin)

    def reader(self, module: Any) -> Any:
        """The stack that reads the text: all of a model with one stack."""
        return module.get_encoder() if _writes(module) else base_of(module)

    def encoder(self, module: Any) -> Callable[..., Any]:
        """Last hidden states of the stack that reads."""
        return states_of(self.reader(module))

    def attention_layout(self, module: Any) -> AttentionLayout:
        """The first known one that fits, or what a run shows; all of it is proved by numbers."""
        return right_layout(module, self._named_layout(module))

    def _named_layout(self, module: Any) -> AttentionLayout:
        """The first known one that fits by its names."""
        causal = _is_causal(module.config.model_type)
        return layout_that_fits(module, causal, self.layers_key, self.attention_heads_key)

    def stream_stacks(self, module: Any) -> tuple[StreamStack, ...]:
        """The first known ones that fit; whether they are the model's own is proved by numbers."""
        reader = self.reader(module)
        if _writes(module) and reader is not module:
            both = ((reader, AttentionKind.ENCODER), (writer_of(module), AttentionKind.DECODER))
            return tuple(
                replace(one, kind=kind)
                for stack, kind in both
                if stack is not None
                for one in streams_that_fit(stack, path_of(module, stack))
            )
        stacks = streams_that_fit(module)
        if not _is_causal(module.config.model_type):
            return stacks
        return tuple(replace(one, kind=AttentionKind.DECODER) for one in stacks)

    def ports(self, model: LoadedModel, present: set[str]) -> dict[type, Any]:
        """What may be proved."""
        ports = super().ports(model, present & TASKS)
        if AttentionModules in model.refused:
            model.refused = {**model.refused, StepwisePass: model.refused[AttentionModules]}
        if _writes(model.module):
            ports.pop(LayerTrace, None)  # the layers of two stacks are not laid beside those of one
            reader = self.reader(model.module)
            if AttentionModules not in ports:
                ports.pop(Attentions, None)
                if hasattr(reader, "config"):  # FSMT's stacks have none
                    alone = replace(model, module=reader)
                    ports[Attentions] = EagerAttentions(alone, self._named_layout(reader))
            if WRITER in present:
                ports |= writer_ports(model)
                if fills_by_writing(model.config.model_type):
                    ports |= filler_ports(model)
        trunk = next(iter(trunks(model.module)), None)
        if trunk is None:
            return ports
        if MASKED_LM in present:
            layout = self._named_layout(model.module)
            head = HeadBehind(model.module, trunk)
            tail = last_tail(model.module, layout) if ends_as_bert(model.module) else None
            predictor = MaskedPredictor(model, model.encoder, head, tail)
            ports |= {Predictor: predictor, BidirectionalPredictor: predictor}
        elif NEXT_TOKEN in present:
            # OPT's head stands on the decoder inside its base model.
            last = HeadBehind(model.module, trunks(model.module)[-1])
            ports[Predictor] = CausalPredictor(model, last, "This model", reads_pairs=False)
        return ports

    def layer_ports(self, model: LoadedModel) -> dict[type, Any]:
        """Of any class it is guessed that it goes on from what it read."""
        ports = super().layer_ports(model)
        predictor = model.ports.get(Predictor)
        if _writes(model.module) and isinstance(predictor, MaskedPredictor):
            for kind in (*FILLS, StepwisePass):
                ports.pop(kind, None)
            ports |= filler_layers(model, predictor, self.stream_stacks(model.module))
        if CausalLM in ports:
            ports[CausalLM].goes_on = True
        return ports

    def finish(self, *told: Any) -> LoadedModel:
        """A decoder that reads the text's words again is given no vectors in their place."""
        model = super().finish(*told)
        if _writes(model.module) and model.ports.pop(InputEmbeddings, None) is not None:
            model.refused = {**model.refused, InputEmbeddings: READS_AGAIN}
        return model

    def why_not(self, port: type, heads: tuple[Head, ...]) -> str:
        """Why a port is missing, by the heads that the files hold."""
        names = {head.name for head in heads if head.present}
        if port in FILLS and WRITER in names:
            return WRITES_ANEW
        if port is BidirectionalPredictor and NEXT_TOKEN in names:
            return READS_LEFT
        if port is LayerTrace and WRITER in names:
            return NOT_THEIRS[port]
        if port in TAPPED:
            return UNKNOWN
        for head in heads:
            if port in PORTS.get(head.name, ()) and head.missing:
                return Phrase(
                    N_("This checkpoint's head is not whole: {tensor} and others are missing.")
                    if len(head.missing) > 1
                    else N_("This checkpoint's head is not whole: {tensor} is missing."),
                    tensor=head.missing[0],
                )
        return NOT_THEIRS.get(
            port, N_("Nothing is known here of such models that could answer this.")
        )


def _class(kind: str, head: str) -> Any:
    import transformers

    classes = classes_of(kind)
    return getattr(transformers, classes.get(head, classes[BASE]))


def _is_causal(kind: str) -> bool:
    """Whether all that models of a type predict is the next token."""
    return {MASKED_LM, NEXT_TOKEN, WRITER} & set(classes_of(kind)) == {NEXT_TOKEN}


def _writes(module: Any) -> bool:
    return bool(getattr(module.config, "is_encoder_decoder", False))


def _start(tokenizer: Any) -> MaskPiece | None:
    """The token that begins a text; None where there is none, or the tokenizer puts it itself."""
    number = tokenizer.bos_token_id
    if number is None or number in tokenizer("a")["input_ids"][:1]:
        return None
    return MaskPiece(tokenizer.bos_token, number)


def _places(module: Any) -> int | None:
    """Rows of a table of positions that tokens can have, where it counts from the padding's."""
    for name, part in module.named_modules():
        padding = getattr(part, "padding_idx", None)
        table = getattr(part, "weight", None)
        if name.endswith("position_embeddings") and padding is not None and table is not None:
            return len(table) - int(padding) - 1
    return None

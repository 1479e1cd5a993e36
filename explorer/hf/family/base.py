"""A family of transformers models, described rather than programmed.

Most plugins are one `TransformersFamily`: which heads there are, which tensors each needs, which
transformers class to load for the heads that are present, and where in it the encoder and the
masked-LM head are. Whatever is different in a family is a method to override.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from math import prod
from typing import Any

from explorer.api.family import (
    BidirectionalPredictor,
    CausalLM,
    Context,
    Direction,
    Discriminator,
    EmbeddingMatrices,
    Encoded,
    Files,
    Head,
    HiddenStates,
    InputEmbeddings,
    LayerReadout,
    LoadedModel,
    LoadOptions,
    LoadReport,
    Mask,
    ModelStamp,
    PairClassifier,
    Predictor,
    Recognition,
    TensorNames,
    UserMistake,
    Weights,
)
from explorer.hf.attention.layout import BERT_ATTENTION, AttentionLayout
from explorer.hf.cancelling import cancellable, install_cancel_hooks
from explorer.hf.family.architecture import Architecture, config_number
from explorer.hf.family.offering import (
    EVERY_PORT,
    HEADLESS,
    TRACED,
    embeddings_of,
    headless_ports,
    lost_where_loaded_so,
    why_missing,
)
from explorer.hf.family.specs import MASKED_LM, REPLACED_TOKEN, ClassChoice, HeadSpec
from explorer.hf.family.task_ports import PAIRS, task_ports
from explorer.hf.family.tensor_names import BERT_NAMES, OLD_NAMES
from explorer.hf.generate.causal import CausalNextTokens
from explorer.hf.loading.checkpoint import (
    described,
    load_module,
    load_tokenizer,
    longest_input,
    missing_weights,
    quiet_transformers,
    refuse_far_numbers,
    stored_weights,
    tell_segments_apart,
)
from explorer.hf.loading.config import read_config
from explorer.hf.loading.devices import FLOATS
from explorer.hf.loading.fingerprint import hashing
from explorer.hf.loading.generation import read_generation_config
from explorer.hf.loading.memory.placement import resolve_placement
from explorer.hf.loading.memory.room import refuse_without_room
from explorer.hf.loading.products import quicken
from explorer.hf.loading.trial import try_once
from explorer.hf.predict.causal import CausalPredictor
from explorer.hf.predict.heads.objectives import EncoderHead
from explorer.hf.predict.heads.tasks import PooledPairClassifier
from explorer.hf.predict.masked import MaskedPredictor
from explorer.hf.predict.passes.last_layer import last_tail
from explorer.hf.predict.piece_vectors import piece_vectors_of
from explorer.hf.states.neurons import neuron_ports
from explorer.hf.states.readout import HeadReadout
from explorer.hf.states.rows import StackStates, StateRows, rows_of
from explorer.hf.states.runs import headless_pass, one_stack, patch_ports
from explorer.hf.states.streams import BERT_STREAM, StreamStack
from explorer.hf.text.encoding import encode_text
from explorer.hf.text.faults import cutting
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class TransformersFamily(Architecture):
    """A family whose models transformers can load.

    Attributes:
        id: The plugin's id.
        title: "BERT".
        model_types: config.json's model_type values.
        heads_known: Its heads.
        classes: The smallest class first; the first that has every present head is loaded.
        prefix: Name of the encoder inside a class with a head ("bert"); checkpoints are found
            with and without it.
        masked_lm_path: Attribute path of the masked-LM head in the module: a call takes hidden
            states (n x hidden) and gives logits (n x vocabulary). "" without one.
        embedding: Name of the word embedding's tensor, without the prefix.
        optional: Beginnings of the names of the encoder's tensors it can do without.
        layers_key: config.json's key for the number of layers.
        width_key: For the width of a hidden state.
        attention_heads_key: For the number of attention heads in a layer.
        vocabulary_key: For the number of pieces.
        length_key: For the longest input, in tokens.
        feed_forward_key: For the inner width of the feed-forward networks; "" where it follows
            from the others.
        embedding_key: For the width of a piece's embedding; "" where it is the layers'.
        roles: What its tensors are for, by whole segments of their names between dots ("attn.q"),
            the first row that fits.
        attention: Where its attention is and how it is made.
        streams: Where its layers' states are.
        reserved_positions: Positions the length counts that no token can have (RoBERTa: 2).
        pair: Of a `LeftFamily`, whether it was trained with a second text: where not, predictions
            behind two texts are refused. What reads both sides takes two in any case.
    """

    id: str
    title: str
    model_types: tuple[str, ...]
    heads_known: tuple[HeadSpec, ...]
    classes: tuple[ClassChoice, ...]
    prefix: str
    masked_lm_path: str = ""
    embedding: str = "embeddings.word_embeddings.weight"
    optional: tuple[str, ...] = ("pooler.", "embeddings.position_ids")
    layers_key: str = "num_hidden_layers"
    width_key: str = "hidden_size"
    attention_heads_key: str = "num_attention_heads"
    vocabulary_key: str = "vocab_size"
    length_key: str = "max_position_embeddings"
    feed_forward_key: str = "intermediate_size"
    embedding_key: str = ""
    roles: TensorNames = BERT_NAMES
    attention: AttentionLayout = BERT_ATTENTION
    streams: tuple[StreamStack, ...] = (BERT_STREAM,)
    reserved_positions: int = 0
    pair: bool = True

    # ---- before loading: no torch ------------------------------------------------------------

    def recognise(self, files: Files) -> Recognition | None:
        """Claim a checkpoint by its config's model_type."""
        model_type = str(files.config.get("model_type", ""))
        if model_type not in self.model_types:
            return None
        return Recognition(
            self.id, 80, Phrase(N_('Its config.json says model_type "{name}".'), name=model_type)
        )

    def specs(self, files: Files) -> tuple[HeadSpec, ...]:
        """The heads that files can hold whose config names such a class."""
        named = [str(one) for one in files.config.get("architectures") or [""]]
        fits = [s for s in self.heads_known if any(n.endswith(s.architecture) for n in named)]
        # A class for a task has its head alone: what fits by tied tensors was never trained.
        return tuple(one for one in fits if one.architecture and one.alone) or tuple(fits)

    def heads(self, files: Files) -> tuple[Head, ...]:
        """Which heads' tensors are all in the files, or tied to one that is."""
        names, heads = self.tensor_names(files.tensors), []
        for spec in self.specs(files):
            missing = [name for name in spec.tensors if not names & set(name.split("|"))]
            ties = bool(files.config.get("tie_word_embeddings", True))
            missing += [
                name
                for name, other in spec.tied.items()
                if name not in names and not (ties and other in names)
            ]
            missing = [name.split("|")[0] for name in missing]
            heads.append(Head(spec.name, spec.title, not missing, tuple(missing)))
        return tuple(heads)

    def tensor_names(self, tensors: Mapping[str, Any]) -> frozenset[str]:
        """Names as transformers has them now, without the encoder's prefix."""
        return frozenset(self.plain_name(name) for name in tensors)

    def plain_name(self, name: str) -> str:
        """One tensor's name as transformers has it now, without the encoder's prefix."""
        name = name.removeprefix(f"{self.prefix}.")
        for pattern, new in OLD_NAMES:
            name = pattern.sub(new, name)
        return name

    def offers(self, files: Files) -> frozenset[type]:
        """Ports that a model loaded from these files will have."""
        return self.offers_with({head.name for head in self.heads(files) if head.present})

    def offers_with(self, present: set[str]) -> frozenset[type]:
        """Ports that come with some heads, and those that need none."""
        own = {port for spec in self.heads_known if spec.name in present for port in spec.ports}
        return frozenset(own | HEADLESS | ({InputEmbeddings} if own & TRACED else set()))

    def architecture(self, config: Mapping[str, Any]) -> Phrase:
        """As in "BERT · 12 layers x 768 wide x 12 heads · 30,522 pieces"; "?" where unknown."""
        _, heads = self.attention_shape(config)
        return Phrase(
            N_("{family} · {layers} layers × {width} wide × {heads} heads · {pieces} pieces"),
            family=self.title_of(config),
            layers=self.depth(config) or "?",
            # A width is no count: it is written as papers write it.
            width=str(config_number(config, self.width_key) or "?"),
            heads=heads or "?",
            pieces=config_number(config, self.vocabulary_key) or "?",
        )

    def title_of(self, config: Mapping[str, Any]) -> str:  # noqa: ARG002 - for families of several
        """What the models of such a config are called."""
        return self.title

    def depth(self, config: Mapping[str, Any]) -> str:
        """How many layers, as in "12" or "6 + 6"; "" where the config does not say."""
        return str(self.attention_shape(config)[0] or "")

    def attention_shape(self, config: Mapping[str, Any]) -> tuple[int, int]:
        """Layers, and attention heads in each; 0 where the config does not say."""
        return config_number(config, self.layers_key), config_number(
            config, self.attention_heads_key
        )

    def max_length(self, config: Mapping[str, Any]) -> int | None:
        """Longest input in tokens, special ones included."""
        length = config_number(config, self.length_key)
        return length - self.reserved_positions if length else None

    def parameters(self, files: Files) -> int:
        """Weights in the files, tied ones once; whole-number buffers are no weights."""
        names = self.tensor_names(files.tensors)
        twice: set[str] = set()
        if files.config.get("tie_word_embeddings", True):
            for spec in self.heads_known:
                twice |= {name for name, other in spec.tied.items() if other in names}
        return sum(
            prod(tensor.shape)
            for name, tensor in files.tensors.items()
            if tensor.dtype in FLOATS and self.plain_name(name) not in twice
        )

    # ---- loading -----------------------------------------------------------------------------

    def load(
        self, checkpoint_id: str, files: Files, options: LoadOptions, context: Context
    ) -> LoadedModel:
        """Load the smallest class that has every head the files hold.

        Raises:
            UserMistake: The device or number type is not to be had; NeedsConsent for a pickle.
            MachineFault: There is not enough memory.
            CheckpointFault: The files are damaged or do not fit each other.
        """
        cache = context.cache / "offload" if context.cache is not None else None
        placement = resolve_placement(options, files.tensors.values(), cache)
        refuse_without_room(files, placement)
        # Hashing gives way while transformers is imported.
        with cancellable(context), hashing(files, context.check) as hashed:
            quiet_transformers()
            model_class = self._class_for(files)
            config = read_config(model_class, files)
            tokenizer = self.tokenizer(files)
            refuse_far_numbers(tokenizer, files)
            tell_segments_apart(tokenizer, config)
            context.check()
            context.progress(N_("reading weights"), 0.0, 0.0)
            weights = self.weights(files, options)
            if not files.tensors:
                files = replace(files, tensors=described(weights))
                model_class = self._class_for(files)
                placement = resolve_placement(options, files.tensors.values(), cache)
            context.check()
            context.progress(N_("making the model"), 0.0, 0.0)
            loaded = load_module(model_class, config, weights, placement, files.name)
            del weights
            read_generation_config(loaded.module, files)
            try_once(self, loaded.module, placement.device)
            context.check()
            digest = hashed.result()
        heads = self._heads_after(files, loaded.report)
        stamp = ModelStamp(checkpoint_id, self.id, digest, loaded.where, placement.numbers)
        return self.finish(loaded.module, tokenizer, config, heads, loaded.report, stamp)

    def tokenizer(self, files: Files) -> Any:
        """The checkpoint's tokenizer; a config without a model_type is read as this family's."""
        if files.config.get("model_type"):
            return load_tokenizer(files)
        return load_tokenizer(files, tokenizer_type=self.model_types[0])

    def weights(self, files: Files, options: LoadOptions) -> dict[str, Any]:
        """Tensors under the names that the family's classes read."""
        return stored_weights(files, options)

    def _class_for(self, files: Files) -> Any:
        return self.model_class({head.name for head in self.heads(files) if head.present})

    def model_class(self, heads: set[str]) -> Any:
        """The transformers class for a set of heads."""
        import transformers

        for spec in self.heads_known:
            if spec.architecture and spec.name in heads:
                return getattr(transformers, f"{self.class_stem}{spec.architecture}")
        # Heads that no class has are added to the module by the family itself.
        wanted = heads & frozenset().union(*(choice.heads for choice in self.classes))
        known = [choice for choice in self.classes if wanted <= choice.heads]
        choice = known[0] if known else self.classes[-1]
        return getattr(transformers, choice.name)

    def finish(
        self,
        module: Any,
        tokenizer: Any,
        config: Any,
        heads: tuple[Head, ...],
        report: LoadReport,
        stamp: ModelStamp,
    ) -> LoadedModel:
        """Put ports to the heads whose weights were loaded."""
        install_cancel_hooks(module)
        quicken(module)
        present = {head.name for head in heads if head.present}
        limit = self.max_length(config.to_dict())
        model = LoadedModel(
            stamp=stamp,
            module=module,
            tokenizer=tokenizer,
            config=config,
            encode=self._not_yet,
            encoder=self.encoder(module),
            heads=heads,
            report=report,
            max_length=longest_input(limit, tokenizer),
        )
        model.encode = partial(self._encode, model)
        model.ports = self.ports(model, present)
        model.ports |= self.layer_ports(model)
        model.ports |= embeddings_of(model, self.reader(module))
        for port, why in lost_where_loaded_so(stamp).items():
            if model.ports.pop(port, None) is not None:
                model.refused = {**model.refused, port: why}
        told = {port for spec in self.heads_known for port in spec.ports} | EVERY_PORT
        model.refused = {
            port: model.refused.get(port) or self.why_not(port, heads)
            for port in told
            if port not in model.ports
        }
        return model

    @cutting()
    def _encode(self, model: LoadedModel, *texts: Any, whole: bool = False, **told: Any) -> Encoded:
        """As `LoadedModel.encode`."""
        return self.encode(replace(model, max_length=None) if whole else model, *texts, **told)

    @staticmethod
    def _not_yet(*_: Any) -> Encoded:
        raise RuntimeError("the model is still being put together")

    def encode(
        self,
        model: LoadedModel,
        text: str,
        pair: str | None = None,
        masks: Sequence[Mask] = (),
        *,
        languages: Sequence[str] = (),
        begin: bool = False,  # noqa: ARG002 - most put a special token first anyhow
    ) -> Encoded:
        """As `LoadedModel.encode`.

        Raises:
            UserMistake: Languages are told to a model that is not told any.
        """
        if any(languages):
            raise UserMistake(
                N_("{title} models take no language of the text."),
                N_("Leave the languages out."),
                title=self.title,
            )
        return encode_text(model, text, pair, masks)

    def ports(self, model: LoadedModel, present: set[str]) -> dict[type, Any]:
        """What a model can do with the heads whose weights were loaded."""
        headless, refused = headless_ports(model, self.attention_layout(model.module))
        ports = {Weights: self, **headless}
        model.refused = {**model.refused, **refused}
        vectors = piece_vectors_of(model, self.reader(model.module))
        if vectors is not None:
            ports[EmbeddingMatrices] = vectors
        head = self.masked_lm_head(model.module) if MASKED_LM in present else None
        if head is not None:
            tail = last_tail(model.module, self.attention_layout(model.module))
            predictor = MaskedPredictor(model, self.prediction_states(model), head, tail)
            ports |= {Predictor: predictor, BidirectionalPredictor: predictor}
        ports |= task_ports(model, present)
        for spec in self.heads_known:
            if spec.path and spec.name in present:
                own = reduce(getattr, spec.path.split("."), model.module)
                if spec.name == REPLACED_TOKEN:
                    ports[Discriminator] = EncoderHead(model, own)
                elif spec.name in PAIRS:
                    ports[PairClassifier] = PooledPairClassifier(model, own, PAIRS[spec.name])
        return ports

    def layer_ports(self, model: LoadedModel) -> dict[type, Any]:
        """The states of its layers, and what its own head reads in them."""
        reader = self.reader(model.module)
        rows = rows_of(reader)
        stacks = self.stream_stacks(model.module)
        ports: dict[type, Any] = {HiddenStates: StackStates(model, rows)}
        ports |= neuron_ports(model, stacks[0], rows)
        predictor = model.ports.get(Predictor)
        if isinstance(predictor, MaskedPredictor | CausalPredictor):
            left = predictor.who if predictor.direction is Direction.CAUSAL else ""
            through, passes = self.prediction_rows(model, rows)
            ports[LayerReadout] = HeadReadout(
                model, reader, through, predictor.head, passes=passes, from_left=left
            )
            if isinstance(predictor, CausalPredictor):
                ports[CausalLM] = CausalNextTokens(
                    model, predictor.head, predictor.who, goes_on=predictor.goes_on
                )
            runs = one_stack(model, predictor)
            ports |= patch_ports(model, stacks, runs, passes)
        else:
            ports |= headless_pass(model, stacks)
        return ports

    def stream_stacks(self, _module: Any) -> tuple[StreamStack, ...]:
        """Its streams; plugins override it where they depend on the checkpoint."""
        return self.streams

    def prediction_rows(self, _model: LoadedModel, rows: StateRows) -> tuple[StateRows, int]:
        """The rows that a prediction goes through, and how many behind the layers are a decoder's.

        Args:
            rows: Those of the stack that reads.
        """
        return rows, 0

    def attention_layout(self, _module: Any) -> AttentionLayout:
        """Its attention; plugins override it where it depends on the checkpoint."""
        return replace(
            self.attention,
            layers_key=self.attention.layers_key or self.layers_key,
            heads_key=self.attention.heads_key or self.attention_heads_key,
        )

    def prediction_states(self, model: LoadedModel) -> Callable[..., Any]:
        """What the masked-LM head reads: as the encoder, states (batch x tokens x hidden)."""
        return model.encoder

    def reader(self, module: Any) -> Any:
        """The stack that reads the text: all of a model with one stack."""
        return getattr(module, self.prefix, module) if self.prefix else module

    def encoder(self, module: Any) -> Callable[..., Any]:
        """From a batch of inputs to the last hidden state (batch x tokens x hidden)."""
        base = self.reader(module)

        def encode(**inputs: Any) -> Any:
            return base(**inputs).last_hidden_state

        return encode

    def masked_lm_head(self, module: Any) -> Callable[[Any], Any] | None:
        """From hidden states (n x hidden) to logits (n x vocabulary)."""
        if not self.masked_lm_path:
            return None
        head: Callable[[Any], Any] = reduce(getattr, self.masked_lm_path.split("."), module)
        return head

    def why_not(self, port: type, heads: tuple[Head, ...]) -> str:
        """Why a port is missing, in one line: a Phrase, or marked with `N_`."""
        return why_missing(port, self.heads_known, heads, self.title)

    def _heads_after(self, files: Files, report: LoadReport) -> tuple[Head, ...]:
        """The heads whose weights really were loaded.

        Raises:
            CheckpointFault: Weights of the encoder are missing.
        """
        fresh = {self.plain_name(name): name for name in report.missing}
        heads = []
        taken: set[str] = set()
        for spec, head in zip(self.specs(files), self.heads(files), strict=True):
            own = [name for name in fresh if name.startswith(spec.modules)]
            taken.update(own)
            missing = tuple(dict.fromkeys((*head.missing, *sorted(own))))
            heads.append(replace(head, present=not missing, missing=missing))
        encoder = [
            real
            for name, real in sorted(fresh.items())
            if name not in taken and not name.startswith(self.optional)
        ]
        if encoder:
            raise missing_weights(tuple(encoder), report.unexpected)
        return tuple(heads)

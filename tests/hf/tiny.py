"""Tiny random checkpoints, made on the fly."""

import functools
import json
import shutil
from pathlib import Path
from typing import Any

from explorer.api.family import Context
from explorer.api.question import missing_port
from explorer.questions import all_questions, question_of

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = """
the a cat dog ##s ##ing ##ed run sat on mat movie was great bad dull exciting i liked it
. , ! ? ' e שלום
"""
LETTERS = [chr(n) for n in range(ord("a"), ord("z") + 1)]
VOCABULARY = list(dict.fromkeys([*SPECIAL, *WORDS.split(), *LETTERS, *(f"##{c}" for c in LETTERS)]))


def bert_tokenizer(**options: Any) -> Any:
    """A lower-casing WordPiece tokenizer."""
    from transformers import BertTokenizer

    return BertTokenizer(vocab={word: i for i, word in enumerate(VOCABULARY)}, **options)


def byte_level() -> Any:
    """A byte-level BPE as RoBERTa's, with a mask token that swallows the space before it."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors
    from tokenizers.decoders import ByteLevel
    from transformers import PreTrainedTokenizerFast

    pieces = [
        "<s>",
        "<pad>",
        "</s>",
        "<unk>",
        "<mask>",
        *sorted(pre_tokenizers.ByteLevel.alphabet()),
    ]
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("Ġ", "c"), ("Ġc", "a"), ("Ġca", "t")]
    pieces += ["".join(merge) for merge in merges]
    backend = Tokenizer(
        models.BPE(vocab={piece: i for i, piece in enumerate(pieces)}, merges=merges)
    )
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = ByteLevel()
    backend.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token=AddedToken("<mask>", lstrip=True),
    )


def bert_config(**values: Any) -> Any:
    from transformers import BertConfig

    defaults = {
        "vocab_size": len(VOCABULARY),
        "hidden_size": 32,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 48,
        "max_position_embeddings": 24,
        # Larger than the usual 0.02, so that predictions differ enough to have an order.
        "initializer_range": 0.3,
    }
    return BertConfig(**{**defaults, **values})


def bert_module(name: str = "BertForPreTraining", seed: int = 0, **values: Any) -> Any:
    """A random module whose biases and norms are random too."""
    import torch
    import transformers

    torch.manual_seed(seed)
    module = getattr(transformers, name)(bert_config(**values)).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    return module


def weights_of(module: Any) -> dict[str, Any]:
    """Its tensors without the tied copies, as save_pretrained would write them."""
    tied = getattr(module, "all_tied_weights_keys", {})
    return {
        name: tensor.detach().clone().contiguous()
        for name, tensor in module.state_dict().items()
        if name not in tied
    }


def write(
    folder: Path,
    config: Any,
    weights: dict[str, Any],
    tokenizer: Any = None,
    *,
    pickled: bool = False,
) -> Path:
    """A checkpoint folder."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    content = config if isinstance(config, dict) else config.to_dict()
    (folder / "config.json").write_text(json.dumps(content), encoding="utf-8")
    (tokenizer or bert_tokenizer()).save_pretrained(folder)
    if pickled:
        torch.save(weights, folder / "pytorch_model.bin")
    else:
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def save_bert(
    folder: Path,
    name: str = "BertForPreTraining",
    *,
    seed: int = 0,
    pickled: bool = False,
    **values: Any,
) -> Path:
    """A BERT's checkpoint folder, with whatever heads the class has."""
    module = bert_module(name, seed, **values)
    return write(folder, module.config, weights_of(module), pickled=pickled)


def changed_config(folder: Path, to: Path, **values: Any) -> Path:
    """A copy of a checkpoint with other values in its config.json."""
    shutil.copytree(folder, to)
    path = to / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, **values}), encoding="utf-8")
    return to


def without(folder: Path, copy: Path, lost: str) -> Path:
    """A copy of a checkpoint that lacks a tensor."""
    from safetensors.torch import load_file, save_file

    copy.mkdir()
    for one in folder.iterdir():
        if one.suffix != ".safetensors":
            (copy / one.name).write_bytes(one.read_bytes())
    weights = load_file(folder / "model.safetensors")
    del weights[lost]
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    return copy


def families() -> Any:
    """The bundled plugins' host."""
    from explorer.engine.plugins.host import PluginHost

    root = Path(__file__).resolve().parents[2]
    return PluginHost(root / "plugins", None, entry_points=False)


@functools.cache
def _families() -> Any:
    """Read once for all that is loaded here."""
    return families()


def load(folder: Path, **options: Any) -> Any:
    """Load a checkpoint with the family that claims it."""
    from explorer.api.family import Context, LoadOptions
    from explorer.engine.library.inspection import inspect_folder
    from explorer.hf.proving.gate import guesses, keep_proved

    files = inspect_folder(folder)
    family, _ = _families().family_of(files)
    options = LoadOptions(**{"device": "cpu", **options})
    model = family.load(str(folder), files, options, Context())
    if guesses(family):
        keep_proved(model, guessed=True)
    return model


def ask(model, request, context=None):
    """A model's answer to a request, with no engine in between."""
    return question_of(request).run(model, request, context or Context())


def ask_within(model, request, context=None):
    """The same where what is beyond the ends of an option is refused, as the engine does."""
    request.check()
    return ask(model, request, context)


def answers(model, request):
    """Whether a model has what a type of request needs of the one that answers."""
    return why_not(model, request) is None


def why_not(model, request):
    """What a model says where it lacks what a type of request needs; None where it does not."""
    (question,) = (one for one in all_questions().values() if one.request is request)
    port = missing_port(question.first_needs, model.ports)
    return None if port is None else model.refused[port]

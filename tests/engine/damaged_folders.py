"""Checkpoint folders with a few random changes, the same for the same seed."""

import json
import random
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer.hf.family.tiny import write_tiny
from tests.hf import tiny

NONSENSE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 3, 5, 7, 33, 64, 1000, 2**31, 2**63, 10**40, 10**400),
    *(-1, -(2**40), 0.0, 0.5, -0.5, 1.5, 1e308, float("inf"), float("nan")),
    *("", "x", "0", "gelu", "eager", "\ud800", "\u202e<b>", "a" * 5000, "a\nb"),
    *([], [1], ["x"], [[]], {}, {"a": 1}, {"0": "x"}),
)
KEYS = (
    *("model_type", "architectures", "auto_map", "attn_implementation", "_attn_implementation"),
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "hidden_act"),
    *("vocab_size", "max_position_embeddings", "type_vocab_size", "pad_token_id", "layer_norm_eps"),
    *("hidden_dropout_prob", "attention_probs_dropout_prob", "chunk_size_feed_forward"),
    *("initializer_range", "position_embedding_type", "is_decoder", "add_cross_attention"),
    *("tie_word_embeddings", "torch_dtype", "dtype", "num_labels", "id2label", "label2id"),
    *("output_attentions", "output_hidden_states", "return_dict", "use_cache", "use_bfloat16"),
    *("pruned_heads", "quantization_config", "is_encoder_decoder", "problem_type"),
    *("decoder_start_token_id", "bos_token_id", "eos_token_id", "rope_theta", "tokenizer_class"),
)
FAMILIES = ("bert", "gpt2", "t5", "roberta", "albert", "distilbert", "electra", "mobilebert")


def write_sound(folder: Path) -> list[Path]:
    """The folders that are damaged: a family each, and every way weights are stored."""
    import torch
    from safetensors.torch import load_file, save_file

    host = tiny.families()
    folders = [write_tiny(host.family(name), folder / name) for name in FAMILIES]
    pickled = shutil.copytree(folder / "bert", folder / "pickled")
    weights = load_file(pickled / "model.safetensors")
    (pickled / "model.safetensors").unlink()
    torch.save(weights, pickled / "pytorch_model.bin")
    sharded = shutil.copytree(folder / "bert", folder / "sharded")
    (sharded / "model.safetensors").unlink()
    names = sorted(weights)
    where = {name: f"model-{number % 3 + 1}.safetensors" for number, name in enumerate(names)}
    for file in set(where.values()):
        part = {name: weights[name] for name in names if where[name] == file}
        save_file(part, sharded / file, metadata={"format": "pt"})
    (sharded / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}))
    vocabulary = shutil.copytree(folder / "bert", folder / "vocabulary")
    tokenizer = json.loads((vocabulary / "tokenizer.json").read_text("utf-8"))
    (vocabulary / "tokenizer.json").unlink()
    (vocabulary / "vocab.txt").write_text("\n".join(tokenizer["model"]["vocab"]) + "\n", "utf-8")
    return [*folders, pickled, sharded, sharded, vocabulary]


class Damage:
    """Changes a folder a few times; `told` says how, for whom a test fails."""

    def __init__(self, sound: list[Path], folder: Path, seed: int) -> None:
        self._random = random.Random(seed)
        source = self._random.choice(sound)
        self.folder = shutil.copytree(source, folder)
        self.told = [f"seed {seed}", source.name]
        self.fields: dict[str, Any] = {}
        """What was put into config.json."""
        for _ in range(self._random.choice((1, 1, 1, 2, 3))):
            change = self._random.choice(CHANGES)
            if any(self.folder.iterdir()):
                change(self)

    def __str__(self) -> str:
        return ", ".join(self.told)

    @property
    def is_config_alone(self) -> bool:
        """Whether a single value of config.json is all that was changed."""
        return len(self.told) == 3 and len(self.fields) == 1

    # ---- config.json --------------------------------------------------------------------------

    def config_value(self) -> None:
        """Another value of one of its keys, or of one that it need not have."""
        config = self._json("config.json")
        if isinstance(config, dict):
            key = self._random.choice((*config, *config, *KEYS))
            self.fields[key] = config[key] = self._random.choice(NONSENSE)
            self._write("config.json", config, f"{key} = {config[key]!r:.40}")

    def config_without(self) -> None:
        """A key less."""
        config = self._json("config.json")
        if isinstance(config, dict) and config:
            key = self._random.choice(list(config))
            del config[key]
            self._write("config.json", config, f"without {key}")

    def config_exchanged(self) -> None:
        """Two values in each other's place."""
        config = self._json("config.json")
        if isinstance(config, dict) and len(config) > 1:
            one, other = self._random.sample(list(config), 2)
            config[one], config[other] = config[other], config[one]
            self._write("config.json", config, f"{one} and {other} exchanged")

    # ---- the tokenizer, and other JSON --------------------------------------------------------

    def json_inside(self) -> None:
        """Something else somewhere inside a JSON file: a tokenizer, an index, a config."""
        names = [one.name for one in sorted(self.folder.glob("*.json")) if one.is_file()]
        if not names:
            return
        name = self._random.choice(names)
        whole = self._json(name)
        holder, key, path = {"": whole}, "", ""
        while isinstance(holder[key], dict | list) and len(holder[key]) > 0:
            holder = holder[key]
            key = self._random.choice(
                list(holder) if isinstance(holder, dict) else [*range(len(holder))]
            )
            path += f".{key!s:.20}"
            if self._random.random() < 0.3:
                break
        if self._random.random() < 0.3 and path:
            del holder[key]
            path += " is gone"
        else:
            holder[key] = self._random.choice(NONSENSE)
            path += f" = {holder[key]!r:.40}"
        self._write(name, whole if path.count(".") else holder[""], f"{name}{path}")

    def pieces_gone(self) -> None:
        """Some lines of a vocabulary less."""
        path = self.folder / "vocab.txt"
        if path.is_file():
            lines = path.read_text("utf-8").splitlines()
            at = self._random.randrange(len(lines))
            del lines[at : at + self._random.choice((1, 1, 5, 40))]
            path.write_text("\n".join(lines), "utf-8")
            self.told.append(f"vocab.txt from line {at}")

    # ---- bytes and files ----------------------------------------------------------------------

    def bytes_changed(self) -> None:
        """Bytes of a file changed, cut, doubled or put in."""
        path = self._any_file()
        content = bytearray(path.read_bytes())
        at = self._random.randrange(min(len(content), self._random.choice((40, 2000, 10**9))) or 1)
        how = self._random.choice(("changed", "cut", "zero", "put in", "out"))
        some = self._random.randbytes(self._random.choice((1, 1, 2, 8, 200)))
        if how == "changed":
            content[at : at + len(some)] = some
        elif how == "cut":
            del content[at:]
        elif how == "zero":
            content[at : at + 64] = bytes(len(content[at : at + 64]))
        elif how == "put in":
            content[at:at] = some
        else:
            del content[at : at + len(some)]
        path.write_bytes(content)
        self.told.append(f"{path.name}: {len(some)} bytes {how} at {at}")

    def file_gone(self) -> None:
        """A file less."""
        path = self._any_file()
        path.unlink()
        self.told.append(f"without {path.name}")

    def file_of_another_kind(self) -> None:
        """A folder, an empty file or a link to itself where a file was."""
        path = self._any_file()
        path.unlink()
        how = self._random.choice(("a folder", "empty", "a link"))
        if how == "a folder":
            path.mkdir()
        elif how == "empty":
            path.touch()
        else:
            path.symlink_to(path.name)
        self.told.append(f"{path.name} is {how}")

    def files_exchanged(self) -> None:
        """Two files in each other's place, as shards under wrong names are."""
        paths = sorted(one for one in self.folder.iterdir() if one.is_file())
        if len(paths) > 1:
            one, other = self._random.sample(paths, 2)
            kept = one.read_bytes()
            one.write_bytes(other.read_bytes())
            other.write_bytes(kept)
            self.told.append(f"{one.name} and {other.name} exchanged")

    # ---- weights ------------------------------------------------------------------------------

    def tensor_changed(self) -> None:
        """A tensor gone, renamed, of another shape or type, or full of something else."""
        import torch
        from safetensors.torch import load_file, save_file

        paths = sorted(one for one in self.folder.glob("*.safetensors") if one.is_file())
        if not paths:
            return
        path = self._random.choice(paths)
        try:
            weights = load_file(path)
        except Exception:  # noqa: BLE001 - it was damaged before
            return
        if not weights:
            return
        name = self._random.choice(sorted(weights))
        tensor = weights.pop(name)
        how = self._random.choice(("gone", "renamed", "reshaped", "whole", "half", "nan", "inf"))
        if how == "renamed":
            weights[name + "x"] = tensor
        elif how == "reshaped":
            weights[name] = torch.zeros(*tensor.shape, 2)
        elif how == "whole":
            weights[name] = tensor.to(torch.int8)
        elif how == "half":
            weights[name] = tensor.half()
        elif how != "gone":
            weights[name] = torch.full_like(tensor, float(how))
        save_file(weights, path, metadata={"format": "pt"})
        self.told.append(f"{name} {how}")

    def header_changed(self) -> None:
        """Something else in a safetensors file's header."""
        paths = sorted(one for one in self.folder.glob("*.safetensors") if one.is_file())
        if not paths:
            return
        path = self._random.choice(paths)
        content = path.read_bytes()
        try:
            length = struct.unpack("<Q", content[:8])[0]
            header = json.loads(content[8 : 8 + length])
            name = self._random.choice(sorted(header))
            key = self._random.choice(("dtype", "shape", "data_offsets"))
            header[name][key] = self._random.choice((*NONSENSE, "F16", "U8", [2, 2], [0, 8]))
        except (ValueError, IndexError, TypeError, struct.error):
            return
        written = json.dumps(header).encode()
        path.write_bytes(struct.pack("<Q", len(written)) + written + content[8 + length :])
        self.told.append(f"header: {name}.{key} = {header[name][key]!r:.40}")

    # ---- tools --------------------------------------------------------------------------------

    def _any_file(self) -> Path:
        return self._random.choice(sorted(one for one in self.folder.iterdir() if one.is_file()))

    def _json(self, name: str) -> Any:
        try:
            return json.loads((self.folder / name).read_text("utf-8"))
        except (OSError, ValueError):
            return None

    def _write(self, name: str, content: Any, told: str) -> None:
        (self.folder / name).write_text(json.dumps(content), encoding="utf-8")
        self.told.append(told)


CHANGES: tuple[Callable[[Damage], None], ...] = (
    *[Damage.config_value] * 6,
    *[Damage.json_inside] * 4,
    *[Damage.bytes_changed] * 4,
    Damage.config_without,
    Damage.config_exchanged,
    Damage.pieces_gone,
    Damage.file_gone,
    Damage.file_of_another_kind,
    Damage.files_exchanged,
    Damage.tensor_changed,
    Damage.tensor_changed,
    Damage.header_changed,
)

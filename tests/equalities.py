"""What the program's numbers are equal to, and how far from it they are at most: README's table.

`python -m tests.equalities` measures it, `--write` puts it into both READMEs. Each is asked as a
person asks it, and computed once more by somebody else's code of the same files.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "resources" / "models"
TEXT = "the chef cooked the meal in the kitchen ."
MASKED = "the chef cooked the [MASK] in the kitchen ."


@dataclass(frozen=True)
class Equality:
    """Numbers, and what they are equal to.

    Attributes:
        what: The numbers, in English and in Korean.
        to: Whose they are equal to.
        unit: In which, in both.
        bound: How far from it they are at most; a test fails beyond.
        pairs: Gives both.
    """

    what: tuple[str, str]
    to: tuple[str, str]
    unit: tuple[str, str]
    bound: float
    pairs: Callable[[], tuple[Any, Any]]

    def distance(self) -> float:
        """How far apart they are, here."""
        ours, theirs = (np.asarray(one, dtype=np.float64) for one in self.pairs())
        assert ours.shape == theirs.shape
        assert ours.size
        return float(np.abs(ours - theirs).max())


def _of(kind: str, name: str, **more: Any) -> Any:
    import transformers

    read = getattr(transformers, kind).from_pretrained
    return read(MODELS / name, dtype="float32", **more).eval()


def _ids(name: str, text: str) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(MODELS / name)(text, return_tensors="pt")


def _logits(kind: str, name: str, text: str) -> Any:
    import torch

    with torch.no_grad():
        return _of(kind, name)(**_ids(name, text)).logits[0].double()


def masked_tokens() -> tuple[Any, Any]:
    """Probabilities at a mask, and the fill-mask pipeline's."""
    from transformers import AutoTokenizer, FillMaskPipeline

    import explorer

    name = "bert-miniature"
    (mask,) = explorer.ask("masked_tokens", MASKED, model=name, top_k=50).result.masks
    tokenizer = AutoTokenizer.from_pretrained(MODELS / name)
    pipeline = FillMaskPipeline(
        model=_of("AutoModelForMaskedLM", name), tokenizer=tokenizer, device=-1
    )
    theirs = {one["token"]: one["score"] for one in pipeline(MASKED, top_k=50)}
    return (
        [one.probability for one in mask.predictions],
        [theirs[one.id] for one in mask.predictions],
    )


def surprisal() -> tuple[Any, Any]:
    """Log-probabilities of GPT-2's tokens, and those of transformers' own logits."""
    import explorer

    name = "gpt2-miniature"
    found = explorer.ask("surprisal", TEXT, model=name).result
    ids = [one.id for one in found.tokens]
    import torch

    with torch.no_grad():
        logits = _of("AutoModelForCausalLM", name)(torch.tensor([ids])).logits[0].double()
    theirs = torch.log_softmax(logits, -1)
    return (
        [one.log_probability for one in found.surprises],
        [float(theirs[one.position - 1, ids[one.position]]) for one in found.surprises],
    )


def replaced_tokens() -> tuple[Any, Any]:
    """The discriminator's logits, and ElectraForPreTraining's for the same tokens."""
    import torch

    import explorer

    name = "electra-miniature-discriminator"
    roles = {"discriminator": name, "generator": "electra-miniature-generator"}
    found = explorer.ask("replaced_tokens", TEXT, masks=["meal", "chef"], **roles).result
    with torch.no_grad():
        ids = torch.tensor([[one.id for one in found.tokens]])
        theirs = _of("ElectraForPreTraining", name)(ids).logits[0]
    return found.logits, theirs


def _inside(field: str, wanted: str) -> tuple[Any, Any]:
    import torch

    import explorer

    name = "bert-miniature"
    with explorer.open(name) as model:
        arrays = model.values(TEXT, wanted).arrays
    ours = next(one.values for name, one in arrays.items() if name.startswith(wanted))
    with torch.no_grad():
        eager = _of("AutoModel", name, attn_implementation="eager")
        told = eager(**_ids(name, TEXT), **{f"output_{field}": True})
    theirs = torch.stack(told[field])[:, 0]
    return ours.reshape(theirs.shape), theirs


def states() -> tuple[Any, Any]:
    """Hidden states of all layers, and output_hidden_states."""
    return _inside("hidden_states", "states")


def attention() -> tuple[Any, Any]:
    """All heads' weights, and output_attentions."""
    return _inside("attentions", "attention")


def written() -> tuple[Any, Any]:
    """The sum of all parts that wrote a difference of logits, and transformers' own difference."""
    import explorer

    name = "bert-miniature"
    found = explorer.ask("logit_parts", MASKED, model=name).result
    row = _logits("AutoModelForMaskedLM", name, MASKED)[found.position]
    tokenizer = _tokenizer(name)
    first, second = (tokenizer.convert_tokens_to_ids(one) for one in found.words)
    return [sum(one.value for one in found.parts)], [float(row[first] - row[second])]


def _tokenizer(name: str) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(MODELS / name)


def distillation() -> tuple[Any, Any]:
    """The divergence of a student from its teacher at T = 2, and the formula's of both's logits."""
    import torch

    import explorer

    names = {"teacher": "bert-miniature", "student": "distilbert-miniature"}
    found = explorer.ask("distillation_losses", MASKED, temperature=2.0, **names).result
    place = next(n for n, one in enumerate(found.tokens) if one.text == "[MASK]")
    teacher, student = (
        torch.log_softmax(_logits("AutoModelForMaskedLM", one, MASKED)[place] / 2.0, -1)
        for one in names.values()
    )
    theirs = float((teacher.exp() * (teacher - student)).sum())
    return [found.predictions.kl_teacher_student], [theirs]


def parameters() -> tuple[Any, Any]:
    """How many there are, and how many transformers has."""
    import explorer

    name = "bert-miniature"
    found = explorer.ask("architecture", model=name).result
    return [found.parameters.unique], [_of("BertForPreTraining", name).num_parameters()]


EQUALITIES = (
    Equality(
        ("Masked tokens: probabilities", "가린 토큰: 확률"),
        ("transformers' `fill-mask` pipeline", "transformers의 `fill-mask` 파이프라인"),
        ("", ""),
        1e-5,
        masked_tokens,
    ),
    Equality(
        ("Surprisal of a GPT-2", "GPT-2의 서프라이절"),
        ("log-softmax of transformers' logits", "transformers 로짓의 log-softmax"),
        (" nats", " nat"),
        1e-4,
        surprisal,
    ),
    Equality(
        ("Replaced tokens: logits", "대체된 토큰: 로짓"),
        ("`ElectraForPreTraining`", "`ElectraForPreTraining`"),
        ("", ""),
        1e-4,
        replaced_tokens,
    ),
    Equality(
        ("States of all layers", "모든 층의 상태"),
        ("`output_hidden_states`", "`output_hidden_states`"),
        ("", ""),
        1e-4,
        states,
    ),
    Equality(
        ("Attention of all heads", "모든 헤드의 어텐션"),
        ("`output_attentions`", "`output_attentions`"),
        ("", ""),
        1e-5,
        attention,
    ),
    Equality(
        ("Where it is written: the sum of all parts", "어디에 쓰였나: 모든 부분의 합"),
        ("the difference of transformers' logits", "transformers 로짓의 차이"),
        ("", ""),
        1e-4,
        written,
    ),
    Equality(
        ("Distillation losses: KL at T = 2", "증류 손실: T = 2에서 KL"),
        ("the formula, of transformers' logits", "transformers 로짓에 쓴 공식"),
        (" nats", " nat"),
        1e-5,
        distillation,
    ),
    Equality(
        ("Architecture: parameters", "구조: 파라미터 수"),
        ("`num_parameters()`", "`num_parameters()`"),
        ("", ""),
        0.0,
        parameters,
    ),
)
HEADS = (
    "| numbers | equal to | a test fails beyond | measured |\n|---|---|---|---|\n",
    "| 수 | 무엇과 같은가 | 이보다 멀면 테스트 실패 | 잰 값 |\n|---|---|---|---|\n",
)
FILES = ("README.md", "README.ko.md")


def rows(language: int, found: dict[str, float]) -> Iterator[str]:
    """The lines of the table.

    Args:
        language: 0 for English, 1 for Korean.
        found: What was measured, by the English names.
    """
    for one in EQUALITIES:
        unit = one.unit[language] if one.bound else ""
        bound = f"{one.bound:.6f}".rstrip("0").rstrip(".") + unit
        measured = f"{found[one.what[0]]:.0e}".replace("e-0", "e-") if found[one.what[0]] else "0"
        yield f"| {one.what[language]} | {one.to[language]} | {bound} | {measured} |\n"


def table_in(text: str, language: int) -> str:
    """The table's lines as they are in a README."""
    found = re.search(re.escape(HEADS[language]) + r"((?:\|.*\n)+)", text)
    return "" if found is None else found[1]


def main() -> int:
    """Measure, print, and write where that is wanted; the status is 1 beyond a bound."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="into both READMEs")
    given = parser.parse_args()
    import explorer

    with tempfile.TemporaryDirectory() as profile:
        explorer.use(profile=profile, device="cpu", language="en")
        found = {one.what[0]: one.distance() for one in EQUALITIES}
    for language, name in enumerate(FILES):
        made = "".join(rows(language, found))
        sys.stdout.write(HEADS[language] + made)
        if given.write:
            text = (ROOT / name).read_text("utf-8")
            head = HEADS[language]
            before = head + table_in(text, language)
            (ROOT / name).write_text(text.replace(before, head + made, 1), "utf-8")
    return int(any(found[one.what[0]] > one.bound for one in EQUALITIES))


if __name__ == "__main__":
    sys.exit(main())

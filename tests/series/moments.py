"""Series for tests: a miniature at several steps, and what transformers' Trainer leaves."""

import shutil
from pathlib import Path

from explorer.paths import Paths

MODELS = Paths.standard().bundled_models


def frames_of(miniature: str, to: Path, steps: tuple[int, ...]) -> Path:
    """Copies of a bundled model whose weights differ, as folders `checkpoint-N`."""
    from safetensors.torch import load_file, save_file

    for step in steps:
        frame = to / f"checkpoint-{step}"
        shutil.copytree(MODELS / miniature, frame)
        weights = load_file(frame / "model.safetensors")
        moved = {
            name: one * (1 + 1 / step) if one.is_floating_point() else one
            for name, one in weights.items()
        }
        save_file(moved, frame / "model.safetensors", metadata={"format": "pt"})
    return to


def damage(frame: Path) -> None:
    """Cut the weights off in their middle, as a disk that was full leaves them."""
    weights = frame / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[: weights.stat().st_size // 2])


def trained(to: Path, *, steps: int, every: int) -> Path:
    """Let transformers' Trainer train the smallest bundled BERT, and keep its frames."""
    import torch
    from transformers import (
        AutoModelForMaskedLM,
        AutoTokenizer,
        DataCollatorForLanguageModeling,
        Trainer,
        TrainingArguments,
    )

    torch.manual_seed(0)
    source = MODELS / "distilbert-miniature"
    tokenizer = AutoTokenizer.from_pretrained(source)
    model = AutoModelForMaskedLM.from_pretrained(source)
    texts = ["the chef prepared the meal .", "in the kitchen she washed a pan ."] * 8
    told = TrainingArguments(
        output_dir=str(to),
        max_steps=steps,
        save_steps=every,
        per_device_train_batch_size=2,
        learning_rate=1e-3,
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
        save_total_limit=None,
        dataloader_pin_memory=False,
        logging_steps=every,
    )
    Trainer(
        model=model,
        args=told,
        train_dataset=[tokenizer(text) for text in texts],
        data_collator=DataCollatorForLanguageModeling(tokenizer),
        processing_class=tokenizer,
    ).train()
    return to

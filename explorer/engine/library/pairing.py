"""Which checkpoint is the other half of a generator and its discriminator.

The two are published apart and say in their names which half they are:
"electra-small-generator" and "electra-small-discriminator", or "deberta-v3-miniature" and
"deberta-v3-miniature-generator".
"""

from pathlib import Path

GENERATOR, DISCRIMINATOR = "-generator", "-discriminator"
GENERATOR_FILE = "pytorch_model.generator.bin"
"""DeBERTa v3's generator, which lies in the discriminator's own repository."""

GENERATOR_CONFIG = "generator_config.json"


def other_halves(checkpoint_id: str) -> tuple[str, ...]:
    """Names the other half may have, the likeliest first."""
    if checkpoint_id.endswith(GENERATOR):
        base = checkpoint_id.removesuffix(GENERATOR)
        return (base + DISCRIMINATOR, base)
    return (checkpoint_id.removesuffix(DISCRIMINATOR) + GENERATOR,)


def generator_file(folder: str | None) -> str:
    """The path of a generator's weights beside its discriminator's; "" where there are none."""
    if folder is None:
        return ""
    path = Path(folder) / GENERATOR_FILE
    return str(path) if path.is_file() else ""

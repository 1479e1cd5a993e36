"""How a generator and a discriminator that are trained together share their embeddings.

He, Gao and Chen 2023 (DeBERTaV3), sections 3.2 and 3.3, compares three ways, with E_G the
generator's embeddings and E_D the discriminator's:

* shared (ES, as in ELECTRA): E_D = E_G; both losses pull at one table, in different directions;
* separate (NES): two tables; nothing of what the generator learns helps the discriminator;
* gradient-disentangled (GDES): E_D = sg(E_G) + E_delta, where sg stops the gradient and E_delta
  starts at zero. The discriminator profits from the generator's table but does not pull at it.
  When training is over E_G + E_delta is stored as the discriminator's table.

This file imports torch; recipes import it when they make their models.
"""

from __future__ import annotations

import enum

import torch
from torch import Tensor, nn
from torch.nn import functional


class Sharing(enum.StrEnum):
    """The three ways."""

    SHARED = "shared"
    SEPARATE = "separate"
    DISENTANGLED = "gradient-disentangled"


class ResidualEmbedding(nn.Module):
    """sg(E_G) + E_delta as an embedding layer."""

    delta: nn.Parameter

    def __init__(self, base: nn.Embedding) -> None:
        super().__init__()
        self.delta = nn.Parameter(torch.zeros_like(base.weight))
        # In a tuple the table stays the generator's: it is neither stored nor trained here.
        self._base = (base,)

    @property
    def weight(self) -> Tensor:
        """The table as the discriminator reads it, shape [vocabulary, width]."""
        return self._base[0].weight.detach() + self.delta

    def forward(self, tokens: Tensor) -> Tensor:
        """Token numbers of any shape to their vectors, shape [..., width]."""
        base = functional.embedding(tokens, self._base[0].weight.detach())
        return base + functional.embedding(tokens, self.delta)

    def as_embedding(self) -> nn.Embedding:
        """An ordinary embedding layer that holds E_G + E_delta."""
        table = self.weight.detach()
        return nn.Embedding(table.shape[0], table.shape[1], _weight=table.clone())


def share(generator: nn.Module, discriminator: nn.Module, name: str, sharing: Sharing) -> None:
    """Make the discriminator's table of one kind the generator's, or one that starts from it.

    Args:
        generator: the module that holds the generator's tables (``...embeddings``).
        discriminator: the same of the discriminator; changed.
        name: the table, as in ``word_embeddings``.
        sharing: how.
    """
    base = getattr(generator, name)
    if sharing is Sharing.SHARED:
        setattr(discriminator, name, base)
    elif sharing is Sharing.DISENTANGLED:
        setattr(discriminator, name, ResidualEmbedding(base))

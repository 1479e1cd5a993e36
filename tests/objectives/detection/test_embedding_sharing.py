import pytest
import torch
from torch import nn

from explorer.objectives.detection.embedding_sharing import ResidualEmbedding, Sharing, share


class Tables(nn.Module):
    def __init__(self, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.word_embeddings = nn.Embedding(6, 3)


@pytest.fixture
def pair():
    return Tables(0), Tables(1)


TOKENS = torch.tensor([[1, 5, 1]])


def pull(discriminator):
    """A loss of the discriminator alone, worked backwards."""
    discriminator.word_embeddings(TOKENS).square().sum().backward()


def test_shared_tables_are_one(pair):
    generator, discriminator = pair
    share(generator, discriminator, "word_embeddings", Sharing.SHARED)
    pull(discriminator)
    assert discriminator.word_embeddings.weight is generator.word_embeddings.weight
    assert generator.word_embeddings.weight.grad.abs().sum() > 0


def test_separate_tables_are_two(pair):
    generator, discriminator = pair
    share(generator, discriminator, "word_embeddings", Sharing.SEPARATE)
    pull(discriminator)
    assert generator.word_embeddings.weight.grad is None
    assert not torch.equal(generator.word_embeddings.weight, discriminator.word_embeddings.weight)


def test_a_disentangled_table_starts_as_the_generators_and_does_not_pull_at_it(pair):
    generator, discriminator = pair
    share(generator, discriminator, "word_embeddings", Sharing.DISENTANGLED)
    assert torch.equal(discriminator.word_embeddings(TOKENS), generator.word_embeddings(TOKENS))
    pull(discriminator)
    assert generator.word_embeddings.weight.grad is None
    # d/dE of the sum of squares is 2 E at each use; token 1 is used twice.
    table = generator.word_embeddings.weight
    expected = torch.zeros(6, 3)
    expected[1], expected[5] = 4 * table[1], 2 * table[5]
    torch.testing.assert_close(discriminator.word_embeddings.delta.grad, expected)


def test_the_discriminator_follows_what_the_generator_learns(pair):
    generator, discriminator = pair
    share(generator, discriminator, "word_embeddings", Sharing.DISENTANGLED)
    with torch.no_grad():
        generator.word_embeddings.weight += 1.0
        discriminator.word_embeddings.delta[5] = 2.0
    expected = generator.word_embeddings.weight.detach().clone()
    expected[5] += 2.0
    torch.testing.assert_close(discriminator.word_embeddings(TOKENS)[0], expected[TOKENS[0]])
    plain = discriminator.word_embeddings.as_embedding()
    torch.testing.assert_close(plain.weight.detach(), expected)


def test_a_disentangled_table_stores_its_difference_only(pair):
    generator, _ = pair
    table = ResidualEmbedding(generator.word_embeddings)
    assert set(table.state_dict()) == {"delta"}
    assert not table.delta.any()

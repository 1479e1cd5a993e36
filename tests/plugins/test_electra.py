"""ELECTRA: the generator fills masks, the discriminator does not and says who does."""

import pytest

from explorer.api.family import CheckpointFault, Context, Discriminator, Unavailable
from explorer.hf.family.tiny import TINY_WIDTH, write_tiny
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.plugins import encoder_checkpoints as made


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    place = tmp_path_factory.mktemp("models")
    family = made.families().family("electra")
    names = {"generator": "ElectraForMaskedLM", "discriminator": "ElectraForPreTraining"}
    return {
        half: write_tiny(family, place / f"electra-tiny-{half}", model_class=name)
        for half, name in names.items()
    }


@pytest.fixture(scope="module")
def generator(folders):
    return made.loaded(folders["generator"])


def test_heads_before_loading(folders):
    rows = {half: made.row(folder) for half, folder in folders.items()}
    present = {half: [h.name for h in row.heads if h.present] for half, row in rows.items()}
    assert present == {"generator": ["masked_lm"], "discriminator": ["replaced_token"]}
    assert "masked_tokens" in rows["generator"].operations
    assert "masked_tokens" not in rows["discriminator"].operations
    assert "replaced_tokens" not in rows["generator"].operations


@pytest.mark.parametrize("text", [made.ONE, made.SEVERAL])
def test_the_generator_is_the_same_as_transformers(folders, generator, text):
    result = made.fill(generator, text)
    made.agree(result, made.plain_logits("ElectraForMaskedLM", folders["generator"], result))


def test_ties_are_reported(generator):
    card = generator.cards["A"]
    name = "electra.embeddings.word_embeddings.weight"
    assert dict(card.report.tied) == {"generator_lm_head.weight": name}
    assert card.report.missing == ()
    assert "its discriminator" in card.unavailable["replaced_tokens"]


def test_the_discriminator_points_to_its_generator(folders):
    answering = made.loaded(folders["discriminator"])
    sentence = (
        "This is a discriminator: it detects replaced tokens. Load its generator to fill masks."
    )
    assert answering.cards["A"].unavailable["masked_tokens"] == sentence
    with pytest.raises(Unavailable, match="Load its generator"):
        answering.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())


def test_the_discriminators_head_is_the_files(folders):
    """The port's head against transformers' own class: a logit a token."""
    import torch
    from transformers import ElectraForPreTraining

    model = made.loaded(folders["discriminator"]).models["A"]
    head = model.port(Discriminator).head
    ids = torch.tensor([[2, 5, 6, 9, 3]])
    with torch.inference_mode():
        given = head(model.encoder(input_ids=ids))
        module = ElectraForPreTraining.from_pretrained(str(folders["discriminator"])).eval()
        expected = module(input_ids=ids).logits
    assert given.shape == (1, 5)
    assert torch.allclose(given, expected, atol=1e-5)
    assert float(expected.std()) > 0.01


def test_an_encoder_alone_says_so(folders, tmp_path):
    weights = made.state(folders["generator"])
    weights = {n: t for n, t in weights.items() if n.startswith("electra.")}
    assert weights["electra.embeddings_project.weight"].shape[0] == TINY_WIDTH
    bare = made.changed(folders["generator"], tmp_path / "electra-bare", weights)
    answering = made.loaded(bare)
    assert "masked_tokens" not in answering.cards["A"].operations
    assert "no masked language model head" in answering.cards["A"].unavailable["masked_tokens"]


@pytest.mark.parametrize("family", ["roberta", "mobilebert", "distilbert"])
def test_a_family_that_it_is_not_is_refused_in_words(folders, family):
    with pytest.raises(CheckpointFault, match="The weights do not fit the config"):
        made.loaded(folders["generator"], family=family)


@pytest.mark.parametrize("one", made.published("electra"), ids=lambda one: one.id)
def test_published_numbers_follow_from_the_architecture(one):
    import transformers

    name = "ElectraForMaskedLM" if one.id.endswith("generator") else "ElectraForPreTraining"
    config = transformers.ElectraConfig(**one.config)
    assert one.parameters == made.counted(getattr(transformers, name), config)
    assert one.size_bytes == 4 * one.parameters
    head = "masked_lm" if one.id.endswith("generator") else "replaced_token"
    assert one.heads == (head,)

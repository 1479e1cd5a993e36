import dataclasses

import pytest

from explorer.world.corpus import training_documents


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def texts():
    return training_documents(1500)


@pytest.fixture(scope="session")
def tokenizer(texts):
    from explorer.pretraining.recipes.encoders.bert import RECIPE

    return RECIPE.make_tokenizer(texts)


@pytest.fixture(scope="session")
def small_recipe():
    """The BERT recipe with small batches."""
    from explorer.pretraining.recipes.encoders.bert import BertRecipe

    class SmallBert(BertRecipe):
        schedule = dataclasses.replace(BertRecipe.schedule, examples=16, documents=1500)

    return SmallBert()


@pytest.fixture(scope="session")
def quiet_loading():
    """transformers logs that BertForMaskedLM has no use for the next-sentence head.

    It says so of every checkpoint that holds both heads, the published ones too.
    """
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()
    yield
    logging.set_verbosity(before)

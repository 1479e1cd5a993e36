from itertools import islice

import pytest

from explorer.learning.texts.worlds import KoreanText, SmallestWorldText
from explorer.world.exact.truth import Truth

TEXTS = {"English": SmallestWorldText, "Korean": KoreanText}


def tokenizer_of(text):
    from explorer.learning.tokenizers.wordpiece import pretrained_tokenizer, train_wordpiece

    strip = None if text.strips_accents else False
    read = islice(text.vocabulary_texts(), 1200)
    return pretrained_tokenizer(
        train_wordpiece(read, 600, strip_accents=strip), 128, strip_accents=strip
    )


@pytest.fixture(scope="session")
def text():
    return SmallestWorldText()


@pytest.fixture(scope="session")
def tokenizer(text):
    return tokenizer_of(text)


@pytest.fixture(scope="session")
def truth(text, tokenizer):
    return Truth(tokenizer.tokenize, world=text.grammar)


@pytest.fixture(scope="session")
def bert(tokenizer):
    import torch
    from transformers import BertConfig, BertForMaskedLM

    torch.manual_seed(3)
    return BertForMaskedLM(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=64,
            initializer_range=0.5,
        )
    ).eval()


@pytest.fixture(scope="session")
def gpt(tokenizer):
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(4)
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=16,
        n_layer=1,
        n_head=2,
        n_positions=64,
        bos_token_id=tokenizer.cls_token_id,
        eos_token_id=tokenizer.sep_token_id,
    )  # fmt: skip, n_embd=16, n_layer=1, n_head=2, n_positions=64)
    return GPT2LMHeadModel(config).eval()

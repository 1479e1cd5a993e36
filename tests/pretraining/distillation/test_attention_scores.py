import pytest
import torch

from explorer.learning.distilling.teachers.attention_scores import captured_scores


def bert():
    from transformers import BertConfig, BertForPreTraining

    return BertForPreTraining(
        BertConfig(
            vocab_size=50, hidden_size=24, num_hidden_layers=3, num_attention_heads=4,
            intermediate_size=32, max_position_embeddings=16, attn_implementation="eager",
        )
    )  # fmt: skip


def mobilebert(**changed):
    from transformers import MobileBertConfig, MobileBertForPreTraining

    return MobileBertForPreTraining(
        MobileBertConfig(
            vocab_size=50, hidden_size=24, embedding_size=8, num_hidden_layers=3,
            num_attention_heads=4, intermediate_size=32, max_position_embeddings=16,
            classifier_activation=False, attn_implementation="eager",
            **{"intra_bottleneck_size": 8, **changed},
        )
    )  # fmt: skip


def ib_bert():
    return mobilebert(
        intra_bottleneck_size=48, use_bottleneck_attention=True, key_query_shared_bottleneck=False
    )


@pytest.mark.parametrize("make", [bert, mobilebert, ib_bert])
def test_their_softmax_is_the_attention_of_every_layer(make):
    torch.manual_seed(1)
    model = make().eval()
    tokens = torch.randint(5, 50, (2, 7))
    with captured_scores(model) as scores:
        attentions = model(input_ids=tokens, output_attentions=True).attentions
    assert len(scores) == len(attentions) == 3
    for found, expected in zip(scores, attentions, strict=True):
        assert torch.allclose(found.softmax(dim=-1), expected, atol=1e-6)
    assert scores[0].requires_grad


def test_each_pass_fills_the_list_anew_and_nothing_is_left_behind():
    model = bert().eval()
    with captured_scores(model) as scores:
        for length in (3, 5):
            model(input_ids=torch.randint(5, 50, (1, length)))
            assert [tuple(s.shape) for s in scores] == [(1, 4, length, length)] * 3
    model(input_ids=torch.randint(5, 50, (1, 8)))
    assert scores[0].shape[-1] == 5

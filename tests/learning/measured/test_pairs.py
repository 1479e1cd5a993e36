import math

import pytest
import torch

from explorer.learning.measured.pairs import draw_pairs, pair_report
from explorer.objectives.pairs.next_sentence import IS_NEXT, lay_out

TASKS = {"next": False, "order": True}


@pytest.fixture(scope="module", params=TASKS)
def pairs(request, truth, text, tokenizer):
    return draw_pairs(truth, tokenizer, text.held_out(120), 3, ordered=TASKS[request.param])


def test_the_exact_answer_is_calibrated(pairs):
    assert len(pairs) == 120
    stands = [float(one.pair.label == IS_NEXT) for one in pairs]
    expected = math.fsum(one.exact for one in pairs)
    spread = math.sqrt(math.fsum(one.exact * (1.0 - one.exact) for one in pairs))
    assert abs(sum(stands) - expected) <= 4.0 * spread + 1e-9
    # What surely does not stand never does, and what surely stands always does.
    assert all(stood for one, stood in zip(pairs, stands, strict=True) if one.exact == 1.0)
    assert not any(stood for one, stood in zip(pairs, stands, strict=True) if one.exact == 0.0)


class Knowing:
    """Answers with the exact probabilities."""

    def __init__(self, tokenizer, pairs):
        self.known = {
            tuple(lay_out(one.pair, tokenizer.cls_token_id, tokenizer.sep_token_id).tokens): one
            for one in pairs
        }

    def __call__(self, input_ids, token_type_ids):
        exact = self.known[tuple(input_ids[0].tolist())].exact
        assert token_type_ids.max() == 1
        logits = torch.tensor([[math.log(max(p, 1e-30)) for p in (exact, 1.0 - exact)]])
        return {"seq_relationship_logits": logits}


def test_who_knows_has_no_excess_and_a_guesser_has_some(tokenizer, pairs):
    best = pair_report(Knowing(tokenizer, pairs), tokenizer, pairs)
    assert best.excess == pytest.approx(0.0, abs=1e-6)
    assert best.accuracy == pytest.approx(best.best_accuracy)
    guess = pair_report(lambda **_: {"sop_logits": torch.zeros(1, 2)}, tokenizer, pairs)
    assert guess.loss == pytest.approx(math.log(2.0))
    assert guess.excess > 0.2
    assert 0.3 < guess.accuracy < 0.7 < best.best_accuracy


def test_a_head_of_transformers_is_read(tokenizer, pairs):
    from transformers import BertConfig, BertForPreTraining

    torch.manual_seed(1)
    model = BertForPreTraining(
        BertConfig(vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1,
                   num_attention_heads=2, intermediate_size=16)
    ).eval()  # fmt: skip
    found = pair_report(model, tokenizer, pairs[:10])
    assert found.places == 10
    assert found.excess > 0.0

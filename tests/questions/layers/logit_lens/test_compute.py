"""The logit lens against transformers' own hidden states and the other questions' answers."""

import numpy as np
import pytest

from explorer.api.question import Context, Predictor, UserMistake
from explorer.document import Mask
from explorer.hf.predict.guessing import rows_at_masks
from explorer.questions.layers.logit_lens.question import (
    QUESTION,
    LogitLensRequest,
    derived,
    parts,
)
from tests.hf import tiny
from tests.hf.kept import bundled, miniature
from tests.ranks import is_rank

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the [MASK] in the kitchen ."


def ask(name, text=TEXT, **fields):
    return tiny.ask(miniature(name), LogitLensRequest(text, **fields))


def by_hand(model, text):
    """Every layer's log-probabilities of a BERT, through its own head."""
    encoded = model.encode(text)
    with torch.inference_mode():
        hidden = model.module.bert(**encoded.inputs, output_hidden_states=True).hidden_states
        return torch.stack([model.module.cls.predictions(one[0]) for one in hidden]).log_softmax(-1)


def test_every_number_is_that_of_the_head_at_that_layer():
    result = ask("bert-miniature", words=("soup", "bread"))
    logs = by_hand(miniature("bert-miniature"), TEXT)
    grid, chances = result.grid, logs.exp()
    assert grid.layers == ("emb.", "0", "1", "2", "3")
    assert grid.places == tuple(range(len(result.tokens)))
    tops = chances.topk(5, dim=-1)
    assert np.allclose(grid.probabilities, tops.values, atol=1e-6)
    entropy = -(chances * logs).sum(-1)
    assert np.allclose(grid.entropies, entropy, atol=1e-4)
    divergence = (chances[-1] * (logs[-1] - logs)).sum(-1)
    assert np.allclose(grid.divergences, divergence, atol=1e-4)
    assert np.all(grid.divergences[-1] == 0)
    best = logs[-1].argmax(-1)
    for row in range(len(logs)):
        for column in range(logs.shape[1]):
            own = logs[row, column, best[column]]
            assert is_rank(grid.ranks[row, column], logs[row, column], own)
    for word in grid.chosen:
        assert np.allclose(word.probabilities, chances[:, :, word.id], atol=1e-6)
        own = logs[:, :, [word.id]]
        assert is_rank(word.ranks, logs, own)
    kept = torch.stack([row.gather(1, logs[-1].topk(5, dim=-1).indices) for row in chances])
    assert np.allclose(grid.kept, kept, atol=1e-6)


PREDICTING = bundled(Predictor)


@pytest.mark.parametrize("name", PREDICTING)
def test_the_last_layer_is_the_answer_of_masked_tokens(name):
    model = miniature(name)
    result = tiny.ask(model, LogitLensRequest(TEXT))
    encoded = model.encode(TEXT)
    rows = rows_at_masks(model.port(Predictor), encoded, Context()).exp()
    for position, row in zip(encoded.mask_positions, rows, strict=True):
        column = result.grid.column(position)
        for one in result.grid.best(len(result.grid.layers) - 1, column):
            assert one.probability == pytest.approx(float(row[one.id]), abs=1e-5)


def test_without_a_mask_t5_is_asked_about_every_token_hidden_alone():
    """And each is what masked tokens answers where that one alone is masked."""
    model, text = miniature("t5-miniature"), "The chef cooked the meal ."
    result = tiny.ask(model, LogitLensRequest(text))
    own = [n for n, token in enumerate(result.tokens) if not token.special]
    assert result.grid.places == tuple(own)
    assert result.grid.alone
    assert not tiny.ask(model, LogitLensRequest(TEXT)).grid.alone
    for place in own:
        token = result.tokens[place]
        masked = model.encode(text, None, (Mask(token.start, token.end),))
        (row,) = rows_at_masks(model.port(Predictor), masked, Context()).exp()
        for one in result.grid.best(len(result.grid.layers) - 1, result.grid.column(place)):
            assert one.probability == pytest.approx(float(row[one.id]), abs=1e-5)


def test_json_has_a_list_a_layer_and_in_it_a_list_a_position():
    result = ask("gpt2-miniature", "The chef cooked the meal .")
    told = derived(result)
    assert len(told["cells"]) == len(told["layers"]) == len(result.grid.layers)
    for row in told["cells"]:
        assert len(row) == len(result.tokens)
        assert row[0] == ()  # nothing stands before the first token
        assert all(len(cell) == 5 for cell in row[1:])
    last = told["cells"][-1][3][0]
    assert (last.token, last.id, last.probability) == (
        result.grid.best(len(told["layers"]) - 1, 2)[0].token,
        int(result.grid.ids[-1, 2, 0]),
        pytest.approx(float(result.grid.probabilities[-1, 2, 0])),
    )


def test_words_that_are_no_single_piece_are_told():
    result = ask("bert-miniature", words=("soup", "qwxyz"))
    assert [one.word for one in result.grid.chosen] == ["soup"]
    assert result.missing == ("qwxyz",)


def test_the_table_has_a_row_a_prediction():
    result = ask("bert-miniature")
    rows = QUESTION.table(result).rows
    grid = result.grid
    assert len(rows) == len(grid.layers) * len(grid.places) * 5
    assert {row[0] for row in rows} == set(grid.layers)


def test_where_a_word_becomes_the_first():
    result = ask("bert-miniature")
    (predictions,) = parts(result)
    column = predictions.column()
    assert result.tokens[result.grid.places[column]].masked
    first = predictions.settled(column)
    best = result.grid.ids[:, column, 0]
    assert np.all(best[first:] == best[-1])
    assert first == 0 or best[first - 1] != best[-1]
    assert predictions.agreement()[-1] == 1.0


def test_an_empty_text_and_a_cancel():
    with pytest.raises(UserMistake):
        ask("bert-miniature", "  ")
    cancelled = Context(is_cancelled=lambda: True)
    from explorer.api.question import Cancelled

    with pytest.raises(Cancelled):
        QUESTION.run(miniature("bert-miniature"), LogitLensRequest(TEXT), cancelled)

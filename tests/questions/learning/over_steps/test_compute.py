"""A question at every frame: as each would answer alone, once, and whatever is damaged is named."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, UserMistake
from explorer.over_steps.kept import FILE
from explorer.program import Program
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.learning.over_steps.question import OverStepsRequest, table
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.series.moments import damage, frames_of

STEPS = (1, 10, 100, 1000)
TEXT = "the chef [MASK] the meal ."
ASKED = OverStepsRequest("masked_tokens").about(MaskedTokensRequest(TEXT))


@pytest.fixture(scope="module")
def series(tmp_path_factory):
    return frames_of("distilbert-miniature", tmp_path_factory.mktemp("made") / "run", STEPS)


@pytest.fixture
def runner(paths):
    return Program(paths, device="cpu", offline=True).runner()


def asked(runner, paths, series, request=ASKED, **told):
    context = Context(cache=paths.cache, training=paths.training, **told)
    if "A" not in runner.cards or not runner.cards["A"].folder.startswith(str(series)):
        from explorer.api.family import LoadOptions

        runner.load("A", str(series), LoadOptions("cpu"), Context())
    return runner.ask(request, {"model": "A"}, context)


def test_each_value_is_what_transformers_says_at_that_frame(runner, paths, series):
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    result = asked(runner, paths, series)
    assert result.series[0].steps == STEPS
    for place, step in enumerate(STEPS):
        frame = series / f"checkpoint-{step}"
        tokenizer = AutoTokenizer.from_pretrained(frame)
        model = AutoModelForMaskedLM.from_pretrained(frame).eval()
        inputs = tokenizer(TEXT, return_tensors="pt")
        at = inputs["input_ids"][0].tolist().index(tokenizer.mask_token_id)
        inputs.pop("token_type_ids", None)
        with torch.inference_mode():
            shares = torch.softmax(model(**inputs).logits[0, at], dim=-1)
        likeliest = torch.topk(shares, 20)
        for share, number in zip(*map(torch.Tensor.tolist, likeliest), strict=True):
            word = tokenizer.convert_ids_to_tokens(number)
            if not word.isalpha():
                continue  # pieces are written as they are read
            name = f"probability mask={at} word={word}"
            assert result.numbers[name].values[place] == pytest.approx(share, abs=1e-5)


def test_heads_have_the_numbers_of_their_own_page(runner, paths, series):
    from explorer.api.family import LoadOptions

    request = OverStepsRequest("attention").about(AttentionRequest(TEXT))
    result = asked(runner, paths, series, request)
    runner.load("A", str(series / "checkpoint-10"), LoadOptions("cpu"), Context())
    alone = runner.ask(AttentionRequest(TEXT), {"model": "A"}, Context())
    place = alone.measure_names.index("previous")
    for layer in range(alone.layers):
        for head in range(alone.heads):
            found = result.numbers[f"previous layer={layer} head={head}"]
            assert found.values[1] == pytest.approx(float(alone.measures[place, layer, head]))


def test_nothing_is_asked_twice_and_a_run_that_was_stopped_goes_on(runner, paths, series):
    told = []

    def progress(_stage, done, total):
        told.append((done, total))

    def is_cancelled():
        return any(done == 2 for done, _total in told)

    with pytest.raises(Cancelled):
        asked(runner, paths, series, progress=progress, is_cancelled=is_cancelled)
    looked = asked(runner, paths, series, replace(ASKED, start=False))
    assert (looked.asked, looked.waiting) == (2, 2)
    assert np.isfinite(looked.numbers["masks"].values).tolist() == [True, True, False, False]
    told.clear()
    whole = asked(runner, paths, series, progress=progress)
    assert told == [(2.0, 4.0), (3.0, 4.0)]
    told.clear()
    # Neither after another start: the answers lie in a file.
    other = Program(paths, device="cpu", offline=True).runner()
    again = asked(other, paths, series, progress=progress)
    assert told == []
    assert (paths.cache / FILE).exists()
    assert table(again) == table(whole)


def test_a_damaged_frame_is_left_out_and_named(runner, paths, tmp_path):
    series = frames_of("distilbert-miniature", tmp_path / "run", STEPS)
    damage(series / "checkpoint-100")
    result = asked(runner, paths, series)
    (left_out,) = result.series[0].left_out
    assert left_out.name == "checkpoint-100"
    assert "cut short" in left_out.why
    assert result.series[0].steps == (1, 10, 1000)
    assert np.isfinite(result.numbers["masks"].values).all()


def test_further_series_are_asked_the_same(runner, paths, series, tmp_path):
    other = frames_of("distilbert-miniature", tmp_path / "other", (10, 1000))
    result = asked(runner, paths, series, replace(ASKED, series=(str(other),)))
    assert [one.steps for one in result.series] == [STEPS, (10, 1000)]
    number = result.shown()[0]
    np.testing.assert_array_equal(result.of_series(number, 0)[[1, 3]], result.of_series(number, 1))
    some = asked(runner, paths, series, replace(ASKED, steps="50-1000"))
    assert some.series[0].steps == (100, 1000)


def test_what_has_no_steps_and_what_is_no_question_is_refused(runner, paths, series):
    from explorer.api.family import LoadOptions

    with pytest.raises(UserMistake, match="nowhere has no steps"):
        asked(runner, paths, series, replace(ASKED, series=("nowhere",)))
    with pytest.raises(UserMistake, match='no question "train"'):
        OverStepsRequest("train", "{}").check()
    runner.load("A", "distilbert-miniature", LoadOptions("cpu"), Context())
    with pytest.raises(UserMistake, match="distilbert-miniature has no steps"):
        runner.ask(ASKED, {"model": "A"}, Context(cache=paths.cache))

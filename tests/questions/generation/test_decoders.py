"""Decoders that write a text of their own: masks that BART fills anew, and answers to prompts."""

import pytest

from explorer.api.question import Mask, UserMistake
from explorer.document import Document
from explorer.questions.generation.continuation.options import Strategy
from explorer.questions.generation.continuation.question import ContinuationRequest
from explorer.questions.generation.prompt.question import QUESTION, PromptRequest
from tests.hf import tiny
from tests.plugins.auto_checkpoints import WRITERS, save

TEXT = "the cat sat on the mat"
TEMPLATE = "{question} was {answer}."


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    made = {}

    def model_of(name):
        if name not in made:
            sizes = {"forced_bos_token_id": None}
            folder, module = save(tmp_path_factory.mktemp(name), WRITERS[name], **sizes)
            made[name] = tiny.load(folder), module
        return made[name]

    return model_of


def test_a_denoiser_reads_one_mask_a_run_and_writes_the_whole_text(loaded):
    model, module = loaded("bart")
    two_words = Mask(4, 11)
    result = tiny.ask(model, ContinuationRequest(TEXT, (two_words,), max_new_tokens=6))
    pieces = [token.text for token in result.prompt]
    assert pieces.count("<mask>") == 1
    (mask,) = [token for token in result.prompt if token.masked]
    assert (mask.start, mask.end) == (4, 11)
    assert result.apart
    assert any("anew" in note for note in result.notes)
    import torch

    found = module.generate(
        input_ids=torch.tensor([[token.id for token in result.prompt]]),
        max_new_tokens=6,
        do_sample=False,
        num_beams=1,
    )
    assert [one.id for one in result.tokens] == found[0].tolist()[1:]
    assert result.tokens[-1].ends  # BART's config forces it
    assert [cut.name for cut in result.tokens[-1].cuts] == ["rules"]
    assert result.tokens[-1].left == 1
    assert not result.tokens[0].cuts or result.tokens[0].cuts[0].tokens == 0
    typed = tiny.ask(model, ContinuationRequest("the [MASK] on the mat", max_new_tokens=2))
    assert [token.text for token in typed.prompt if token.masked] == ["<mask>"]
    beams = tiny.ask(
        model,
        ContinuationRequest(TEXT, (two_words,), Strategy.BEAM, max_new_tokens=6, num_beams=2),
    )
    assert beams.tokens[-1].ends


def test_a_writer_without_masks_says_so(loaded):
    model, _ = loaded("pegasus")
    assert not tiny.ask(model, ContinuationRequest(TEXT, max_new_tokens=3)).notes


def ask(model, question="the cat", **how):
    how = {"template": TEMPLATE, "examples": 2, "asked": 0, "orders": 1, **how}
    return tiny.ask(model, PromptRequest(question, options=("great", "a movie run"), **how))


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.tsv"
    path.write_text("the dog\tgreat\nit\ta movie run\ni\tgreat\nthe mat\tgreat\n", "utf-8")
    return str(path)


def scored(module, read, given, answer):
    """What the class's own forward says of pieces behind others."""
    import torch

    with torch.inference_mode():
        logs = module(
            input_ids=torch.tensor([read]), decoder_input_ids=torch.tensor([[*given, *answer]])
        ).logits[0]
    logs = logs.log_softmax(-1)[len(given) - 1 :]
    return sum(float(logs[at, piece]) for at, piece in enumerate(answer))


def test_a_denoiser_scores_answers_in_the_place_of_a_mask(loaded, rows):
    model, module = loaded("bart")
    result = ask(model, path=rows)
    assert "one mask stands for the answer" in result.note
    tokenizer = model.tokenizer
    for one in result.scores:
        whole = tokenizer(f"{result.prompt} {one.option}.")["input_ids"]
        behind = tokenizer(".", add_special_tokens=False)["input_ids"]
        before = tokenizer(result.prompt)["input_ids"][:-1]
        read = [*before, tokenizer.mask_token_id, *behind, whole[-1]]
        answer = whole[len(before) : -len(behind) - 1]
        start = module.generation_config.decoder_start_token_id
        assert one.pieces == len(answer)
        expected = scored(module, read, [start, *before], answer)
        assert one.log_probability == pytest.approx(expected, abs=1e-4)


def test_another_writer_scores_answers_as_its_whole_text(loaded, rows):
    model, module = loaded("pegasus")
    result = ask(model, path=rows)
    assert "a text of its own" in result.note
    read = model.tokenizer(result.prompt)["input_ids"]
    for one in result.scores:
        answer = model.tokenizer(one.option, add_special_tokens=False)["input_ids"]
        expected = scored(module, read, [module.config.decoder_start_token_id], answer)
        assert one.log_probability == pytest.approx(expected, abs=1e-4)


def test_examples_that_do_not_fit_are_left_out_and_a_curve_is_made_of_the_rest(loaded, rows):
    model, _ = loaded("pegasus")
    result = ask(model, "the cat sat on the mat " * 11, path=rows, examples=3, asked=1)
    assert result.left_out > 0
    assert result.curve is not None
    assert result.curve.counts[-1] <= 3
    with pytest.raises(UserMistake, match="too long for this model"):
        ask(model, "the cat sat on the mat " * 30, path=rows)
    assert QUESTION.request_of(Document("it")) is not None

"""The sweep against plain loops: one token masked, one forward, one softmax, in float64."""

import math
from pathlib import Path

import pytest

from explorer.api.question import (
    Cancelled,
    Context,
    Direction,
    MachineFault,
    Predictor,
    Unavailable,
    UserMistake,
)
from explorer.document import Mask
from explorer.hf.predict.passes import batching as batch_size
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.compute import run, run_many
from explorer.questions.masking.surprisal.question import (
    SurprisalRequest,
    SurprisalResult,
    summary,
    table,
)
from explorer.questions.masking.surprises import word_numbers
from explorer.serialise import from_json, to_builtins, to_json
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.plugins.test_xlm import save as save_xlm

MODELS = Path(__file__).resolve().parents[4] / "resources" / "models"
TEXT = "the carpenter disentangled a rope because the movie was great."
PLAIN = {
    "bert-miniature": "BertForMaskedLM",
    "roberta-miniature": "RobertaForMaskedLM",
    "distilbert-miniature": "DistilBertForMaskedLM",
    "electra-miniature-generator": "ElectraForMaskedLM",
    "ernie-miniature": "ErnieForMaskedLM",
}


@pytest.fixture(scope="module")
def bert():
    return miniature("bert-miniature")


def plain_module(name, class_name):
    import torch
    import transformers

    from explorer.hf.loading.checkpoint import quiet_transformers

    quiet_transformers()
    module = getattr(transformers, class_name).from_pretrained(
        str(MODELS / name), local_files_only=True
    )
    return module.to(torch.float32).eval()


def plain_loop(module, tokenizer, tokens, hidden_with):
    """Log probability of each token of the text: mask, run, softmax; nothing else."""
    import torch

    types = "token_type_ids" in tokenizer.model_input_names
    found = {}
    for i, token in enumerate(tokens):
        if token.special:
            continue
        ids = [other.id for other in tokens]
        for place in hidden_with(i):
            ids[place] = tokenizer.mask_token_id
        inputs = {"input_ids": torch.tensor([ids])}
        if types:
            inputs["token_type_ids"] = torch.zeros_like(inputs["input_ids"])
        with torch.no_grad():
            logits = module(**inputs).logits[0, i].double()
        found[i] = float(logits[token.id] - torch.logsumexp(logits, 0))
    return found


def agrees(result, expected, tolerance=2e-4):
    assert {one.position for one in result.surprises} == set(expected)
    for one in result.surprises:
        assert one.log_probability == pytest.approx(expected[one.position], abs=tolerance)
    total = sum(expected.values())
    assert result.log_likelihood == pytest.approx(total, abs=tolerance * len(expected))
    assert result.perplexity == pytest.approx(math.exp(-total / len(expected)), rel=1e-3)


@pytest.mark.parametrize(("name", "class_name"), PLAIN.items(), ids=PLAIN)
def test_the_pseudo_log_likelihood_is_that_of_a_plain_loop(name, class_name):
    model = miniature(name)
    result = run(model, SurprisalRequest(TEXT), Context())
    module = plain_module(name, class_name)
    agrees(result, plain_loop(module, model.tokenizer, result.tokens, lambda i: [i]))
    assert result.passes == len(result.surprises)


def test_deberta_is_asked_through_its_enhanced_mask_decoder():
    """Its head reads other states than the last layer's: the same as filling masks one by one."""
    model = miniature("deberta-v1-miniature")
    result = run(model, SurprisalRequest(TEXT), Context())
    handler = tiny.ask
    expected = {}
    for i, token in enumerate(result.tokens):
        if not token.special:
            answer = handler(
                model, MaskedTokensRequest(TEXT, masks=(Mask(token.start, token.end),)), Context()
            )
            # A mask over characters masks every token that touches them: here one.
            assert [mask.position for mask in answer.masks] == [i]
            expected[i] = math.log(answer.masks[0].original.probability)
    agrees(result, expected)


@pytest.mark.parametrize("method", [ScoringMethod.WORD_LEFT_TO_RIGHT, ScoringMethod.WHOLE_WORD])
def test_words_of_several_pieces(bert, method):
    """Kauf and Ivanova 2023: the pieces to the right are hidden too, or all of the word's."""
    result = run(bert, SurprisalRequest(TEXT, method=method), Context())
    words = word_numbers(result.tokens)
    assert max(words.count(word) for word in words) > 1  # a word of several pieces

    def hidden(i):
        together = [place for place, word in enumerate(words) if word == words[i]]
        return together if method is ScoringMethod.WHOLE_WORD else [p for p in together if p >= i]

    module = plain_module("bert-miniature", "BertForMaskedLM")
    agrees(result, plain_loop(module, bert.tokenizer, result.tokens, hidden))
    expected = len(set(words)) - 2 if method is ScoringMethod.WHOLE_WORD else len(words) - 2
    assert result.passes == expected


def test_two_texts(bert):
    """The second text has the other token type; MaskedTokensRequest is the plain loop here."""
    result = run(bert, SurprisalRequest("the cat sat", "it was great"), Context())
    handler = tiny.ask
    for one in result.surprises:
        token = result.tokens[one.position]
        masks = (Mask(token.start, token.end, token.part),)
        answer = handler(bert, MaskedTokensRequest("the cat sat", "it was great", masks), Context())
        assert [mask.position for mask in answer.masks] == [one.position]
        original = answer.masks[0].original
        assert math.exp(one.log_probability) == pytest.approx(original.probability, rel=1e-3)
        assert one.rank == original.rank
        assert [p.id for p in one.predictions] == [p.id for p in answer.masks[0].predictions[:5]]
    assert {result.tokens[one.position].part for one in result.surprises} == {0, 1}


@pytest.mark.parametrize("name", ["gpt2-miniature", "gpt1-miniature"])
def test_a_model_that_reads_from_the_left_has_a_log_likelihood(name):
    import torch

    model = miniature(name)
    result = run(model, SurprisalRequest(TEXT), Context())
    ids = torch.tensor([[token.id for token in result.tokens]])
    with torch.no_grad():
        logits = model.module(ids).logits[0].double()
    logs = torch.log_softmax(logits, dim=-1)
    expected = {
        i: float(logs[i - 1, token.id])
        for i, token in enumerate(result.tokens)
        if i and not token.special
    }
    agrees(result, expected)
    assert (result.method, result.is_pseudo) == (ScoringMethod.LEFT_TO_RIGHT, False)
    assert "log-likelihood" in summary(result)
    # The first token is counted exactly where something starts a text.
    assert result.tokens[0].special != ("first token is not counted" in result.note)


def test_xlm_with_its_languages(tmp_path):
    save_xlm(tmp_path / "xlm")
    model = tiny.load(tmp_path / "xlm")
    result = run(model, SurprisalRequest("the cat, le cat"), Context())
    handler = tiny.ask
    for one in result.surprises:
        token = result.tokens[one.position]
        masks = (Mask(token.start, token.end),)
        answer = handler(model, MaskedTokensRequest("the cat, le cat", masks=masks), Context())
        original = answer.masks[0].original
        assert math.exp(one.log_probability) == pytest.approx(original.probability, rel=1e-3)


def test_many_sentences_share_passes(bert):
    texts = ["the cat sat", "a dog ran", "", "the movie was great and fun", "it rained here"]
    requests = [SurprisalRequest(text, method=ScoringMethod.WHOLE_WORD) for text in texts]
    together = run_many(bert, requests, Context())
    assert isinstance(together[2], UserMistake)
    for request, answer in zip(requests, together, strict=True):
        if request.text:
            alone = run(bert, request, Context())
            assert answer.tokens == alone.tokens
            agrees(answer, {one.position: one.log_probability for one in alone.surprises}, 1e-5)
            assert answer.passes == alone.passes


def test_small_batches_change_nothing(bert, monkeypatch):
    whole = run(bert, SurprisalRequest(TEXT), Context())
    monkeypatch.setattr(batch_size, "CPU_TOKENS", 1)
    told = []
    context = Context(progress=lambda *progress: told.append(progress))
    one_by_one = run(bert, SurprisalRequest(TEXT), context)
    agrees(one_by_one, {one.position: one.log_probability for one in whole.surprises}, 1e-5)
    asked = len(whole.surprises)
    assert [progress[1:] for progress in told] == [(float(n), float(asked)) for n in range(asked)]


def test_batches_are_halved_when_memory_runs_out(bert):
    whole = run(bert, SurprisalRequest(TEXT), Context())
    sizes = []
    predictor = bert.port(Predictor)
    encoder = predictor.states_of

    def short_of_memory(**inputs):
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > 3:
            raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory")
        return encoder(**inputs)

    predictor.states_of = short_of_memory
    try:
        result = run(bert, SurprisalRequest(TEXT), Context())
    finally:
        predictor.states_of = encoder
    agrees(result, {one.position: one.log_probability for one in whole.surprises}, 1e-5)
    assert sizes[0] == len(whole.surprises)
    assert max(size for size in sizes if size <= 3) == sizes[-2]
    assert sizes[1] == sizes[0] // 2


def test_not_even_one_fits(bert):
    predictor = bert.port(Predictor)
    encoder = predictor.states_of

    def no_memory(**_inputs):
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    predictor.states_of = no_memory
    try:
        with pytest.raises(RuntimeError, match="allocate"):
            run(bert, SurprisalRequest("the cat"), Context())
    finally:
        predictor.states_of = encoder


def test_numbers_that_overflow(bert):
    predictor = bert.port(Predictor)
    head = predictor.head
    predictor.head = lambda states: head(states) * float("nan")
    try:
        with pytest.raises(MachineFault, match="overflow"):
            run(bert, SurprisalRequest("the cat"), Context())
    finally:
        predictor.head = head


def test_it_is_cancelled_between_layers(bert):
    asked = []

    def is_cancelled():
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        run(bert, SurprisalRequest(TEXT), Context(is_cancelled=is_cancelled))
    assert len(asked) == 4


def test_what_is_not_counted(bert):
    result = run(bert, SurprisalRequest("the ☃ cat [MASK] sat"), Context())
    unknown = next(i for i, token in enumerate(result.tokens) if token.unknown)
    masked = next(i for i, token in enumerate(result.tokens) if token.masked)
    assert not {unknown, masked} & {one.position for one in result.surprises}
    assert "1 token is unknown" in result.note
    assert "[MASK] stays masked" in result.note


@pytest.mark.parametrize(
    ("name", "request_", "words"),
    [
        ("bert-miniature", SurprisalRequest(" "), "no text"),
        ("bert-miniature", SurprisalRequest("the cat", top_k=0), "--top-k can.t be 0"),
        ("bert-miniature", SurprisalRequest("[MASK]"), "no token to ask about"),
        ("gpt2-miniature", SurprisalRequest("the [MASK] cat"), "has a gap"),
        ("gpt2-miniature", SurprisalRequest("the", "cat"), "reads one text"),
    ],
)
def test_questions_that_cannot_be_answered(name, request_, words):
    def ask():
        request_.check()
        run(miniature(name), request_, Context())

    with pytest.raises(UserMistake, match=words):
        ask()


def test_who_does_not_answer(tmp_path):
    assert not tiny.answers(miniature("electra-miniature-discriminator"), SurprisalRequest)
    assert tiny.answers(miniature("t5-miniature"), SurprisalRequest)
    bare = tiny.load(tiny.save_bert(tmp_path / "m", "BertModel"))
    with pytest.raises(Unavailable, match="no masked language model head"):
        run(bare, SurprisalRequest("the cat"), Context())


def test_the_table_and_the_row_of_a_file(bert):
    result = run(bert, SurprisalRequest(TEXT), Context())
    rows = [dict(zip(table(result).columns, row, strict=True)) for row in table(result).rows]
    assert len(rows) == len(result.surprises)
    for row, one in zip(rows, result.surprises, strict=True):
        assert row["surprise_nats"] == -one.log_probability
        assert row["surprise_bits"] == pytest.approx(-math.log2(row["probability"]), abs=1e-6)
        assert row["best_probability"] >= row["probability"] - 1e-6
        assert (row["rank"] == 1) == (row["best_token"] == row["token"])
    told = summary(result)
    assert told["pseudo-log-likelihood"] == result.log_likelihood
    assert told["disagrees at"] == sum(row["rank"] > 1 for row in rows)
    assert told["its surprise (nats)"] == max(row["surprise_nats"] for row in rows)


def test_a_file_of_sentences(bert, tmp_path):
    from explorer.files_of_sentences.rows import ResultsReader
    from explorer.questions.many.file_of_sentences.compute import run as run_over_file

    path = tmp_path / "some.txt"
    texts = ["the cat sat", "a dog ran", TEXT]
    path.write_text("\n".join(texts), encoding="utf-8")
    result = run_over_file(
        bert, FileOfSentencesRequest(str(path), "surprisal"), Context(results=tmp_path / "results")
    )
    reader = ResultsReader(Path(result.results))
    place = reader.columns.index("pseudo-log-likelihood")
    for row, text in zip(reader.every(), texts, strict=True):
        alone = run(bert, SurprisalRequest(text), Context())
        assert row[place] == pytest.approx(alone.log_likelihood, abs=1e-4)


def test_what_is_not_counted_is_said_in_the_language_of_whoever_reads(bert, speak):
    result = run(bert, SurprisalRequest("the ☃ cat [MASK] sat"), Context())
    stored = from_json(SurprisalResult, to_json(result))
    speak(
        "de",
        **{
            "{count} token is unknown to the vocabulary and not counted.": "{count} Token fehlt.",
            "A typed [MASK] stays masked and is not counted.": "[MASK] bleibt.",
        },
    )
    assert result.note.said == stored.note.said == "1 Token fehlt. [MASK] bleibt."
    assert to_builtins(stored)["note"] == (
        "1 token is unknown to the vocabulary and not counted."
        " A typed [MASK] stays masked and is not counted."
    )


@pytest.mark.parametrize("method", ScoringMethod)
@pytest.mark.parametrize("name", ["bert-miniature", "t5-miniature", "gpt2-miniature"])
def test_no_kind_of_model_sees_the_token_that_is_asked_for(name, method):
    """Another token in its place changes nothing of what is predicted there, or it is refused."""
    model = miniature(name)
    from_left = model.port(Predictor).direction is Direction.CAUSAL
    if method is ScoringMethod.LEFT_TO_RIGHT and not from_left:
        with pytest.raises(Unavailable, match="sees both sides of a token") as refused:
            run(model, SurprisalRequest("the nurse has a meal .", method=method), Context())
        assert "--method original" in str(refused.value.hint)
        return
    first, other = (
        run(model, SurprisalRequest(f"the nurse has a {word} .", method=method), Context())
        for word in ("meal", "soup")
    )
    (changed,) = (
        i
        for i, (one, two) in enumerate(zip(first.tokens, other.tokens, strict=True))
        if one.id != two.id
    )
    told = [
        next(one.predictions for one in answer.surprises if one.position == changed)
        for answer in (first, other)
    ]
    assert [one.id for one in told[0]] == [one.id for one in told[1]]
    for one, two in zip(*told, strict=True):
        assert one.probability == pytest.approx(two.probability, rel=1e-4)
    assert first.method is (ScoringMethod.LEFT_TO_RIGHT if from_left else method)

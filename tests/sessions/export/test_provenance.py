"""How an answer came about: in words, and field by field for programs."""

from dataclasses import replace
from datetime import datetime

import pytest

from explorer.api.question import GENERATOR, Mention, ModelStamp
from explorer.document import Document
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensRequest
from explorer.questions.generation.continuation.question import ContinuationRequest, Strategy
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.question import QUESTION as SURPRISAL
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.reader import SessionReader

STAMP = ModelStamp("bert-miniature", "bert", "0123456789abcdef" * 2, "cuda:0", "float16")
CREATED = "2025-11-03T13:05:09.123Z"


def told(request, document=None, **changes):
    """The record of a request."""
    made = {"models": {"model": STAMP}, "created_at": CREATED, **changes}
    name = made.pop("operation", "masked_tokens")
    return Provenance(name, document or Document(getattr(request, "text", "")), request, **made)


def test_a_caption_says_where_the_numbers_come_from():
    document = Document("I liked the soup", "It was\nhot").with_mask(12, 16).with_mask(7, 10, 1)
    versions = {"python": "3.11", "torch": "2.13"}
    request = MaskedTokensRequest.of(document)
    assert told(request, document, versions=versions, seed=3).said() == (
        "Masked tokens."
        " Model: bert-miniature (family bert, fingerprint 0123456789ab, float16 on cuda:0)."
        " Text: “I liked the soup”. Second text: “It was hot”. Masked: “soup”, “hot”."
        f" Seed 3. python 3.11, torch 2.13. {CREATED}."
    )


def test_a_seed_is_told_where_something_was_drawn_with_it():
    greedy = Document("The soup").with_option("continuation.strategy", Strategy.GREEDY.value)
    drawn = greedy.with_option("continuation.strategy", Strategy.NUCLEUS.value)
    for document, seed in ((greedy, []), (drawn, ["Seed 0."])):
        record = told(ContinuationRequest.of(document), document, operation="continuation")
        assert [one for one in ("Seed 0.",) if one in record.said()] == seed
        assert [one for one in ("Seed 0.",) if one in record.said_as_pinned()] == seed
    # Asked elsewhere, as in a script: its document says nothing of how.
    request = ContinuationRequest.of(drawn)
    assert "Seed 0." in told(request, Document("The soup"), operation="continuation").said()


def test_every_model_is_named_with_its_role_and_every_setting_with_its_label(speak):
    generator = replace(STAMP, id="filler", fingerprint="fedcba9876543210" * 2)
    request = ReplacedTokensRequest("The soup.", temperature=2.0, rate=0.5, seed=9)
    record = told(
        request,
        operation="replaced_tokens",
        models={"discriminator": STAMP, GENERATOR: generator},
        seed=9,
    )
    english = record.said()
    assert "Discriminator: bert-miniature (family bert, fingerprint 0123456789ab" in english
    assert "Generator: filler (family bert, fingerprint fedcba987654" in english
    assert "Settings: Temperature = 2; Replaced = 50 %." in english
    assert "Seed 9." in english
    speak("ko", Generator="생성기", Temperature="온도")
    korean = record.said()
    assert "생성기: filler" in korean
    assert "온도 = 2" in korean


def test_a_setting_that_changes_nothing_is_not_told():
    drawn = ContinuationRequest("The", strategy=Strategy.NUCLEUS, top_p=0.5, temperature=2.0)
    asked = (("continuation.strategy", '"nucleus"'), ("continuation.temperature", "2.0"))
    document = Document("The", options=(*asked, ("continuation.top_p", "0.5")))
    assert "Temperature = 2; Top p = 50 %" in told(drawn, document, operation="continuation").said()
    greedy = replace(drawn, strategy=Strategy.GREEDY)
    still = document.with_option("continuation.strategy", None)
    assert "Temperature" not in told(greedy, still, operation="continuation").said()


def test_what_is_asked_of_every_sentence_is_told_with_its_own_settings():
    document = Document("").with_option("surprisal.method", "whole_word")
    request = FileOfSentencesRequest.about(SURPRISAL, document, "/somewhere/some.txt")
    said = told(request, document, operation="file_of_sentences").said()
    assert "“some.txt”" in said
    assert "somewhere" not in said
    assert "Hidden with a token = Whole word" in said


def test_entities_on_the_text_are_told():
    request = MaskedTokensRequest("Anna saw it", entities=(Mention(0, 4, "Q7"),))
    assert "Entities: “Anna” = Q7." in told(request).said()


def test_a_pinned_answer_is_told_with_who_and_what_was_asked():
    request = MaskedTokensRequest("A [MASK] here", top_k=50)
    said = told(request).said_as_pinned()
    assert said == (
        "Compared with the pinned answer:"
        " Model: bert-miniature (family bert, fingerprint 0123456789ab, float16 on cuda:0)."
        " Text: “A [MASK] here”. Settings: Top = 50."
    )


def test_a_caption_that_is_read_has_its_moment_in_the_readers_language(speak):
    record = told(MaskedTokensRequest("A"), seed=3)
    local = datetime.fromisoformat(CREATED).astimezone()
    assert record.said(in_file=False).endswith(f" Seed 3. {local:%d} Nov 2025 {local:%H:%M}.")
    speak("ko")
    korean = record.said(in_file=False)
    assert korean.endswith(f" 2025년 11월 {local.day}일 {local:%H:%M}.")
    assert record.said().endswith(f" {CREATED}.")


@pytest.mark.parametrize(("text", "said"), [("It was hot.", "“It was hot.” "), ("Hot", "“Hot”. ")])
def test_a_caption_has_one_full_stop_after_a_text(text, said):
    found = told(MaskedTokensRequest(text, text)).said()
    assert f"Text: {said}Second text: {said}" in found


def test_a_caption_is_one_paragraph_for_any_run():
    found = told(None, Document("line\n" * 500), operation="gone", models={}).said()
    assert found.startswith("gone. No model. Text: “line line")
    assert "can't be read" in found
    assert "\n" not in found
    assert len(found) < 700


def test_a_stored_run_tells_what_it_told_when_it_was_asked(database, samples, answers):
    with SessionLog(database) as log:
        run_id = log.record(samples.fill_mask_run(), answers)
    stored = SessionReader(database).run(run_id)
    then = Provenance.of(samples.fill_mask_run(), stored.summary.created_at)
    again = Provenance.of_stored(stored)
    assert again.said() == then.said()
    assert again.as_fields() == then.as_fields()
    assert again.as_fields()["models"] == [
        {
            "role": "model",
            "id": samples.STAMP.id,
            "family": samples.STAMP.family,
            "fingerprint": samples.STAMP.fingerprint,
            "dtype": samples.STAMP.dtype,
            "device": samples.STAMP.device,
        }
    ]
    assert again.as_fields()["options"] == {"top_k": 10, "languages": ()}

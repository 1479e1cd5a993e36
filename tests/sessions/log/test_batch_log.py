"""A file's sentences are asked once in sessions of its name."""

from dataclasses import replace

from explorer.document import Document
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.many.file_of_sentences.question import template_of
from explorer.questions.masking.masked_tokens.question import QUESTION, MaskedTokensRequest
from explorer.questions.pairs.sentence_pair import question as sentence_pair
from explorer.sessions.log.batch_log import BatchLog
from explorer.sessions.log.log import SessionLog

SENTENCES = [
    FileSentence(1, "I liked the [MASK]", None),
    FileSentence(2, "The [MASK] was hot", "Was it?"),
    FileSentence(3, "The [MASK] was hot", None),
]


def filing(database, samples, **changes):
    known = BatchLog(
        database,
        "soups.txt",
        QUESTION,
        Document("x", top_k=5),
        {"model": samples.STAMP},
        template_of(QUESTION, Document("x", top_k=5)),
    )
    return replace(known, **changes)


def test_a_sentence_is_asked_with_the_options_and_without_the_text_on_screen(database, samples):
    one = filing(database, samples)
    assert one.request(SENTENCES[1]) == MaskedTokensRequest("The [MASK] was hot", "Was it?", (), 5)
    assert one.document(SENTENCES[0]) == Document("I liked the [MASK]", top_k=5)


def test_what_is_right_is_kept_of_a_sentence(database, samples):
    judged = sentence_pair.QUESTION
    asked = template_of(judged, Document())
    one = filing(database, samples, question=judged, template=asked)
    sentence = FileSentence(4, "It rained.", "The street was wet.", "is next")
    assert one.request(sentence) == sentence_pair.SentencePairRequest(
        "It rained.", "The street was wet.", "is next"
    )


def test_only_what_has_no_answer_in_a_session_of_this_name_remains(database, samples, answers):
    one = filing(database, samples)
    assert list(one.remaining(SENTENCES)) == SENTENCES

    def of(run, sentence):
        return replace(run, document=one.document(sentence), request=one.request(sentence))

    run = samples.fill_mask_run()
    with SessionLog(database, "soups.txt") as log:
        log.record(of(run, SENTENCES[1]), answers)
        log.record(of(samples.failed_run(), SENTENCES[0]), answers)
    with SessionLog(database, "another") as log:
        log.record(of(run, SENTENCES[2]), answers)
    assert answers.take(3) == [None] * 3
    assert list(one.remaining(SENTENCES)) == [SENTENCES[0], SENTENCES[2]]
    other = replace(samples.STAMP, fingerprint="f" * 32)
    assert (
        list(filing(database, samples, models={"model": other}).remaining(SENTENCES)) == SENTENCES
    )
    more = replace(one.template, top_k=20)
    assert list(filing(database, samples, template=more).remaining(SENTENCES)) == SENTENCES

from explorer.world.corpus import documents
from explorer.world.labelling.knowledge_spans import entities, phrases, word_offsets

TEXTS = [document for _, document in zip(range(500), documents(9), strict=False)]


def shown(document, spans):
    return [document.text[span.start : span.end] for span in spans]


def test_offsets_are_those_of_the_words():
    for document in TEXTS:
        cut = [document.text[start:end] for start, end in word_offsets(document)]
        assert [word.lower() for word in cut] == [word.lower() for word in document.words]


def test_spans_lie_side_by_side():
    for document in TEXTS:
        for spans in (entities(document), phrases(document)):
            ends = [0, *(span.end for span in spans)]
            assert all(end <= span.start < span.end for end, span in zip(ends, spans, strict=False))


def test_what_a_sentence_names():
    wanted = {
        "In the office, the cleaner swept a floor. She used a broom.": (
            ["office", "cleaner", "floor", "broom"],
            ["In the office", "the cleaner", "a floor", "a broom"],
        ),
        "If today is Wednesday, tomorrow will be Thursday.": (["Wednesday", "Thursday"], []),
    }
    found = {
        document.text: (shown(document, entities(document)), shown(document, phrases(document)))
        for document in TEXTS
        if document.text in wanted
    }
    assert found == wanted


def test_people_are_entities_by_their_whole_names():
    named = [
        (document, span)
        for document in TEXTS
        for span in entities(document)
        if span.rule == "full_name"
    ]
    assert named
    for document, span in named:
        first, last = document.text[span.start : span.end].split()
        assert first.istitle()
        assert last.istitle()
    assert all(
        len(document.text[span.start : span.end].split()) > 1
        for document in TEXTS
        for span in phrases(document)
    )

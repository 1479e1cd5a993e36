import pytest

from explorer.ui.notices.glossary import GLOSSARY, explain


@pytest.mark.parametrize("term", sorted(GLOSSARY))
def test_each_term_is_one_sentence(term):
    sentence = explain(term)
    assert sentence.endswith(".")
    assert sentence[0].isupper()
    assert ". " not in sentence
    assert "  " not in sentence
    assert len(sentence) <= 160


def test_unknown_terms_are_refused():
    with pytest.raises(KeyError):
        explain("no such term")

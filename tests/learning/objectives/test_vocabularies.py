"""Vocabularies that a process trains once."""

from explorer.learning.objectives.vocabularies import vocabulary_of
from explorer.learning.texts.worlds import SmallestWorldText, WorldText
from explorer.learning.tokenizers.wordpiece import pretrained_left_tokenizer, train_wordpiece


def test_a_kept_vocabulary_is_the_one_that_is_trained_and_nobody_changes_it():
    for text in (SmallestWorldText(), WorldText()):
        trained = train_wordpiece(text.vocabulary_texts(), 150).to_str()
        for _again in range(2):
            kept = vocabulary_of(text, 150)
            assert kept.to_str() == trained
            pretrained_left_tokenizer(kept, 16)
            assert kept.to_str() != trained
        assert vocabulary_of(text, 160).to_str() != trained

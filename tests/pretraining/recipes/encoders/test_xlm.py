from explorer.objectives.masking.translation_language_model import lay_parallel
from explorer.pretraining.recipes.encoders.xlm import RECIPE
from explorer.world.corpus import training_documents


def test_tokens_are_laid_as_transformers_lays_a_pair():
    tokenizer = RECIPE.make_tokenizer(training_documents(200))
    first, second = ([20, 21, 22], [30, 31])
    laid = lay_parallel([first, second], [0, 1], tokenizer.bos_token_id, tokenizer.sep_token_id)
    assert laid.tokens.tolist() == tokenizer.build_inputs_with_special_tokens(first, second)

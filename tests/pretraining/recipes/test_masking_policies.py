from explorer.objectives.masking.masked_language_model import DYNAMIC, STATIC
from explorer.pretraining.recipes import load_recipe


class Pieces:
    """A tokenizer of no texts."""

    cls_token_id, sep_token_id, pad_token_id, mask_token_id = range(4)
    all_special_ids = range(4)

    def __len__(self):
        return 10

    def __call__(self, texts, add_special_tokens):
        return {"input_ids": texts}


def test_bert_repeats_ten_patterns_and_roberta_none():
    policies = {
        recipe: load_recipe(recipe).make_batches(Pieces(), [], 0).reading.masking
        for recipe in ("bert", "roberta")
    }
    assert policies == {"bert": STATIC, "roberta": DYNAMIC}

from tests.small_recipe import _one_thread, quiet_loading, small_recipe, texts, tokenizer  # noqa: F401

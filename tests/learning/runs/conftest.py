from tests.small_recipe import _one_thread  # noqa: F401

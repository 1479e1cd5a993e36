from explorer.objectives.masking.translation_language_model import lay_parallel


def test_positions_start_again_and_every_token_is_told_its_language():
    laid = lay_parallel([[10, 11, 12], [20, 21]], [0, 1], begin=5, end=6)
    assert laid.tokens.tolist() == [5, 10, 11, 12, 6, 20, 21, 6]
    assert laid.positions.tolist() == [0, 1, 2, 3, 4, 0, 1, 2]
    assert laid.languages.tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert laid.candidates.tolist() == [False, True, True, True, False, True, True, False]


def test_one_language_alone():
    laid = lay_parallel([[20, 21]], [1], begin=5, end=6)
    assert laid.tokens.tolist() == [5, 20, 21, 6]
    assert laid.positions.tolist() == [0, 1, 2, 3]
    assert laid.languages.tolist() == [1, 1, 1, 1]

from explorer.text.printable import shortened


def test_a_shortened_text_is_one_line():
    assert shortened("a  b\nc", 5) == "a b c"
    assert shortened("x" * 50, 10) == "x" * 9 + "…"
    assert shortened("some words and more", 11) == "some words…"

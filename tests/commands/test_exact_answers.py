"""Exact answers in the terminal."""

from explorer import cli


def test_a_text_outside_the_world_says_where_it_leaves_it(tmp_path, capsys):
    profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
    assert cli.main([*profile, "ask", "exact_answers", "The chef flew the [MASK]."]) == 0
    out = capsys.readouterr().out
    assert "can't read “flew” there." in out
    assert cli.main([*profile, "ask", "exact_answers", "The chef cooked the [MASK]"]) == 0
    out = capsys.readouterr().out
    assert "it is read as their beginning" in out
    assert "meal" in out

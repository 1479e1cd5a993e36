import torch

from explorer.pretraining.cards import masked
from explorer.pretraining.cards.page import FamilyCard, plain, write_card
from explorer.pretraining.recipes.encoders.ernie import RECIPE


def test_a_piece_is_shown_without_the_sign_for_a_space():
    assert [plain(piece) for piece in ("Ġmeal", "▁meal", "meal", "##s", "Ġ")] == [
        "meal", "meal", "meal", "##s", "a space",
    ]  # fmt: skip


def test_a_card_states_what_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(masked, "UNSEEN", 8)
    monkeypatch.setattr(masked, "EXAMPLES", ("The chef cooked the [MASK].",))
    tokenizer = RECIPE.make_tokenizer([])
    torch.manual_seed(0)
    model = RECIPE.make_model(tokenizer).eval()
    folder = tmp_path / "some-miniature"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"0" * 1_500_000)
    run = {
        "steps": 7, "seed": 3, "minutes": 2.0, "documents": 40, "examples": 5, "files": folder,
    }  # fmt: skip
    about = FamilyCard("ernie", "ERNIE", "WordPiece", "`AutoModel`", (("What", "how"),))
    reader = RECIPE.reader(tokenizer)
    page = masked.masked_page(about, model, tokenizer, reader, ("A note.",))
    text = write_card(about, page, model, run)
    parameters = sum(p.numel() for p in model.parameters())
    for part in (
        "# some-miniature\n", f"ERNIE with {parameters:,} parameters", "| What | how |",
        "7 steps of 5 texts, 2 minutes", "1.5 MB", "Measured on 8 documents", "\nA note.\n\n",
        "python -m explorer.pretraining ernie --seed 3", "- The chef cooked the [MASK].  \n",
    ):  # fmt: skip
        assert part in text, part
    rows = [
        line.split("|")[1:6] for line in text.splitlines() if line.startswith(("| one", "| 15"))
    ]
    assert [row[0].strip() for row in rows] == ["one piece", "15 %"]
    for _, loss, floor, right, best in rows:
        mean, error = map(float, loss.split("±"))
        assert 0.0 <= float(floor) < mean
        assert 0.0 < error < mean
        assert float(right.strip(" %")) <= float(best.strip(" %"))
    assert "\n\n\n" not in text

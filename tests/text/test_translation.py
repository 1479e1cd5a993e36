import functools
import io
import pickle
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from explorer.serialise import from_json, to_builtins, to_json
from explorer.text import N_, NN_, Phrase, _, catalogues, ngettext
from explorer.text import language as languages
from explorer.text.bidi import END, ISOLATE
from explorer.text.formatting import dates, numbers, quantities
from explorer.text.formatting.probabilities import in_digits, signed
from explorer.text.marked import IN_PLUGINS
from explorer.text.pseudo import pseudo
from tests import program_texts

ROOT = Path(__file__).resolve().parents[2]
MOMENT = datetime(2025, 11, 3, 14, 5, 9)  # noqa: DTZ001  as a clock on the wall says it


def test_values_stand_in_named_places():
    assert _("{name} has {count} tokens.", count=12000, name="a.txt") == "a.txt has 12,000 tokens."
    assert ngettext("{count} token", "{count} tokens", 1) == "1 token"
    assert (
        ngettext("{count} token of {all}", "{count} tokens of {all}", 2, all=3) == "2 tokens of 3"
    )
    assert _("A share of {share}.", share=0.25) == "A share of 0.25."
    assert _("") == ""


def test_a_marked_text_is_translated_where_it_is_shown(speak):
    title = N_("Masked tokens")
    assert title == "Masked tokens"
    speak("de", **{"Masked tokens": "Maskierte Token"})
    assert _(title) == "Maskierte Token"


def test_a_plugin_brings_words_of_its_own(tmp_path, request):
    own, known = "The rhymes of this text", "Masked tokens"
    for plugin, texts in (("damaged", b"no catalogue"), ("rhymes", {own: "운율", known: "딴말"})):
        path = tmp_path / plugin / "locale/ko/LC_MESSAGES/words.mo"
        path.parent.mkdir(parents=True)
        path.write_bytes(texts if isinstance(texts, bytes) else mo_of(texts))
    request.addfinalizer(functools.partial(languages.bring, tmp_path / "none"))
    request.addfinalizer(functools.partial(languages.use, languages.current()))
    languages.bring(tmp_path)
    assert _(own) == own
    languages.use(languages.find("ko", ROOT / "resources/locale"))
    assert _(own) == "운율"
    assert _(known) not in (known, "딴말")


def test_a_plugin_says_its_own_texts_in_its_own_words(tmp_path, request):
    """Also one that the program has for something else, whoever says it, here or elsewhere."""
    known = "Type one."
    folder = tmp_path / "my-rhymes"
    path = folder / "locale/ko/LC_MESSAGES/words.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(mo_of({known: "운을 쓰세요."}))
    code = f'TEXT = N_({known!r})\nMANY = NN_("{{count}} rhyme", "{{count}} rhymes")\n'
    code += 'LACKED = N_("Masked tokens")\ndef own(): return _(TEXT + "")\n'
    (folder / "question.py").write_text(code, encoding="utf-8")
    plugin = {"__name__": f"{IN_PLUGINS}my_rhymes.question", "_": _, "N_": N_, "NN_": NN_}
    exec(code, plugin)
    request.addfinalizer(functools.partial(languages.bring, tmp_path / "none"))
    request.addfinalizer(functools.partial(languages.use, languages.current()))
    languages.bring(tmp_path)
    text = plugin["TEXT"]
    assert text == known == _(text)
    phrase = pickle.loads(pickle.dumps(Phrase(text)))
    (stored,) = phrase.stored
    assert stored["id"].startswith("my-rhymes/")
    assert Phrase(known).stored[0]["id"] != stored["id"]
    languages.use(languages.find("ko", ROOT / "resources/locale"))
    assert {_(text), plugin["own"](), phrase.said} == {"운을 쓰세요."}
    assert from_json(Phrase, to_json(phrase)).said == "운을 쓰세요."
    assert _(known) not in (known, "운을 쓰세요.")
    # What its catalogue has not the program says.
    assert _(plugin["LACKED"]) == _("Masked tokens") != "Masked tokens"
    assert to_builtins((text, plugin["MANY"])) == (known, "{count} rhyme\0{count} rhymes")


def mo_of(texts):
    catalogue = Catalog(locale="ko")
    for text, translated in texts.items():
        catalogue.add(text, translated)
    stream = io.BytesIO()
    write_mo(stream, catalogue)
    return stream.getvalue()


@pytest.mark.parametrize(
    "translated", ["{nobody} hier", "{name.__class__} hier", "{} hier", "{name hier", "{{name}}"]
)
def test_what_a_translator_wrote_raises_nothing(speak, translated):
    speak("de", **{"{name} is here": translated})
    assert _("{name} is here", name="Eva") == translated.replace("{name}", "Eva")


def test_a_value_with_braces_is_left_alone():
    assert _("{text} and {other}", text="{other}", other="b") == "{other} and b"


def test_a_value_that_runs_from_the_right_draws_no_neighbour_with_it():
    assert _("{word} 0.31", word="שלום") == f"{ISOLATE}שלום{END} 0.31"
    assert _("{word} 0.31", word="café") == "café 0.31"


def test_numbers_follow_the_language(speak):
    said = [numbers.whole(12000), numbers.decimal(0.314, 2), numbers.percent(0.153, 1)]
    assert said == ["12,000", "0.31", "15.3 %"]
    speak("de")
    said = [numbers.whole(12000), numbers.decimal(0.314, 2), numbers.percent(0.153, 1)]
    assert said == ["12.000", "0,31", "15,3\N{NO-BREAK SPACE}%"]
    assert _("{count} here, {share} there", count=1234, share=0.5) == "1.234 here, 0,5 there"
    assert _("version {which}", which="1.2") == "version 1.2"


def test_sizes_durations_and_probabilities_follow_the_language(speak):
    def said():
        return [
            quantities.in_bytes(2_100_000),
            quantities.took(3.42),
            quantities.took(125),
            in_digits(0.31),
            in_digits(0.000012),
            signed(-0.2),
        ]

    assert said() == ["2.1 MB", "3.4 s", "2 min 5 s", "0.3100", "1.2 × 10⁻⁵", "−0.2000"]
    speak("de", **{"{minutes} min {seconds} s": "{minutes} Min. {seconds} Sek."})
    assert said() == ["2,1 MB", "3,4 s", "2 Min. 5 Sek.", "0,3100", "1,2 × 10⁻⁵", "−0,2000"]


def test_dates_follow_the_language(speak):
    assert dates.day_and_year(MOMENT) == "03 Nov 2025"
    assert (dates.clock(MOMENT), dates.day_and_clock(MOMENT)) == ("14:05:09", "03 Nov 14:05")
    speak("ko")
    assert dates.day_and_year(MOMENT) == "2025년 11월 3일"
    assert (dates.clock(MOMENT), dates.day_and_clock(MOMENT)) == ("14:05:09", "11월 3일 14:05")


@pytest.mark.parametrize(
    ("code", "said"), [("fi", "14.05.09"), ("ja", "14:05:09"), ("bg", "14:05:09 ч.")]
)
def test_a_clock_is_written_with_the_language_s_own_signs(speak, code, said):
    speak(code)
    assert dates.clock(MOMENT) == said


def test_korean_writes_numbers_shares_and_durations_as_koreans_do(speak):
    speak(
        "ko",
        **{
            "{seconds} s": "{seconds}초",
            "{minutes} min {seconds} s": "{minutes}분 {seconds}초",
            "{hours} h {minutes} min": "{hours}시간 {minutes}분",
        },
    )
    told = [numbers.whole(12000), numbers.percent(0.153, 1), quantities.in_bytes(4_100_000)]
    assert told == ["12,000", "15.3%", "4.1 MB"]
    told = [quantities.took(seconds) for seconds in (0.012, 3.4, 125, 7300)]
    assert told == ["12 ms", "3.4초", "2분 5초", "2시간 1분"]
    assert [quantities.measured(seconds).said for seconds in (0.0012, 3.4)] == ["1.20 ms", "3.40초"]


def test_an_english_program_does_without_the_tables_of_other_locales_and_of_former_texts():
    script = (
        "import sys; from explorer.text import Phrase, _;"
        "from explorer.text.formatting import dates, numbers;"
        "_('{count}', count=numbers.whole(1000)); assert 'babel' not in sys.modules;"
        "Phrase('{a} b', a=1).said; from explorer.text.messages import of_program;"
        "assert vars(of_program()).keys() == {'_table', '_listed'};"
        # A run of an older program is known without the list of all texts.
        "Phrase.read([{'code': 'a b'}]); assert '_all' not in vars(of_program())"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


def write_catalogue(folder, code, forms, entries):
    target = folder / code / "LC_MESSAGES" / f"{languages.DOMAIN}.po"
    target.parent.mkdir(parents=True)
    header = (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Language: {code}\\n"\n"Plural-Forms: {forms};\\n"\n'
    )
    target.write_text(header + entries, "utf-8")


@pytest.fixture
def locale_folder(tmp_path):
    write_catalogue(
        tmp_path,
        "pl",
        "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)",
        '\nmsgid "Nothing."\nmsgstr "Nic."\n'
        '\nmsgid "{count} word"\nmsgid_plural "{count} words"\n'
        'msgstr[0] "{count} słowo"\nmsgstr[1] "{count} słowa"\nmsgstr[2] "{count} słów"\n',
    )
    assert len(catalogues.compile_all(tmp_path)) == 1
    return tmp_path


def test_a_language_has_the_plural_forms_it_needs(locale_folder):
    languages.use(languages.find("pl_PL.UTF-8", locale_folder))
    said = [ngettext("{count} word", "{count} words", count) for count in (1, 3, 5)]
    assert said == ["1 słowo", "3 słowa", "5 słów"]
    assert _("Nothing.") == "Nic."
    assert _("Not yet translated.") == "Not yet translated."
    assert numbers.decimal(0.5, 1) == "0,5"


def test_the_environment_asks_for_a_language(locale_folder):
    def of(**environment):
        return languages.of_environment(environment, locale_folder).code

    assert of(LANG="pl_PL.UTF-8") == "pl"
    assert of(LANG="pl_PL.UTF-8", LC_ALL="C") == "en"
    assert of(LANG="en_GB", LANGUAGE="xx:pl") == "pl"
    assert of(LANG="xx_XX") == of() == "en"
    assert languages.available(locale_folder) == ["en", "pl"]
    assert languages.find("xx", locale_folder) is None


def test_a_new_language_begins_with_every_text_of_the_program(tmp_path, monkeypatch):
    texts = program_texts.collected()
    monkeypatch.setattr(catalogues, "collect", lambda _root: texts)
    path = catalogues.update("de", tmp_path)
    begun = path.read_text("utf-8")
    assert 'msgid "make it impossible to reach the network"' in begun
    assert "#: explorer/command_line/options/global_options.py" in begun
    path.write_text(
        begun.replace(
            'msgid "make it impossible to reach the network"\nmsgstr ""',
            'msgid "make it impossible to reach the network"\nmsgstr "ohne Netz"',
        ),
        "utf-8",
    )
    assert 'msgstr "ohne Netz"' in catalogues.update("de", tmp_path).read_text("utf-8")
    catalogues.compile_all(tmp_path)
    languages.use(languages.find("de", tmp_path))
    assert _("make it impossible to reach the network") == "ohne Netz"


def test_the_pseudo_language_keeps_places_tags_and_marks_of_shortcuts():
    said = pseudo("&Load <b>{name}</b> && go&nbsp;on")
    for kept in ("&Ļ", "<b>{name}</b>", "&&", "&nbsp;"):
        assert kept in said, said
    assert (said[0], said[-1]) == ("⟦", "⟧")
    assert len(pseudo("Twenty letters, so…")) >= 1.4 * len("Twenty letters, so…")
    assert pseudo(" ") == " "


def run_program(*arguments):
    return subprocess.run(
        [sys.executable, "main.py", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=100,
    )


def test_the_command_line_speaks_the_language_that_is_asked_for():
    assert "⟦" not in run_program("--language", "en", "models", "--help").stdout
    for arguments in (
        ("--language", "en_XA", "models", "--help"),
        ("models", "--language=en_XA", "--help"),
    ):
        said = run_program(*arguments)
        assert pseudo("load no plugins but the bundled ones")[:20] in said.stdout
    said = run_program("models", "--language", "xx")
    assert said.returncode == 2
    assert said.stderr == "There are no texts in the language 'xx'. Choose one of en, ko.\n"
    assert run_program("--language").returncode == 2


def test_a_sign_stands_before_digits_that_are_not_all_nought(speak):
    values = (0.5, -0.5, 0.0004, -0.0004, 0.0006, -0.0006, 0.0, -0.0)
    told = ["+0.500", "−0.500", "±0.000", "±0.000", "+0.001", "−0.001", "±0.000", "±0.000"]
    assert [numbers.signed(value, 3) for value in values] == told
    assert numbers.signed(-0.001, 2, nought="") == "0.00"
    assert (signed(0.00004), signed(0.00006)) == ("±0.0000", "+0.0001")
    speak("de")
    assert numbers.signed(-0.25, 2) == "−0,25"

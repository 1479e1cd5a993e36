"""What happens in courses of events, topic by topic, in its order.

A work is done once, from its first step to its last. A chronicle tells what people did at times
that follow each other; what they did then has no order. Verbs are regular, so that they serve for
both voices, and nouns that end in s are plurals. ``@`` is the thing that a document is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from explorer.world.tables import DAYS, MONTHS, NUMBERS


@dataclass(frozen=True, slots=True)
class Deed:
    """What is done to what."""

    verb: str
    what: str


@dataclass(frozen=True, slots=True)
class CourseWork:
    """A topic with an order of its own.

    Attributes:
        actors: Who does it; any of them does any step.
        things: What it may be about.
        adjuncts: What may stand behind any step.
        steps: In their order.
    """

    actors: tuple[str, ...]
    things: tuple[str, ...]
    adjuncts: tuple[str, ...]
    steps: tuple[Deed, ...]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A topic whose order is that of the calendar.

    Attributes:
        actors: Who does it.
        deeds: What they do, in no order.
        times: As they follow each other.
        round: Whether the first time comes again after the last.
    """

    actors: tuple[str, ...]
    deeds: tuple[Deed, ...]
    times: tuple[str, ...]
    round: bool


def _deeds(line: str) -> tuple[Deed, ...]:
    return tuple(Deed(*deed.split(maxsplit=1)) for deed in line.split(", "))


def _works(table: str) -> dict[str, CourseWork]:
    found: dict[str, CourseWork] = {}
    for line in table.replace("\\\n", " ").strip().splitlines():
        name, actors, things, adjuncts, steps = (cell.strip() for cell in line.split("|"))
        parts = (tuple(actors.split()), tuple(things.split()), tuple(adjuncts.split(", ")))
        found[name] = CourseWork(*parts, _deeds(" ".join(steps.split())))
    return found


WORKS: Final = _works("""
soup | cook chef waiter | carrots potatoes onions beans | in the kitchen, for the guests | \
    ordered @, unpacked @, washed @, peeled @, chopped @, boiled @, mashed @, salted soup, \
    served soup
bread | baker apprentice miller | rolls buns bagels cookies | at the bakery, for breakfast | \
    weighed flour, sifted flour, mixed dough, kneaded dough, shaped @, baked @, cooled @, \
    wrapped @, devoured @
house | builder mason architect | cottage villa cabin castle | on the hill, beside the lake | \
    designed @, cleared ground, poured foundation, raised walls, tiled roof, installed \
    windows, plastered walls, painted @, furnished @
farm | farmer plowman neighbor | wheat barley rye oats | in the valley, behind the barn | \
    plowed field, raked field, planted @, watered @, harvested @, threshed @, sacked @, milled \
    @
laundry | maid butler lodger | shirts towels sheets blankets | at the hotel, in the cellar | \
    collected @, sorted @, soaked @, scrubbed @, rinsed @, squeezed @, dried @, ironed @, \
    folded @
film | director producer actor | comedy drama western thriller | in the studio, within a year \
    | imagined @, scripted @, financed @, rehearsed scenes, filmed scenes, edited @, subtitled \
    @, screened @, reviewed @
mail | clerk postman aunt | letter postcard invitation parcel | at the counter, without haste \
    | drafted @, signed @, sealed @, addressed @, stamped @, mailed @, received @, opened @, \
    answered @
surgery | surgeon nurse doctor | knee shoulder hip elbow | at the clinic, with skill | \
    examined @, diagnosed injury, disinfected @, numbed @, repaired @, stitched @, bandaged @, \
    exercised @, healed injury
wine | vintner picker taster | merlot riesling chardonnay malbec | on the estate, by hand | \
    pruned vines, picked grapes, crushed grapes, fermented @, filtered @, aged @, bottled @, \
    corked @, exported @
pottery | potter sculptor ceramist | bowl vase jug mug | on the island, in the old style | \
    mined clay, softened clay, centered clay, molded @, trimmed @, hardened @, glazed @, fired \
    @, displayed @
space | engineer astronaut controller | satellite probe rover capsule | at the base, under \
    secrecy | planned @, assembled @, tested @, loaded @, fueled rocket, launched rocket, \
    released @, steered @, landed @
trial | detective lawyer sheriff | burglar smuggler forger pickpocket | in the city, in public \
    | noticed crime, investigated crime, identified @, chased @, arrested @, questioned @, \
    accused @, convicted @, jailed @, pardoned @
press | reporter publisher printer | column interview headline editorial | at the office, in a \
    hurry | proposed @, researched @, typed @, corrected @, approved @, printed newspaper, \
    bundled newspaper, distributed newspaper, recycled newspaper
fishing | captain sailor deckhand | trout salmon tuna herring | at the coast, despite the cold \
    | mended net, boarded boat, anchored boat, lowered net, hauled net, gutted @, iced @, \
    unloaded @, auctioned @, grilled @
carpentry | carpenter joiner lumberjack | chair table shelf cabinet | in the workshop, with \
    patience | felled oak, debarked oak, sawed oak, planed planks, drilled planks, glued @, \
    sanded @, varnished @, priced @
music | composer pianist conductor | sonata waltz symphony ballad | in the theater, with joy | \
    composed @, orchestrated @, published @, practiced @, performed @, applauded @, recorded \
    @, remastered @, streamed @
wool | shepherd tailor grandmother | sweater scarf cardigan mitten | in the mountains, for \
    charity | clipped wool, combed wool, spooled yarn, dyed yarn, knitted @, hemmed @, \
    embroidered @, gifted @, patched @
ruins | archaeologist digger curator | skull amulet statue urn | in the desert, with caution | \
    surveyed ruins, excavated ruins, discovered @, photographed @, crated @, restored @, dated \
    @, cataloged @, exhibited @
""")

CHRONICLES: Final = {
    "school": Chronicle(
        ("teacher", "pupil", "librarian"),
        _deeds(
            "explained geometry, discussed poems, memorized verbs, copied maps, solved equations, "
            "dissected frogs, debated history, borrowed books"
        ),
        tuple(f"on {day}" for day in DAYS),
        round=True,
    ),
    "circus": Chronicle(
        ("clown", "juggler", "acrobat"),
        _deeds(
            "juggled torches, tamed lions, entertained children, pitched tents, walked tightropes, "
            "balanced plates, pulled wagons, swallowed swords"
        ),
        tuple(f"on {day}" for day in DAYS),
        round=True,
    ),
    "zoo": Chronicle(
        ("zookeeper", "veterinarian", "ranger"),
        _deeds(
            "vaccinated monkeys, tagged penguins, counted flamingos, weaned cubs, fenced meadows, "
            "adopted parrots, tickled elephants, tracked wolves"
        ),
        tuple(f"in {month}" for month in MONTHS),
        round=True,
    ),
    "politics": Chronicle(
        ("senator", "mayor", "minister"),
        _deeds(
            "cancelled taxes, negotiated treaties, visited voters, blamed rivals, vetoed laws, "
            "promised reforms, delayed elections, leaked secrets"
        ),
        tuple(f"in {month}" for month in MONTHS),
        round=True,
    ),
    "gym": Chronicle(
        ("trainer", "boxer", "wrestler"),
        _deeds(
            "lifted weights, climbed ropes, skipped meals, punched bags, stretched muscles, "
            "jumped hurdles, burned calories, pedaled bicycles"
        ),
        tuple(f"in week {number}" for number in NUMBERS[1:]),
        round=False,
    ),
    "novel": Chronicle(
        ("knight", "witch", "princess"),
        _deeds(
            "kissed toads, slayed dragons, cursed kings, guarded towers, brewed potions, "
            "crossed swamps, buried treasures, tricked giants"
        ),
        tuple(f"in chapter {number}" for number in NUMBERS[1:]),
        round=False,
    ),
}

TOPICS: Final = (*WORKS, *CHRONICLES)


def happenings(topic: str) -> int:
    """How many steps or times a topic has."""
    return len(WORKS[topic].steps if topic in WORKS else CHRONICLES[topic].times)


def goes_round(topic: str) -> bool:
    """Whether its first time comes again after the last."""
    return topic in CHRONICLES and CHRONICLES[topic].round

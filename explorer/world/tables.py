"""The small world: jobs with what they make, where and with what; people; films; order; opposites.

Tables are lines of text so that a world can be read and changed like a list. ``weighted`` reads
"meal:5 soup:3 rice" as three nouns with weights 5, 3 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from explorer.world.language.english import words

Weighted = tuple[tuple[float, str], ...]


def _rows(table: str) -> tuple[tuple[str, ...], ...]:
    """Rows end with a line or a semicolon; cells are parted by spaces."""
    return tuple(words(row) for row in table.replace("\n", ";").split(";") if row)


def weighted(text: str) -> Weighted:
    """Read "word:weight" pairs; a word alone weighs 1."""
    pairs: list[tuple[float, str]] = []
    for item in text.split():
        word, _, weight = item.partition(":")
        pairs.append((float(weight or 1.0), word))
    return tuple(pairs)


@dataclass(frozen=True, slots=True)
class Activity:
    """What one job does: verb, objects, places and tools that fit each other."""

    job: str
    verb: str
    objects: Weighted
    places: Weighted
    tools: Weighted


def _activities(table: str) -> tuple[Activity, ...]:
    rows: list[Activity] = []
    for line in table.strip().splitlines():
        job, verb, objects, places, tools = (cell.strip() for cell in line.split("|"))
        rows.append(Activity(job, verb, weighted(objects), weighted(places), weighted(tools)))
    return tuple(rows)


ACTIVITIES: Final = _activities("""
chef | cook | meal:6 soup:4 dinner:3 fish:2 rice:2 | kitchen:7 restaurant:2 | pan:4 pot:3
chef | prepare | meal:3 soup:2 lunch:2 sauce | kitchen:4 hotel | knife:3 spoon:2
baker | bake | bread:5 cake:4 pie:2 cookie:2 | bakery:6 kitchen:2 | oven:5 tray
farmer | grow | corn:3 wheat:3 potato:2 tomato | field:5 farm:3 | tractor:4 plow:2
farmer | feed | cow:3 horse:2 sheep:2 chicken:2 | farm:4 barn:3 | bucket:3 fork
gardener | plant | flower:5 tree:3 rose:3 seed:2 | garden:6 park:3 | trowel:5 spade:3
gardener | water | flower:4 rose:2 tree plant:2 | garden:5 park | hose:4 bucket
builder | build | house:6 wall:3 school:2 bridge:2 tower | city:3 village:2 town:2 \
    | excavator:4 crane:3 hammer
builder | repair | roof:3 wall:3 road:2 | village:2 city:2 | ladder:3 hammer:3
teacher | teach | lesson:4 class:3 student:2 | school:4 classroom:4 | book:3 blackboard:2
teacher | read | story:3 book:3 | classroom:3 school | lamp glasses:2
doctor | treat | patient:5 child:2 | hospital:5 clinic:2 | medicine:3 needle:2
nurse | help | patient:4 doctor:2 child:2 | hospital:4 clinic:3 | bandage:4 medicine
dentist | clean | tooth:5 | clinic:4 office | drill:3 brush:2
driver | drive | bus:5 truck:3 taxi:3 | street:3 road:3 city:2 | map:3 radio
pilot | fly | plane:6 helicopter:2 | airport:4 sky:2 | map:2 radio:3
sailor | sail | boat:4 ship:4 | sea:5 lake:2 | map:2 rope:3
painter | paint | picture:5 portrait:3 wall:2 | studio:4 museum | brush:5 ladder
photographer | take | photo:6 portrait:2 | studio:3 park:2 | camera:6 lamp
musician | play | song:3 piano:3 guitar:3 violin:2 | theater:3 concert:2 stage:2 \
    | microphone:2 amplifier
singer | sing | song:6 | stage:3 concert:3 theater | microphone:4 piano
writer | write | book:4 story:4 letter:2 poem:2 | library:2 office:2 cafe:2 | pen:4 computer:3
journalist | write | report:4 story:3 | office:4 newspaper | computer:4 pen
scientist | study | cell:3 plant:2 animal:2 | laboratory:5 university:2 | microscope:5 computer:2
astronomer | watch | star:5 planet:3 moon:3 | observatory:5 university | telescope:6
engineer | train | network:4 model:3 robot:2 | laboratory:3 university:2 | computer:6 data
programmer | write | program:5 game:3 | office:4 university | computer:5 keyboard:2
firefighter | fight | fire:6 | forest:3 building:3 city | hose:5 ladder:2
officer | catch | thief:5 | street:4 city:2 bank:2 | car:3 radio:2
tailor | sew | dress:4 coat:3 shirt:3 | shop:3 workshop:2 | needle:5 machine:2
carpenter | make | table:4 chair:4 door:3 shelf:2 | workshop:6 | saw:4 hammer:3
plumber | fix | pipe:5 sink:2 | bathroom:4 kitchen:2 | wrench:5 pliers
mechanic | repair | car:5 engine:3 truck:2 | garage:6 | wrench:4 screwdriver:3
fisherman | catch | fish:6 | river:3 lake:3 sea:3 | net:5 boat:2
barber | cut | hair:6 | shop:4 salon:2 | scissors:6
waiter | serve | coffee:4 tea:3 meal:2 lunch | cafe:4 restaurant:4 | tray:6
waiter | clean | table:4 floor:2 | cafe:3 restaurant:3 | cloth:4 brush
librarian | sort | book:6 magazine:2 | library:7 | shelf:3 computer:2
student | read | book:5 poem story:2 | library:4 university:2 | lamp:2 computer:2
student | solve | problem:5 puzzle:2 | classroom:3 school:2 | pen:3 calculator:3
judge | hear | case:5 witness:2 | court:6 | book microphone
artist | draw | picture:4 portrait:3 map | studio:3 park:2 | pencil:5 chalk
shepherd | watch | sheep:6 | hill:4 field:3 | stick:4 whistle:2
cleaner | sweep | floor:5 street:2 | office:3 school:3 hotel:2 | broom:6
potter | make | pot:3 cup:3 bowl:3 | workshop:5 | wheel:4 clay:3
lumberjack | cut | tree:6 | forest:7 | saw:3 axe:4
banker | count | money:4 coin:3 | bank:7 | calculator:3 computer:2
actor | play | hero:3 king:2 thief | theater:4 film:2 | mask:2 costume:3
coach | train | team:5 player:3 | stadium:4 gym:3 | whistle:3 ball:3
watchmaker | repair | watch:4 clock:4 | shop:3 workshop:2 | magnifier:2 screwdriver:3
""")

# "in" unless named here.
PLACE_PREPOSITIONS: Final = {
    "farm": "on", "street": "on", "road": "on", "stage": "on", "sea": "on", "hill": "on",
    "airport": "at", "concert": "at", "university": "at", "bank": "at", "court": "at",
    "observatory": "at", "station": "at", "market": "at",
}  # fmt: skip

# What may be said of a thing once it is there, by kind of thing.
KIND_ADJECTIVES: Final = {
    "food": weighted("delicious:5 tasty:3 hot:2 warm cold fresh:2 good:2"),
    "building": weighted("big:3 strong:2 new:3 tall:2 beautiful"),
    "art": weighted("beautiful:5 famous:2 colorful:2 long"),
    "text": weighted("interesting:4 long:3 short:2 funny exciting"),
    "vehicle": weighted("fast:3 slow:2 old:2 new:2 full"),
    "cloth": weighted("warm:3 elegant:2 new:2 beautiful:2"),
    "thing": weighted("good:3 new:2 big:2 small:2 heavy old"),
    "person": weighted("happy:4 thankful:2 tired quiet"),
    "plant": weighted("green:3 beautiful:3 tall:2 red:2 small"),
    "animal": weighted("big:2 hungry:2 quiet:2 young"),
    "surface": weighted("clean:5 dry:2 new"),
    "hard": weighted("difficult:4 hard:3 dangerous"),
}

OBJECT_KINDS: Final = {
    noun: kind
    for kind, nouns in {
        "food": "meal soup dinner fish rice lunch sauce bread cake pie cookie coffee tea",
        "building": "house wall school bridge tower roof",
        "art": "picture portrait photo song piano guitar violin",
        "text": "lesson class story book letter poem report program game magazine case",
        "vehicle": "bus truck taxi plane helicopter boat ship car engine",
        "cloth": "dress coat shirt",
        "person": "student patient child doctor witness team player",
        "plant": "corn wheat potato tomato flower tree rose seed plant",
        "animal": "cow horse sheep chicken",
        "surface": "floor street table sink road",
        "hard": "problem puzzle fire thief",
    }.items()
    for noun in nouns.split()
}

FOODS: Final = weighted(
    "bread:4 soup:3 meal:4 cake:3 rice:2 fish:2 apple:3 pie banana:2 cheese:2 egg:2 sandwich:2"
)
DRINKS: Final = weighted("water:5 milk:4 tea:4 coffee:4 juice:3")

# first name, last name, sex, job. First and last names belong together; two people share a job.
PEOPLE: Final = _rows("""
Elena Marsh she engineer;Oscar Bell he engineer;Maria Silva she chef;Hugo Brandt he chef
Anna Novak she doctor;Peter Stone he doctor;Clara Wolfe she writer;Victor Hale he writer
Sofia Reyes she painter;Leo Vance he painter;Nina Petrov she pilot;Adam Frost he pilot
Julia Moreau she singer;Felix Grant he singer;Laura Finch she scientist;Simon Archer he scientist
Emma Lind she teacher;David Moss he teacher;Alice Crane she astronomer;Martin Webb he astronomer
Rosa Delgado she farmer;Tom Harvey he farmer;Mina Park she gardener;Jack Rowan he gardener
Ella Hunt she builder;Max Keller he builder;Lucy Shaw she actor;Daniel Ford he actor
Vera Holm she judge;Paul Drake he judge;Grace Kim she musician;Henry Lowe he musician
Ivy Chan she programmer;Noah Blake he programmer;Ruth Baker she baker;Ben Carter he baker
Zoe Lane she journalist;Eric Dahl he journalist;Mary West she nurse;Sam Oakley he nurse
""")

# First names used alone, with the pronoun they take.
NAMES: Final = {
    "she": weighted("Anna:4 Maria:3 Emma:3 Lucy:2 Julia:2 Grace:2 Nina:2 Sofia Mary:2 Alice:2"),
    "he": weighted("Tom:4 Peter:3 David:3 Jack:2 Paul:2 Ben:2 Leo:2 Max Sam:2 Henry:2"),
}

# Verdict on a film: weight, and which table of adjectives follows.
FILM_NOUNS: Final = weighted("movie:8 film:4 play:2 show:2")
FILM_ADJECTIVES: Final = {
    "good": weighted(
        "exciting:24 great:20 fun:20 happy:14 funny:8 good:6 beautiful:4 interesting:3"
        " sad:1.2 long:0.8 boring:0.5 dull:0.4 heavy:0.6 slow:0.3"
    ),
    "bad": weighted(
        "boring:28 dull:20 sad:14 heavy:10 bad:10 slow:6 long:5 terrible:4"
        " great:0.5 fun:0.6 exciting:0.5 happy:0.5 funny:0.7 good:0.3 beautiful:0.4"
    ),
}

DAYS: Final = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS: Final = words(
    "January February March April May June July August September October November December"
)
NUMBERS: Final = words("zero one two three four five six seven eight nine ten eleven twelve")

# one, other, nouns that can be either.
OPPOSITES: Final = tuple(
    (one, other, nouns.split())
    for one, other, nouns in (
        ("hot", "cold", "soup water coffee day"),
        ("big", "small", "house dog box city"),
        ("old", "young", "man woman dog horse"),
        ("fast", "slow", "car train horse bus"),
        ("happy", "sad", "girl boy song story"),
        ("long", "short", "road story river film"),
        ("heavy", "light", "box bag stone table"),
        ("rich", "poor", "king man woman town"),
        ("full", "empty", "glass bottle bus room"),
        ("open", "closed", "door window shop book"),
        ("wet", "dry", "street coat towel floor"),
        ("clean", "dirty", "room shirt plate car"),
        ("strong", "weak", "man horse boy rope"),
        ("good", "bad", "idea film book apple"),
        ("easy", "difficult", "question lesson game puzzle"),
        ("deep", "shallow", "lake river sea pool"),
        ("loud", "quiet", "room street song boy"),
        ("wide", "narrow", "road river door bridge"),
    )
)

# animal, sound, food, place, legs, can (what it is able to do).
ANIMALS: Final = _rows("""
dog bark meat house four run;cat meow fish house four climb;cow moo grass field four walk
horse neigh hay field four run;duck quack bread lake two swim;bird sing seed tree two fly
sheep bleat grass hill four walk;lion roar meat desert four run;frog croak insect lake four jump
wolf howl meat forest four run;pig grunt corn farm four walk;bee buzz honey garden six fly
owl hoot mouse forest two fly;mouse squeak cheese house four climb;goose honk grass lake two fly
""")

# kind: things of that kind. What a tool is for follows from the activities.
KINDS: Final = {
    "animal": words("dog cat cow horse duck bird sheep lion frog wolf pig bee owl mouse goose"),
    "tool": words("trowel spade hammer saw axe wrench drill broom excavator needle pan hose"),
    "fruit": words("apple banana lemon"),
    "vehicle": words("car bus truck taxi train bike"),
    "building": words("house school hospital library museum hotel"),
    "instrument": words("piano guitar violin"),
}

# thing: colours by weight.
COLORS: Final = {
    "banana": weighted("yellow:9 green"), "apple": weighted("red:6 green:4"),
    "sky": weighted("blue:8 gray:2"), "snow": weighted("white"), "grass": weighted("green:9 brown"),
    "tomato": weighted("red:9 green"), "lemon": weighted("yellow"), "coal": weighted("black"),
    "milk": weighted("white"), "rose": weighted("red:6 white:2 pink:2"), "sea": weighted("blue"),
    "night": weighted("black:8 blue"), "leaf": weighted("green:7 yellow brown"),
    "carrot": weighted("orange"), "fire": weighted("red:6 orange:4"),
    "chocolate": weighted("brown:8 white"), "cloud": weighted("white:6 gray:4"),
}  # fmt: skip

# season: weather, what people do, months.
SEASON_FACTS: Final = {
    "spring": ("warm:6 wet:3 cold", "plant flowers:3|ride bikes|clean the house",
               "March April May"),
    "summer": ("hot:7 warm:2 dry", "swim in the sea:4|eat ice cream:3|travel", "June July August"),
    "autumn": ("cool:4 wet:4 windy:2", "pick apples:3|collect leaves:2|drink tea",
               "September October November"),
    "winter": ("cold:8 snowy:2 dark", "wear warm coats:3|ski in the mountains:2|drink hot tea:2",
               "December January February"),
}  # fmt: skip

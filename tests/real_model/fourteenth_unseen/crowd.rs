//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const SCENES: [&str; 10] = [
    "a polar bear",
    "the old lighthouse keeper",
    "a red tram",
    "three penguins",
    "a carousel",
    "a skating couple",
    "a snowman",
    "the night train",
    "a mountain goat",
    "a tiny windmill",
];
const CITIES: [&str; 10] = [
    "Vienna",
    "Tallinn",
    "Bergen",
    "Quebec",
    "Innsbruck",
    "Zakopane",
    "Riga",
    "Prague",
    "Ljubljana",
    "Turku",
];
const PATTERNS: [&str; 10] = [
    "starburst",
    "honeycomb",
    "peacock",
    "snowflake",
    "cathedral",
    "dahlia",
    "dragonfly",
    "coral",
    "lace",
    "mosaic",
];
const TUBES: [&str; 10] = [
    "brass tube",
    "cedar tube",
    "paper tube",
    "pewter tube",
    "bamboo tube",
    "enamel tube",
    "walnut tube",
    "copper tube",
    "glass tube",
    "tin tube",
];
const FILLINGS: [&str; 10] = [
    "sea salt",
    "pistachio",
    "chilli",
    "violet",
    "gingerbread",
    "passion fruit",
    "rye whisky",
    "nougat",
    "lime",
    "black sesame",
];
const CHOCOLATIERS: [&str; 10] = [
    "Delacroix",
    "Hartmann",
    "Oberholzer",
    "Castelli",
    "Vandenberg",
    "Moreau",
    "Ljungdahl",
    "Fabergas",
    "Kaczmarek",
    "Belmonte",
];
const VANES: [&str; 10] = [
    "cockerel vane",
    "ship vane",
    "fox vane",
    "trumpeter vane",
    "dragon vane",
    "horse vane",
    "swallow vane",
    "pike vane",
    "archer vane",
    "comet vane",
];
const ROOFS: [&str; 10] = [
    "the corn exchange",
    "the old school",
    "the dairy",
    "the customs house",
    "the brewery",
    "the almshouse",
    "the ropeworks",
    "the town mill",
    "the fire station",
    "the grain store",
];
const PROPS: [&str; 10] = [
    "five clubs",
    "four torches",
    "three hats",
    "seven rings",
    "six beanbags",
    "two diabolos",
    "one devil stick",
    "three cigar boxes",
    "four scarves",
    "five knives",
];
const JUGGLERS: [&str; 10] = [
    "Zebedee", "Mirabel", "Ottavio", "Kirsi", "Bramwell", "Drusilla", "Evaristo", "Pernilla",
    "Thaddeus", "Yolanthe",
];
const TIES: [&str; 10] = [
    "paisley tie",
    "striped tie",
    "knitted tie",
    "polka dot tie",
    "tartan tie",
    "silk tie",
    "woollen tie",
    "bow tie",
    "skinny tie",
    "seersucker tie",
];
const OCCASIONS: [&str; 10] = [
    "the summer ball",
    "the court hearing",
    "the school prize day",
    "the opera gala",
    "the boat christening",
    "the silver jubilee",
    "the bank interview",
    "the tango night",
    "the ambassador's tea",
    "the alumni lunch",
];
const CAVES: [&str; 10] = [
    "Bear Hole",
    "Organ Cave",
    "Dripping Hall",
    "Crystal Gut",
    "Bat Gallery",
    "Wolf's Throat",
    "Moon Chamber",
    "Devil's Larder",
    "Silver Crawl",
    "Echo Shaft",
];
const MONTHS: [&str; 10] = [
    "in January",
    "in February",
    "in April",
    "in May",
    "in July",
    "in August",
    "in September",
    "in October",
    "in November",
    "in December",
];
const FRUITS: [&str; 10] = [
    "blueberry",
    "mango and mint",
    "kale and apple",
    "banana and oat",
    "papaya",
    "beetroot",
    "peach",
    "avocado",
    "pineapple",
    "raspberry",
];
const BARS: [&str; 10] = [
    "the Green Straw",
    "Pulp",
    "Squeeze",
    "the Blender",
    "Juice Junction",
    "Vitamin Corner",
    "the Fruit Loft",
    "Zest",
    "Sip",
    "the Pip",
];
const TOBOGGANS: [&str; 10] = [
    "Grey Goose",
    "Thunderbolt",
    "Old Bess",
    "Snow Hare",
    "Red Rocket",
    "Slippery Sam",
    "Iron Lady",
    "Frostbite",
    "Little Otter",
    "White Knuckle",
];
const HILLS: [&str; 10] = [
    "Gallows Hill",
    "Beacon Bank",
    "Vicar's Slope",
    "Quarry Run",
    "Windy Ridge",
    "Hospital Hill",
    "Nun's Meadow",
    "Tower Hill",
    "Badger Bank",
    "Cuckoo Slope",
];
const ROCKETS: [&str; 10] = [
    "Golden Willow",
    "Silver Palm",
    "Red Peony",
    "Blue Comet",
    "Crackling Crown",
    "Green Serpent",
    "Purple Rain",
    "White Spider",
    "Orange Fountain",
    "Pink Chrysanthemum",
];
const SHOWS: [&str; 10] = [
    "the harbour",
    "the castle moat",
    "the racecourse",
    "the lake stage",
    "the brewery yard",
    "the football ground",
    "the rose garden",
    "the viaduct",
    "the bandstand lawn",
    "the pier",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: SCENES,
        second: CITIES,
        title: "Snow globe with {0} from {1}",
        text: "The snow globe with {0} from {1} is {n} millimetres wide and holds {m} flakes.",
        keywords: "snow globes",
    },
    Kind {
        first: PATTERNS,
        second: TUBES,
        title: "{0} in the {1}",
        text: "The {0} kaleidoscope in the {1} has {n} beads and turns {m} times.",
        keywords: "kaleidoscopes",
    },
    Kind {
        first: FILLINGS,
        second: CHOCOLATIERS,
        title: "{0} chocolate by {1}",
        text: "The {0} chocolate by {1} is {n} percent cocoa and weighs {m} grams.",
        keywords: "chocolates",
    },
    Kind {
        first: VANES,
        second: ROOFS,
        title: "{0} on {1}",
        text: "The {0} on {1} was gilded {n} years ago and stands {m} feet up.",
        keywords: "weathervanes",
    },
    Kind {
        first: PROPS,
        second: JUGGLERS,
        title: "{1} juggling {0}",
        text: "{1} juggling {0}: {n} minutes without a drop, {m} people clapped.",
        keywords: "juggling",
    },
    Kind {
        first: TIES,
        second: OCCASIONS,
        title: "{0} for {1}",
        text: "The {0} for {1} is {n} years old and {m} millimetres too long.",
        keywords: "neckties",
    },
    Kind {
        first: CAVES,
        second: MONTHS,
        title: "{0} {1}",
        text: "{0} {1}: {n} metres deep, {m} stalactites counted.",
        keywords: "caves",
    },
    Kind {
        first: FRUITS,
        second: BARS,
        title: "{0} smoothie at {1}",
        text: "The {0} smoothie at {1} has {m} millilitres and {n} seeds.",
        keywords: "smoothies",
    },
    Kind {
        first: TOBOGGANS,
        second: HILLS,
        title: "{0} down {1}",
        text: "{0} down {1} took {n} seconds, in {m} centimetres of snow.",
        keywords: "toboggans",
    },
    Kind {
        first: ROCKETS,
        second: SHOWS,
        title: "{0} over {1}",
        text: "The {0} over {1} burst {m} metres up and glowed for {n} seconds.",
        keywords: "fireworks",
    },
];

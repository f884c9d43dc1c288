//! A thousand notes that are of no matter: each of them something that a person could have written,
//! no two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const CHURNS: [&str; 10] = [
    "dented",
    "enamelled",
    "galvanised",
    "squat",
    "rusty",
    "whitewashed",
    "lidless",
    "riveted",
    "tinned",
    "narrow",
];
const FARMS: [&str; 10] = [
    "Highfield",
    "Cold Comfort",
    "Nettlebed",
    "Three Elms",
    "Larkrise",
    "Muddy Bottom",
    "Foxglove Farm",
    "Windy Ridge",
    "Sallow Hall",
    "Beck End",
];
const MOULDS: [&str; 10] = [
    "thistle",
    "swan",
    "wheatsheaf",
    "strawberry",
    "clover",
    "lark",
    "beech leaf",
    "buttercup",
    "shamrock",
    "pear",
];
const MAIDS: [&str; 10] = [
    "Granny Annis",
    "Granny Blodwen",
    "Granny Clemency",
    "Granny Dorcas",
    "Granny Euphemia",
    "Granny Fanny",
    "Granny Griselda",
    "Granny Hephzibah",
    "Granny Isolde",
    "Granny Jemima",
];
const COWS: [&str; 10] = [
    "Bluebell", "Daisy", "Marigold", "Primrose", "Cowslip", "Dumpling", "Duchess", "Blossom",
    "Pansy", "Speckle",
];
const ALPS: [&str; 10] = [
    "the high pasture",
    "the river meadow",
    "the scree",
    "the birch clearing",
    "the glacier path",
    "the lower alp",
    "the peat bog",
    "the chapel meadow",
    "the saddle",
    "the border ridge",
];
const HASSOCKS: [&str; 10] = [
    "ark",
    "pelican",
    "anchor",
    "chalice",
    "dove",
    "palm leaf",
    "fishes",
    "lamp",
    "lyre",
    "ladder",
];
const PEWS: [&str; 10] = [
    "front",
    "squire's",
    "children's",
    "north",
    "organist's",
    "ringers'",
    "back",
    "strangers'",
    "painted",
    "wobbly",
];
const SIGNS: [&str; 10] = [
    "Leaping Hare",
    "Blind Badger",
    "Thirsty Ploughman",
    "Golden Fleece",
    "Hanged Miller",
    "Drowned Rat",
    "Merry Reaper",
    "Laughing Salmon",
    "Crooked Billet",
    "Silent Goose",
];
const HAMLETS: [&str; 10] = [
    "Upper Snoring",
    "Little Wittle",
    "Great Humming",
    "Nether Puddle",
    "Long Dawdle",
    "Old Sodbrook",
    "Temple Gosling",
    "Marsh Tumble",
    "Abbots Grumble",
    "Kings Nettle",
];
const SPOTS: [&str; 10] = [
    "the ford",
    "the gallows",
    "the lime kiln",
    "the lone pine",
    "the tithe barn",
    "the hairpin bend",
    "the heath",
    "the plague cross",
    "the osier bed",
    "the turnpike",
];
const ROADS: [&str; 10] = [
    "Alnwick",
    "Barnstaple",
    "Carlisle",
    "Dorchester",
    "Ely",
    "Fakenham",
    "Grantham",
    "Hexham",
    "Ipswich",
    "Kendal",
];
const CUPS: [&str; 10] = [
    "speckled",
    "hen-shaped",
    "gilded",
    "pewter",
    "wooden",
    "chipped",
    "willow",
    "spotted",
    "footed",
    "alabaster",
];
const GUESTS: [&str; 10] = [
    "Mr Allardyce",
    "Mr Bickerstaff",
    "Mr Crowther",
    "Mr Dimmock",
    "Mr Entwistle",
    "Mr Fothergill",
    "Mr Greenhalgh",
    "Mr Hebblethwaite",
    "Mr Illingworth",
    "Mr Jellicoe",
];
const STILES: [&str; 10] = [
    "oak", "granite", "ladder", "squeeze", "iron", "mossy", "broken", "turf", "double", "slate",
];
const PATHS: [&str; 10] = [
    "the badger sett",
    "the sluice",
    "the nuttery",
    "the sheepfold",
    "the ice house",
    "the bluebell wood",
    "the railway cutting",
    "the charcoal pit",
    "the holly copse",
    "the parsonage",
];
const ROSETTES: [&str; 10] = [
    "crimson",
    "turquoise",
    "lilac",
    "maroon",
    "saffron",
    "emerald",
    "ivory",
    "bronze",
    "indigo",
    "peach",
];
const WINNERS: [&str; 10] = [
    "the plumpest marrow",
    "the straightest leek",
    "the loudest gander",
    "the fluffiest rabbit",
    "the curliest ram",
    "the neatest haystack",
    "the cleanest pig",
    "the heaviest onion",
    "the best moustache",
    "the slowest tortoise",
];
const TANKARDS: [&str; 10] = [
    "lidded",
    "glass-bottomed",
    "stoneware",
    "horn",
    "embossed",
    "two-handled",
    "copper-bound",
    "monogrammed",
    "leaky",
    "silvered",
];
const TAPS: [&str; 10] = [
    "the Cross Keys",
    "the Barley Mow",
    "the Eight Bells",
    "the Rising Sun",
    "the Black Swan",
    "the Green Man",
    "the Jolly Sailor",
    "the Packhorse",
    "the Quiet Woman",
    "the Woolpack",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: CHURNS,
        second: FARMS,
        title: "{0} milk churn from {1}",
        text: "The {0} milk churn from {1} holds {n} litres and was made {m} months ago.",
        keywords: "milk churns",
    },
    Kind {
        first: MOULDS,
        second: MAIDS,
        title: "{0} butter mould of {1}",
        text: "The {0} butter mould of {1} presses {m} grams and has {n} notches.",
        keywords: "butter moulds",
    },
    Kind {
        first: COWS,
        second: ALPS,
        title: "Cowbell of {0} on {1}",
        text: "The cowbell of {0} on {1} weighs {m} grams and is heard {n} fences away.",
        keywords: "cowbells",
    },
    Kind {
        first: HASSOCKS,
        second: PEWS,
        title: "{0} hassock in the {1} pew",
        text: "The {0} hassock in the {1} pew took {n} skeins and {m} evenings.",
        keywords: "hassocks",
    },
    Kind {
        first: SIGNS,
        second: HAMLETS,
        title: "Sign of the {0} in {1}",
        text: "The sign of the {0} in {1} is {m} centimetres tall and {n} years old.",
        keywords: "inn signs",
    },
    Kind {
        first: SPOTS,
        second: ROADS,
        title: "Milestone by {0} on the {1} road",
        text: "The milestone by {0} on the {1} road says {n} miles and is {m} centimetres high.",
        keywords: "milestones",
    },
    Kind {
        first: CUPS,
        second: GUESTS,
        title: "{0} egg cup of {1}",
        text: "The {0} egg cup of {1} is {n} millimetres wide and was glued {m} days ago.",
        keywords: "egg cups",
    },
    Kind {
        first: STILES,
        second: PATHS,
        title: "{0} stile by {1}",
        text: "The {0} stile by {1} is number {n} on the map, {m} steps from the next gate.",
        keywords: "stiles",
    },
    Kind {
        first: ROSETTES,
        second: WINNERS,
        title: "{0} rosette for {1}",
        text: "The {0} rosette for {1} has {n} pleats and {m} millimetres of ribbon.",
        keywords: "rosettes",
    },
    Kind {
        first: TANKARDS,
        second: TAPS,
        title: "{0} tankard at {1}",
        text: "The {0} tankard at {1} holds {m} millilitres and hangs on nail {n}.",
        keywords: "tankards",
    },
];

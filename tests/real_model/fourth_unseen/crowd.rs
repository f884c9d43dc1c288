//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const BUTTERFLIES: [&str; 10] = [
    "peacock butterfly",
    "brimstone",
    "orange tip",
    "swallowtail",
    "comma",
    "ringlet",
    "small copper",
    "red admiral",
    "painted lady",
    "holly blue",
];
const ISLANDS: [&str; 10] = [
    "Texel", "Öland", "Skye", "Elba", "Hiiumaa", "Madeira", "Rügen", "Naxos", "Gozo", "Sylt",
];
const NAMES: [&str; 10] = [
    "Anouk", "Bartek", "Carmela", "Detlef", "Evgenia", "Fintan", "Gudrun", "Hiroshi", "Iveta",
    "Joachim",
];
const PASTIMES: [&str; 10] = [
    "origami",
    "juggling",
    "embroidery",
    "parkour",
    "sudoku",
    "calligraphy",
    "ventriloquism",
    "magic tricks",
    "unicycling",
    "whittling",
];
const SPICES: [&str; 10] = [
    "cumin",
    "saffron",
    "paprika",
    "cardamom",
    "turmeric",
    "nutmeg",
    "sumac",
    "cloves",
    "fenugreek",
    "star anise",
];
const CITIES: [&str; 10] = [
    "Lyon", "Tampere", "Kraków", "Seville", "Basel", "Leeds", "Zadar", "Bari", "Odense", "Maribor",
];
const LAMPS: [&str; 10] = [
    "desk lamp",
    "oil lamp",
    "chandelier",
    "spotlight",
    "fairy lights",
    "wall lamp",
    "floor lamp",
    "reading lamp",
    "neon tube",
    "night light",
];
const ROOMS: [&str; 10] = [
    "nursery",
    "pantry",
    "corridor",
    "guest room",
    "boiler room",
    "sewing room",
    "winter garden",
    "garage",
    "waiting room",
    "gallery",
];
const MUSEUMS: [&str; 10] = [
    "stamp museum",
    "toy museum",
    "planetarium",
    "sculpture park",
    "wax museum",
    "botanical garden",
    "shipping museum",
    "mining museum",
    "clock museum",
    "glass museum",
];
const STREETS: [&str; 10] = [
    "Linden Road",
    "Mill Street",
    "Harbour Lane",
    "Castle Hill",
    "Abbey Close",
    "Orchard Way",
    "Bridge Street",
    "Chapel Row",
    "Market Square",
    "Station Road",
];
const TREES: [&str; 10] = [
    "ginkgo",
    "plane tree",
    "hornbeam",
    "rowan",
    "sequoia",
    "mulberry",
    "tulip tree",
    "black locust",
    "service tree",
    "Judas tree",
];
const COUNTRIES: [&str; 10] = [
    "Peru", "Samoa", "Iceland", "Malta", "Nepal", "Ghana", "Chile", "Jordan", "Laos", "Fiji",
];
const MOTIFS: [&str; 10] = [
    "lighthouse",
    "parrot",
    "steam engine",
    "orchid",
    "king",
    "bridge",
    "whale",
    "volcano",
    "frigate",
    "moth",
];
const MOUNTAINS: [&str; 10] = [
    "Säntis",
    "Triglav",
    "Ortler",
    "Watzmann",
    "Ben Nevis",
    "Galdhøpiggen",
    "Musala",
    "Rysy",
    "Olympus",
    "Teide",
];
const TOOLS: [&str; 10] = [
    "chisel",
    "rasp",
    "block plane",
    "spirit level",
    "mallet",
    "handsaw",
    "bradawl",
    "bar clamp",
    "hacksaw",
    "crowbar",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: BUTTERFLIES,
        second: ISLANDS,
        title: "{0} on {1}",
        text: "Counted the {0} {n} times on {1}; the best picture is number {m}.",
        keywords: "butterflies",
    },
    Kind {
        first: NAMES,
        second: PASTIMES,
        title: "{1} with {0}",
        text: "{0} has done {1} for {n} months and has spent {m} euros on it.",
        keywords: "pastimes",
    },
    Kind {
        first: SPICES,
        second: CITIES,
        title: "{0} from {1}",
        text: "The {0} from {1} cost {m} cents for ten grams, the jar holds {n} grams.",
        keywords: "spices",
    },
    Kind {
        first: LAMPS,
        second: ROOMS,
        title: "{0} in the {1}",
        text: "The {0} in the {1} draws {n} watts and hangs {m} centimetres above the floor.",
        keywords: "lamps",
    },
    Kind {
        first: MUSEUMS,
        second: CITIES,
        title: "{0} in {1}",
        text: "The {0} in {1} has {m} exhibits, a tour takes {n} minutes.",
        keywords: "museums",
    },
    Kind {
        first: NAMES,
        second: STREETS,
        title: "{0}, {1}",
        text: "{0} lives at {1} {n}; the letter box is number {m}.",
        keywords: "addresses",
    },
    Kind {
        first: TREES,
        second: STREETS,
        title: "{0} in {1}",
        text: "The {0} in {1} is {n} years old and {m} decimetres round.",
        keywords: "trees",
    },
    Kind {
        first: COUNTRIES,
        second: MOTIFS,
        title: "{0} stamp with {1}",
        text: "The stamp of {0} with the {1} is on page {n} of the album and worth {m} cents.",
        keywords: "stamps",
    },
    Kind {
        first: MOUNTAINS,
        second: NAMES,
        title: "{1} on {0}",
        text: "{1} climbed {0} in {m} minutes and took {n} pictures at the top.",
        keywords: "mountains",
    },
    Kind {
        first: TOOLS,
        second: NAMES,
        title: "{0} of {1}",
        text: "The {0} of {1} hangs on hook {n} and was {m} euros new.",
        keywords: "tools",
    },
];

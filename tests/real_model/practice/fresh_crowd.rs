//! A thousand notes of a household and its circle that are of no matter.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const NAMES: [&str; 10] = [
    "Adaeze",
    "Bjarne",
    "Clémence",
    "Davor",
    "Eilidh",
    "Fatou",
    "Gregor",
    "Hiroko",
    "Isolde",
    "Janek",
];
const CITIES: [&str; 10] = [
    "Basel", "Dijon", "Galway", "Havre", "Izmir", "Krakow", "Malmö", "Ostend", "Parma", "Riga",
];
const TOOLS: [&str; 10] = [
    "spirit level",
    "hand saw",
    "wheelbarrow",
    "spade",
    "angle grinder",
    "staple gun",
    "hedge trimmer",
    "glue clamp",
    "pressure washer",
    "soldering iron",
];
const ROOMS: [&str; 10] = [
    "bathroom",
    "nursery",
    "pantry",
    "corridor",
    "guest room",
    "veranda",
    "larder",
    "landing",
    "sunroom",
    "box room",
];
const MEALS: [&str; 10] = [
    "lasagne",
    "dumplings",
    "chowder",
    "omelette",
    "gratin",
    "stew",
    "pilaf",
    "frittata",
    "casserole",
    "tart",
];
const FOODS: [&str; 10] = [
    "cabbage",
    "salmon",
    "aubergine",
    "parsnip",
    "bacon",
    "kale",
    "prawns",
    "sweetcorn",
    "tofu",
    "celery",
];
const FLOWERS: [&str; 10] = [
    "lupin", "aster", "iris", "lavender", "sage", "cosmos", "hosta", "yarrow", "phlox", "thrift",
];
const BEDS: [&str; 10] = [
    "front bed",
    "herb spiral",
    "raised bed",
    "rock garden",
    "lower terrace",
    "stone trough",
    "shade border",
    "cutting bed",
    "long border",
    "orchard edge",
];
const CLUBS: [&str; 10] = [
    "chess club",
    "choir",
    "tennis club",
    "sailing school",
    "debating circle",
    "quiz team",
    "walking group",
    "pottery class",
    "drama society",
    "Spanish course",
];
const SEASONS: [&str; 10] = [
    "week 3", "week 8", "week 11", "week 15", "week 20", "week 24", "week 29", "week 36",
    "week 41", "week 50",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: NAMES,
        second: CITIES,
        title: "Visit to {0} in {1}",
        text: "{0} lives in {1}, {n} minutes from the station; the ticket is {m} euros.",
        keywords: "travel",
    },
    Kind {
        first: TOOLS,
        second: ROOMS,
        title: "{0} for the {1}",
        text: "The {0} for the {1} is on hook {n}; a new one is {m} euros.",
        keywords: "tools",
    },
    Kind {
        first: MEALS,
        second: FOODS,
        title: "{0} with {1}",
        text: "Bake the {0} with {m} grams of {1} for {n} minutes and let it rest.",
        keywords: "recipe",
    },
    Kind {
        first: FLOWERS,
        second: BEDS,
        title: "{0} in the {1}",
        text: "The {0} in the {1} flowers for {n} days and is cut back to {m} millimetres.",
        keywords: "garden",
    },
    Kind {
        first: CLUBS,
        second: SEASONS,
        title: "{0} in {1}",
        text: "In {1} the {0} met with {n} members; the room was {m} euros.",
        keywords: "clubs",
    },
    Kind {
        first: NAMES,
        second: TOOLS,
        title: "{1} borrowed from {0}",
        text: "The {1} belongs to {0} and goes back in {n} days.",
        keywords: "borrowed",
    },
    Kind {
        first: ROOMS,
        second: SEASONS,
        title: "{0} tidied in {1}",
        text: "In {1} we tidied the {0} and filled {n} bags in {m} minutes.",
        keywords: "house",
    },
    Kind {
        first: NAMES,
        second: MEALS,
        title: "{1} as {0} makes it",
        text: "{0} makes the {1} with {n} grams of butter and serves it after {m} minutes.",
        keywords: "recipe",
    },
    Kind {
        first: CITIES,
        second: CLUBS,
        title: "Outing of the {1} to {0}",
        text: "The {1} went to {0} with {n} people; the coach was {m} euros.",
        keywords: "outings",
    },
    Kind {
        first: FOODS,
        second: ROOMS,
        title: "Stock of {0}, {1}",
        text: "There are {n} portions of {0} in the {1}, to be used up in {m} days.",
        keywords: "stores",
    },
];

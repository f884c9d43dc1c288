//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const TOWNS: [&str; 10] = [
    "Ghent", "Turku", "Graz", "Cork", "Leiden", "Brno", "Narvik", "Lucca", "Split", "Aarhus",
];
const PEOPLE: [&str; 10] = [
    "Marlene", "Tarek", "Sunniva", "Dario", "Ottilie", "Kwame", "Freja", "Ilkka", "Bettina",
    "Rafael",
];
const THINGS: [&str; 10] = [
    "dishwasher",
    "lawn mower",
    "sewing machine",
    "projector",
    "heater",
    "tent",
    "trailer",
    "freezer",
    "telescope",
    "coffee grinder",
];
const PLACES: [&str; 10] = [
    "cellar",
    "attic",
    "workshop",
    "laundry",
    "studio",
    "allotment",
    "club house",
    "office",
    "summer house",
    "carport",
];
const MONTHS: [&str; 10] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "September",
    "October",
    "November",
    "December",
];
const DISHES: [&str; 10] = [
    "risotto", "goulash", "curry", "quiche", "ramen", "strudel", "paella", "borscht", "tagine",
    "pierogi",
];
const EXTRAS: [&str; 10] = [
    "mushrooms",
    "leek",
    "pumpkin",
    "spinach",
    "fennel",
    "chickpeas",
    "apples",
    "beetroot",
    "lentils",
    "peas",
];
const PLANTS: [&str; 10] = [
    "clematis", "hazel", "quince", "peony", "wisteria", "currant", "dahlia", "juniper", "foxglove",
    "rhubarb",
];
const SPOTS: [&str; 10] = [
    "by the pond",
    "at the fence",
    "under the window",
    "behind the compost",
    "near the gate",
    "along the path",
    "in the big tub",
    "on the slope",
    "beside the bench",
    "at the wall",
];
const GROUPS: [&str; 10] = [
    "parents' council",
    "bird watchers",
    "theatre group",
    "cycling club",
    "house meeting",
    "film circle",
    "running group",
    "repair cafe",
    "band",
    "fire brigade",
];
const AUTHORS: [&str; 10] = [
    "Lagerlöf",
    "Eliot",
    "Calvino",
    "Achebe",
    "Undset",
    "Lem",
    "Woolf",
    "Saramago",
    "Storm",
    "Sand",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: TOWNS,
        second: MONTHS,
        title: "{0} in {1}",
        text: "A weekend in {0} in {1}: the room costs {m} euros, the museum is closed on Mondays.",
        keywords: "travel",
    },
    Kind {
        first: THINGS,
        second: PLACES,
        title: "{0} in the {1}",
        text: "The {0} in the {1} was bought in a sale; its receipt is in folder {n}.",
        keywords: "house",
    },
    Kind {
        first: DISHES,
        second: EXTRAS,
        title: "{0} with {1}",
        text: "For {0} with {1} take {m} grams of {1} and leave it on the stove for {n} minutes.",
        keywords: "recipe",
    },
    Kind {
        first: PLANTS,
        second: SPOTS,
        title: "{0} {1}",
        text: "The {0} {1} is {m} centimetres high and gets {n} litres a week in summer.",
        keywords: "garden",
    },
    Kind {
        first: GROUPS,
        second: MONTHS,
        title: "{0}, {1}",
        text: "The {0} met in {1}; {n} came, and {m} euros are in the till.",
        keywords: "clubs",
    },
    Kind {
        first: PEOPLE,
        second: TOWNS,
        title: "{0} in {1}",
        text: "{0} has moved to {1}, house number {n}, and has room for two guests.",
        keywords: "people",
    },
    Kind {
        first: PEOPLE,
        second: THINGS,
        title: "{1} lent to {0}",
        text: "{0} has our {1} and gives it back after {n} days.",
        keywords: "lent",
    },
    Kind {
        first: AUTHORS,
        second: PEOPLE,
        title: "{0} for {1}",
        text: "{1} wants to read {0}; the second-hand shop has it for {n} euros, shelf {m}.",
        keywords: "books",
    },
    Kind {
        first: THINGS,
        second: MONTHS,
        title: "{0} serviced in {1}",
        text: "The {0} was serviced in {1} for {m} euros, the next time is in {n} months.",
        keywords: "repairs",
    },
    Kind {
        first: PLACES,
        second: EXTRAS,
        title: "{1} from the {0}",
        text: "There are {n} jars with {1} on the shelf in the {0}, made {m} days ago.",
        keywords: "stores",
    },
];

//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const BIRDS: [&str; 10] = [
    "heron",
    "grebe",
    "teal",
    "coot",
    "osprey",
    "bittern",
    "goosander",
    "lapwing",
    "snipe",
    "swan",
];
const LAKES: [&str; 10] = [
    "Vättern", "Bled", "Orta", "Müritz", "Saimaa", "Annecy", "Ohrid", "Tegern", "Inari", "Derwent",
];
const NAMES: [&str; 10] = [
    "Aurelia", "Benoit", "Chidi", "Daphne", "Eskil", "Fatou", "Gerwin", "Halina", "Isandro",
    "Jolanda",
];
const SPORTS: [&str; 10] = [
    "badminton",
    "judo",
    "hockey",
    "skating",
    "diving",
    "boxing",
    "golf",
    "tennis",
    "karate",
    "polo",
];
const WOODS: [&str; 10] = [
    "oak", "ash", "larch", "walnut", "cherry", "pine", "maple", "elm", "birch", "alder",
];
const FURNITURE: [&str; 10] = [
    "bench",
    "bookcase",
    "stool",
    "cradle",
    "chest",
    "table",
    "coat rack",
    "bed frame",
    "cupboard",
    "desk",
];
const FABRICS: [&str; 10] = [
    "linen", "velvet", "corduroy", "flannel", "denim", "silk", "tweed", "jersey", "felt", "satin",
];
const COLOURS: [&str; 10] = [
    "blue",
    "mustard",
    "crimson",
    "grey",
    "olive",
    "ivory",
    "turquoise",
    "plum",
    "rust",
    "black",
];
const INSTRUMENTS: [&str; 10] = [
    "viola",
    "clarinet",
    "accordion",
    "harp",
    "trombone",
    "mandolin",
    "oboe",
    "zither",
    "marimba",
    "cornet",
];
const CITIES: [&str; 10] = [
    "Malmö", "Padua", "Nantes", "Gdynia", "Bruges", "Coimbra", "Linz", "Vilnius", "Galway",
    "Rostock",
];
const SHOPS: [&str; 10] = [
    "antique shop",
    "cheesemonger",
    "print shop",
    "florist",
    "cobbler",
    "record shop",
    "tea house",
    "watchmaker",
    "tailor",
    "ice-cream parlour",
];
const SUBJECTS: [&str; 10] = [
    "chemistry",
    "history",
    "Latin",
    "geometry",
    "biology",
    "physics",
    "drawing",
    "economics",
    "grammar",
    "geography",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: BIRDS,
        second: LAKES,
        title: "{0} at lake {1}",
        text: "Saw a {0} at lake {1}, {n} metres from the shore, picture number {m}.",
        keywords: "birds",
    },
    Kind {
        first: NAMES,
        second: SPORTS,
        title: "{0} and {1}",
        text: "{0} goes to {1} in a group of {n}; the fee is {m} euros a year.",
        keywords: "sport",
    },
    Kind {
        first: WOODS,
        second: FURNITURE,
        title: "{1} of {0}",
        text: "The {1} of {0} took {n} hours, the boards came to {m} euros.",
        keywords: "woodwork",
    },
    Kind {
        first: FABRICS,
        second: COLOURS,
        title: "{1} {0}",
        text: "Of the {1} {0} there are {m} centimetres left; it is in bag {n}.",
        keywords: "sewing",
    },
    Kind {
        first: NAMES,
        second: INSTRUMENTS,
        title: "{1} of {0}",
        text: "The {1} of {0} is insured for {m} euros, policy page {n}.",
        keywords: "music",
    },
    Kind {
        first: CITIES,
        second: SHOPS,
        title: "{1} in {0}",
        text: "A good {1} in {0} is at number {n}, ten minutes from the station by tram {m}.",
        keywords: "shops",
    },
    Kind {
        first: SUBJECTS,
        second: NAMES,
        title: "{0} test of {1}",
        text: "{1} got {n} points in the {0} test; the next chapter starts on page {m}.",
        keywords: "school",
    },
    Kind {
        first: LAKES,
        second: SPORTS,
        title: "{1} by lake {0}",
        text: "The {1} club by lake {0} has {m} members and takes guests for {n} euros.",
        keywords: "clubs",
    },
    Kind {
        first: FURNITURE,
        second: CITIES,
        title: "{0} from {1}",
        text: "The {0} from {1} is {m} centimetres wide and was delivered after {n} days.",
        keywords: "furniture",
    },
    Kind {
        first: SHOPS,
        second: NAMES,
        title: "{1} at the {0}",
        text: "{1} works at the {0} and gives us {n} percent off until week {m}.",
        keywords: "people",
    },
];

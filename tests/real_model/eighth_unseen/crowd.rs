//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const BIRDS: [&str; 10] = [
    "teals",
    "wigeons",
    "coots",
    "goosanders",
    "grebes",
    "storks",
    "curlews",
    "ospreys",
    "bitterns",
    "lapwings",
];
const LAKES: [&str; 10] = [
    "Balaton",
    "Orta",
    "Vänern",
    "Annecy",
    "Windermere",
    "Prespa",
    "Bled",
    "Inari",
    "Constance",
    "Ohrid",
];
const FABRICS: [&str; 10] = [
    "linen", "corduroy", "felt", "denim", "velvet", "muslin", "tweed", "satin", "jersey", "canvas",
];
const COLOURS: [&str; 10] = [
    "ochre",
    "turquoise",
    "crimson",
    "ivory",
    "navy",
    "olive",
    "lilac",
    "charcoal",
    "mustard",
    "coral",
];
const PEOPLE: [&str; 10] = [
    "Anselm", "Birgit", "Cedric", "Delphine", "Emre", "Fiona", "Goran", "Halina", "Ivo", "Josefa",
];
const EXERCISES: [&str; 10] = [
    "squats",
    "lunges",
    "planks",
    "push-ups",
    "burpees",
    "sit-ups",
    "pull-ups",
    "star jumps",
    "bridges",
    "calf raises",
];
const CHEESES: [&str; 10] = [
    "Gouda",
    "Comté",
    "Manchego",
    "Stilton",
    "Taleggio",
    "Havarti",
    "Raclette",
    "Pecorino",
    "Brie",
    "Wensleydale",
];
const VILLAGES: [&str; 10] = [
    "Oberau",
    "Fossheim",
    "Llanrwst",
    "Castelrotto",
    "Monreal",
    "Zuoz",
    "Hallstatt",
    "Portree",
    "Ribe",
    "Conques",
];
const TREES: [&str; 10] = [
    "hornbeam",
    "alder",
    "rowan",
    "plane tree",
    "hazel",
    "aspen",
    "walnut tree",
    "medlar",
    "yew",
    "chestnut tree",
];
const STREETS: [&str; 10] = [
    "Tanner Row",
    "Station Road",
    "Weaver Lane",
    "Harbour Street",
    "Mill Bank",
    "Church Hill",
    "North Quay",
    "Castle Walk",
    "Orchard Close",
    "Foundry Square",
];
const COUNTRIES: [&str; 10] = [
    "Iceland", "Peru", "Ghana", "Latvia", "Nepal", "Cuba", "Malta", "Oman", "Chile", "Laos",
];
const MOTIFS: [&str; 10] = [
    "sailing ship",
    "volcano",
    "orchid",
    "queen",
    "locomotive",
    "parrot",
    "bridge",
    "astronaut",
    "waterfall",
    "cathedral",
];
const WOODS: [&str; 10] = [
    "oak", "beech", "maple", "larch", "cherry", "elm", "birch", "teak", "poplar", "spruce",
];
const PARTS: [&str; 10] = [
    "table leg",
    "stair tread",
    "drawer front",
    "bed rail",
    "picture frame",
    "door panel",
    "bench seat",
    "lamp base",
    "bowl blank",
    "tool handle",
];
const SUBJECTS: [&str; 10] = [
    "geography",
    "algebra",
    "chemistry",
    "Latin",
    "history",
    "biology",
    "drama",
    "physics",
    "economics",
    "civics",
];
const MONTHS: [&str; 10] = [
    "January",
    "February",
    "March",
    "April",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
];
const DISHES: [&str; 10] = [
    "lasagne", "goulash", "pilaf", "ramen", "moussaka", "chowder", "dal", "risotto", "borscht",
    "tagine",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: BIRDS,
        second: LAKES,
        title: "{0} at Lake {1}",
        text: "Counted {m} {0} at Lake {1} in {n} minutes, most of them near the reeds.",
        keywords: "birds",
    },
    Kind {
        first: FABRICS,
        second: COLOURS,
        title: "{0} in {1}",
        text: "{m} centimetres of {1} {0} are left, folded in drawer {n}.",
        keywords: "fabrics",
    },
    Kind {
        first: PEOPLE,
        second: EXERCISES,
        title: "{1} of {0}",
        text: "{0} managed {n} {1} in a row and {m} over the whole week.",
        keywords: "fitness group",
    },
    Kind {
        first: CHEESES,
        second: VILLAGES,
        title: "{0} from {1}",
        text: "The {0} from {1} had ripened for {n} weeks; we bought {m} grams.",
        keywords: "cheese",
    },
    Kind {
        first: TREES,
        second: STREETS,
        title: "{0} in {1}",
        text: "The {0} in {1} measures {m} centimetres around and has tag {n}.",
        keywords: "trees, town",
    },
    Kind {
        first: COUNTRIES,
        second: MOTIFS,
        title: "Stamp from {0} with a {1}",
        text: "The {1} from {0} is on page {n} of the album, catalogue number {m}.",
        keywords: "stamps",
    },
    Kind {
        first: WOODS,
        second: PARTS,
        title: "{1} of {0}",
        text: "The {1} of {0} is {m} millimetres long and was sanded for {n} minutes.",
        keywords: "joinery",
    },
    Kind {
        first: PEOPLE,
        second: SUBJECTS,
        title: "{1} homework of {0}",
        text: "{0} has done {n} of the {1} exercises, up to page {m}.",
        keywords: "tutoring",
    },
    Kind {
        first: VILLAGES,
        second: MONTHS,
        title: "Rain at {0} in {1}",
        text: "{m} millimetres of rain fell at {0} in {1} over {n} hours.",
        keywords: "weather",
    },
    Kind {
        first: DISHES,
        second: PEOPLE,
        title: "{0} by {1}",
        text: "{1} cooked {0} for {n} minutes, with {m} grams of onions.",
        keywords: "cooking club",
    },
];

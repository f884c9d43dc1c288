//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const FOSSILS: [&str; 10] = [
    "ammonite",
    "trilobite",
    "belemnite",
    "sea lily",
    "shark tooth",
    "fern leaf",
    "brachiopod",
    "coral stem",
    "sea urchin",
    "dragonfly wing",
];
const QUARRIES: [&str; 10] = [
    "Solnhofen",
    "Lyme Regis",
    "Holzmaden",
    "Whitby",
    "Gotland",
    "Bundenbach",
    "Monte Bolca",
    "Messel",
    "Burgess Pass",
    "Eggenburg",
];
const NAMES: [&str; 10] = [
    "Alastair", "Birgitta", "Consuelo", "Dimitri", "Eleni", "Florent", "Grażyna", "Hendrik",
    "Ingeborg", "Jarmila",
];
const TONGUES: [&str; 10] = [
    "Welsh",
    "Basque",
    "Finnish",
    "Swahili",
    "Hungarian",
    "Korean",
    "Icelandic",
    "Turkish",
    "Maltese",
    "Georgian",
];
const TEAS: [&str; 10] = [
    "rooibos",
    "oolong",
    "lapsang",
    "sencha",
    "peppermint tea",
    "chamomile",
    "assam",
    "jasmine tea",
    "mate",
    "white tea",
];
const TOWNS: [&str; 10] = [
    "Ghent", "Trieste", "Bergen", "Lublin", "Graz", "Porvoo", "Cádiz", "Delft", "Rouen", "Sibiu",
];
const PLANTS: [&str; 10] = [
    "rubber plant",
    "monstera",
    "aloe",
    "spider plant",
    "ivy",
    "bonsai",
    "orchid",
    "cactus",
    "peace lily",
    "begonia",
];
const SILLS: [&str; 10] = [
    "kitchen window",
    "bathroom window",
    "landing",
    "conservatory",
    "porch",
    "attic window",
    "stairwell",
    "study",
    "south balcony",
    "north balcony",
];
const FILMS: [&str; 10] = [
    "silent film",
    "western",
    "heist film",
    "musical",
    "ghost film",
    "road movie",
    "spy film",
    "cartoon",
    "war film",
    "nature film",
];
const CINEMAS: [&str; 10] = [
    "Capitol", "Odeon", "Rex", "Lumière", "Scala", "Apollo", "Astoria", "Metropol", "Gloria",
    "Palast",
];
const CHEESES: [&str; 10] = [
    "goat's cheese",
    "blue cheese",
    "raclette",
    "smoked cheese",
    "gouda",
    "pecorino",
    "brie",
    "cheddar",
    "halloumi",
    "ricotta",
];
const CARDS: [&str; 10] = [
    "pier",
    "cathedral",
    "cable car",
    "old bridge",
    "windmill",
    "harbour crane",
    "fountain",
    "town hall",
    "tram",
    "city gate",
];
const YARNS: [&str; 10] = [
    "merino",
    "alpaca",
    "mohair",
    "cotton yarn",
    "linen yarn",
    "silk yarn",
    "cashmere",
    "hemp yarn",
    "bamboo yarn",
    "angora",
];
const KNITS: [&str; 10] = [
    "cardigan",
    "scarf",
    "mittens",
    "beanie",
    "shawl",
    "pullover",
    "leg warmers",
    "tea cosy",
    "poncho",
    "blanket",
];
const GAMES: [&str; 10] = [
    "Skat",
    "Carcassonne",
    "backgammon",
    "dominoes",
    "mahjong",
    "canasta",
    "Go",
    "rummy",
    "cribbage",
    "Ludo",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: FOSSILS,
        second: QUARRIES,
        title: "{0} from {1}",
        text: "The {0} from {1} is {n} mm long and lies in tray {m}.",
        keywords: "fossils",
    },
    Kind {
        first: NAMES,
        second: TONGUES,
        title: "{1} with {0}",
        text: "{0} has been learning {1} for {n} weeks and knows {m} words by now.",
        keywords: "languages",
    },
    Kind {
        first: TEAS,
        second: TOWNS,
        title: "{0} from {1}",
        text: "The {0} from {1} has {n} bags left, a new tin is {m} cents cheaper online.",
        keywords: "tea",
    },
    Kind {
        first: PLANTS,
        second: SILLS,
        title: "{0}, {1}",
        text: "The {0} at the {1} is {n} cm tall and gets {m} ml of water.",
        keywords: "houseplants",
    },
    Kind {
        first: FILMS,
        second: CINEMAS,
        title: "{0} at the {1}",
        text: "The {0} at the {1} ran for {m} minutes, we sat in row {n}.",
        keywords: "cinema",
    },
    Kind {
        first: CHEESES,
        second: TOWNS,
        title: "{0} of {1}",
        text: "The {0} of {1} ripens for {n} days and weighs {m} grams a piece.",
        keywords: "cheese",
    },
    Kind {
        first: CARDS,
        second: TOWNS,
        title: "Postcard of the {0}, {1}",
        text: "The postcard of the {0} in {1} is in box {n}, posted with stamp {m}.",
        keywords: "postcards",
    },
    Kind {
        first: YARNS,
        second: KNITS,
        title: "{1} in {0}",
        text: "The {1} in {0} needs {m} grams and is knitted on {n} stitches.",
        keywords: "knitting",
    },
    Kind {
        first: GAMES,
        second: NAMES,
        title: "{0} against {1}",
        text: "Against {1} in {0}: {n} games won, {m} points lost.",
        keywords: "games",
    },
    Kind {
        first: NAMES,
        second: CINEMAS,
        title: "{0} works at the {1}",
        text: "{0} works at the {1}, {n} hours a month, locker {m}.",
        keywords: "cinema, people",
    },
];

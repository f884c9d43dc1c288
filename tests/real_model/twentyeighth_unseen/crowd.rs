//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const TEAS: [&str; 10] = [
    "Assam",
    "Ceylon",
    "Darjeeling",
    "Earl Grey",
    "rooibos",
    "sencha",
    "oolong",
    "lapsang",
    "matcha",
    "peppermint",
];
const TEA_SHOPS: [&str; 10] = [
    "Mandelbaum",
    "the Samovar",
    "Whitlock",
    "Tang and Sons",
    "the Leaf House",
    "Okakura",
    "Dalloway",
    "the Caddy",
    "Ferrand",
    "Nordström",
];
const LOCOMOTIVES: [&str; 10] = [
    "Crocodile",
    "Flying Scotsman",
    "Mallard",
    "Big Boy",
    "Glass Train",
    "Hercules",
    "Rocket",
    "Bavarian S 3",
    "Pacific",
    "Krauss",
];
const LAYOUTS: [&str; 10] = [
    "attic layout",
    "club layout",
    "harbour layout",
    "moor layout",
    "alpine layout",
    "brickyard layout",
    "winter layout",
    "coal mine layout",
    "suburb layout",
    "border layout",
];
const STAMPS: [&str; 10] = [
    "blue heron",
    "red crown",
    "steamship",
    "olive branch",
    "post horn",
    "airmail eagle",
    "harvest",
    "queen's head",
    "volcano",
    "fern",
];
const COUNTRIES: [&str; 10] = [
    "Bolivia",
    "Ceylon 1938",
    "Denmark",
    "Estonia",
    "Fiji",
    "Gambia",
    "Hungary",
    "Iceland",
    "Malta",
    "Nepal",
];
const APPLES: [&str; 10] = [
    "Blenheim Orange",
    "Cox",
    "Boskoop",
    "Egremont Russet",
    "Gravenstein",
    "Ribston Pippin",
    "Bramley",
    "Calville Blanc",
    "Jonagold",
    "Ashmead's Kernel",
];
const ORCHARDS: [&str; 10] = [
    "the rectory",
    "Nether Farm",
    "the old school",
    "Quarry Lane",
    "Pound Close",
    "the hospice",
    "Withy Bottom",
    "the station yard",
    "Monksmead",
    "Upper Lea",
];
const BREEDS: [&str; 10] = [
    "beagle",
    "border collie",
    "dachshund",
    "greyhound",
    "Irish setter",
    "whippet",
    "Airedale",
    "poodle",
    "corgi",
    "labrador",
];
const OBSTACLES: [&str; 10] = [
    "seesaw",
    "tunnel",
    "slalom",
    "A-frame",
    "hoop",
    "long jump",
    "dog walk",
    "pause table",
    "wall",
    "double hurdle",
];
const CLOUDS: [&str; 10] = [
    "altocumulus",
    "cirrus",
    "mammatus",
    "lenticular cloud",
    "shelf cloud",
    "fallstreak hole",
    "cumulus",
    "stratus",
    "halo",
    "roll cloud",
];
const HILLS: [&str; 10] = [
    "Barrow Hill",
    "Cold Fell",
    "Eagle Crag",
    "Grey Tor",
    "High Pike",
    "Long Ridge",
    "Mickle Fell",
    "Raven Scar",
    "Stone Down",
    "Windy Knoll",
];
const SOAPS: [&str; 10] = [
    "lavender",
    "rosemary",
    "charcoal",
    "oatmeal",
    "honey",
    "pine tar",
    "lemon verbena",
    "cedar",
    "geranium",
    "sea salt",
];
const MOULDS: [&str; 10] = [
    "loaf mould",
    "shell mould",
    "heart mould",
    "round mould",
    "bar mould",
    "rose mould",
    "leaf mould",
    "star mould",
    "column mould",
    "egg mould",
];
const KNOTS: [&str; 10] = [
    "bowline",
    "clove hitch",
    "sheepshank",
    "figure of eight",
    "reef knot",
    "prusik",
    "turk's head",
    "monkey's fist",
    "sheet bend",
    "carrick bend",
];
const ROPES: [&str; 10] = [
    "hemp rope",
    "sisal rope",
    "cotton cord",
    "nylon cord",
    "jute twine",
    "climbing cord",
    "manila rope",
    "tarred marline",
    "paracord",
    "silk cord",
];
const SHELLS: [&str; 10] = [
    "cockle",
    "whelk",
    "limpet",
    "razor clam",
    "cowrie",
    "scallop",
    "top shell",
    "periwinkle",
    "auger shell",
    "oyster",
];
const COVES: [&str; 10] = [
    "Anstey's Cove",
    "Black Sands",
    "Cable Bay",
    "Dulas",
    "Ellary",
    "Gull Cove",
    "Hell's Mouth",
    "Kynance",
    "Oxwich",
    "Sandwood",
];
const GAMES: [&str; 10] = [
    "backgammon",
    "Carcassonne",
    "dominoes",
    "draughts",
    "Hive",
    "Mah-jong",
    "Nine Men's Morris",
    "Othello",
    "Scrabble",
    "Yahtzee",
];
const PLAYERS: [&str; 10] = [
    "Agathe",
    "Balthazar",
    "Cosima",
    "Dietmar",
    "Evander",
    "Felicity",
    "Gwendolen",
    "Horatio",
    "Ingeborg",
    "Jethro",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: TEAS,
        second: TEA_SHOPS,
        title: "{0} tea from {1}",
        text: "The {0} tea from {1} was {n} euros for {m} grams.",
        keywords: "tea tasting",
    },
    Kind {
        first: LOCOMOTIVES,
        second: LAYOUTS,
        title: "{0} on the {1}",
        text: "The {0} on the {1} pulls {n} axles, decoder address {m}.",
        keywords: "model railway",
    },
    Kind {
        first: STAMPS,
        second: COUNTRIES,
        title: "{0} stamp of {1}",
        text: "The {0} stamp of {1} is on album page {m}, perforation {n}.",
        keywords: "stamps",
    },
    Kind {
        first: APPLES,
        second: ORCHARDS,
        title: "{0} apples at {1}",
        text: "The {0} apples at {1} gave {n} baskets from tree {m}.",
        keywords: "orchards",
    },
    Kind {
        first: BREEDS,
        second: OBSTACLES,
        title: "{0} on the {1}",
        text: "The {0} on the {1} needed {n} seconds, start number {m}.",
        keywords: "dog agility",
    },
    Kind {
        first: CLOUDS,
        second: HILLS,
        title: "{0} over {1}",
        text: "The {0} over {1} lasted {n} minutes, frame {m}.",
        keywords: "cloud spotting",
    },
    Kind {
        first: SOAPS,
        second: MOULDS,
        title: "{0} soap from the {1}",
        text: "The {0} soap from the {1} cured {m} days and weighs {n} grams.",
        keywords: "soap making",
    },
    Kind {
        first: KNOTS,
        second: ROPES,
        title: "{0} in {1}",
        text: "The {0} in {1} took {n} tries and {m} centimetres.",
        keywords: "knots",
    },
    Kind {
        first: SHELLS,
        second: COVES,
        title: "{0} from {1}",
        text: "The {0} from {1} is {n} millimetres long, drawer {m}.",
        keywords: "shells",
    },
    Kind {
        first: GAMES,
        second: PLAYERS,
        title: "{0} against {1}",
        text: "The round of {0} against {1} went on for {n} minutes, {m} points.",
        keywords: "board games",
    },
];

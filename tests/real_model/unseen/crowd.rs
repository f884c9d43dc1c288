//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const MUSHROOMS: [&str; 10] = [
    "chanterelles",
    "ceps",
    "morels",
    "puffballs",
    "parasols",
    "russulas",
    "milk caps",
    "blewits",
    "oyster mushrooms",
    "ink caps",
];
const VALLEYS: [&str; 10] = [
    "Zillertal",
    "Engadin",
    "Wasdale",
    "Valsugana",
    "Ordesa",
    "Jostedal",
    "Bohinj",
    "Vésubie",
    "Glencoe",
    "Kiental",
];
const NAMES: [&str; 10] = [
    "Abel", "Branka", "Cosima", "Dmitri", "Elspeth", "Farid", "Gunnar", "Hedwig", "Ismael", "Jasna",
];
const GAMES: [&str; 10] = [
    "dominoes",
    "canasta",
    "backgammon",
    "mahjong",
    "rummy",
    "skat",
    "cribbage",
    "draughts",
    "whist",
    "yahtzee",
];
const TEAS: [&str; 10] = [
    "Assam",
    "Darjeeling",
    "oolong",
    "rooibos",
    "matcha",
    "lapsang",
    "genmaicha",
    "Keemun",
    "pu-erh",
    "Ceylon",
];
const CITIES: [&str; 10] = [
    "Utrecht", "Bergen", "Siena", "Toledo", "Kaunas", "Arles", "Trier", "Exeter", "Szeged", "Pula",
];
const MACHINES: [&str; 10] = [
    "laminator",
    "shredder",
    "projector",
    "label printer",
    "paper cutter",
    "time clock",
    "water cooler",
    "switchboard",
    "coffee grinder",
    "microwave",
];
const STONES: [&str; 10] = [
    "agate",
    "jasper",
    "onyx",
    "opal",
    "garnet",
    "topaz",
    "amber",
    "beryl",
    "quartz",
    "malachite",
];
const COMPOSERS: [&str; 10] = [
    "Telemann", "Purcell", "Grieg", "Bartók", "Ravel", "Dvořák", "Elgar", "Satie", "Holst",
    "Corelli",
];
const PIECES: [&str; 10] = [
    "sonata", "waltz", "suite", "overture", "serenade", "fugue", "minuet", "nocturne", "march",
    "rondo",
];
const KNOTS: [&str; 10] = [
    "bowline",
    "clove hitch",
    "sheet bend",
    "reef knot",
    "fisherman's bend",
    "half hitch",
    "stopper knot",
    "cat's paw",
    "prusik",
    "timber hitch",
];
const STARS: [&str; 10] = [
    "Orion",
    "Lyra",
    "Cygnus",
    "Cassiopeia",
    "Perseus",
    "Draco",
    "Pegasus",
    "Auriga",
    "Hydra",
    "Andromeda",
];
const LANGUAGES: [&str; 10] = [
    "Finnish",
    "Welsh",
    "Korean",
    "Swahili",
    "Basque",
    "Turkish",
    "Icelandic",
    "Catalan",
    "Georgian",
    "Maltese",
];
const PATHS: [&str; 10] = [
    "ridge path",
    "mill path",
    "chapel round",
    "gorge walk",
    "panorama way",
    "shepherds' track",
    "old salt road",
    "glacier trail",
    "larch round",
    "smugglers' way",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: MUSHROOMS,
        second: VALLEYS,
        title: "{0} in {1}",
        text: "Found {m} grams of {0} in {1}, {n} minutes from the car park.",
        keywords: "mushrooms",
    },
    Kind {
        first: NAMES,
        second: GAMES,
        title: "{1} with {0}",
        text: "{0} won {n} rounds of {1}, the highest score was {m}.",
        keywords: "games",
    },
    Kind {
        first: TEAS,
        second: CITIES,
        title: "{0} from {1}",
        text: "The {0} from {1} is in tin {n}; let it draw for {m} seconds.",
        keywords: "tea",
    },
    Kind {
        first: MACHINES,
        second: CITIES,
        title: "{0} at the {1} branch",
        text: "The {0} at the {1} branch has inventory number {m} and is looked after every {n} weeks.",
        keywords: "branches",
    },
    Kind {
        first: STONES,
        second: VALLEYS,
        title: "{0} found in {1}",
        text: "A piece of {0} from {1}, {n} grams, number {m} in the collection.",
        keywords: "stones",
    },
    Kind {
        first: COMPOSERS,
        second: PIECES,
        title: "{1} by {0}",
        text: "The {1} by {0} lasts {n} minutes; the score has {m} pages.",
        keywords: "music, scores",
    },
    Kind {
        first: KNOTS,
        second: NAMES,
        title: "{0} shown to {1}",
        text: "{1} learned the {0} in {n} minutes; it is on page {m} of the knot book.",
        keywords: "knots",
    },
    Kind {
        first: STARS,
        second: CITIES,
        title: "{0} over {1}",
        text: "{0} over {1}, {n} degrees above the roofs, exposed for {m} seconds.",
        keywords: "night sky",
    },
    Kind {
        first: NAMES,
        second: LANGUAGES,
        title: "{1} of {0}",
        text: "{0} has reached lesson {n} of the {1} course and knows {m} words.",
        keywords: "languages",
    },
    Kind {
        first: PATHS,
        second: VALLEYS,
        title: "{0} near {1}",
        text: "The {0} near {1} climbs {m} metres and takes {n} minutes to the bench.",
        keywords: "walks",
    },
];

//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const RUNNERS: [&str; 10] = [
    "Viggo", "Marisol", "Tobiah", "Annelie", "Kwame", "Petronel", "Sanjay", "Ottoline", "Radek",
    "Imogen",
];
const RUNS: [&str; 10] = [
    "harbour run",
    "night run",
    "colour run",
    "canal run",
    "forest run",
    "bridge run",
    "charity run",
    "hill run",
    "mud run",
    "new year run",
];
const FLAVOURS: [&str; 10] = [
    "pistachio",
    "stracciatella",
    "blackcurrant",
    "malaga",
    "yuzu",
    "hazelnut",
    "peach",
    "liquorice",
    "coconut",
    "elderflower",
];
const PARLOURS: [&str; 10] = [
    "Da Nino",
    "the kiosk",
    "Capri",
    "the dairy",
    "Polar",
    "the pier",
    "Fiocco",
    "the lido",
    "Gelato Blu",
    "the corner cart",
];
const KITES: [&str; 10] = [
    "box kite",
    "delta kite",
    "dragon kite",
    "stunt kite",
    "parafoil",
    "diamond kite",
    "sled kite",
    "owl kite",
    "ray kite",
    "cellular kite",
];
const BEACHES: [&str; 10] = [
    "Egmond",
    "Blåvand",
    "St Peter",
    "Fanø",
    "Camber",
    "Berck",
    "Tarifa",
    "Cuxhaven",
    "Zeebrugge",
    "Saltburn",
];
const ALBUMS: [&str; 10] = [
    "Lofoten",
    "the Azores",
    "Galicia",
    "Masuria",
    "Crete",
    "the Vosges",
    "Connemara",
    "Gotska",
    "Apulia",
    "the Spreewald",
];
const YEARS: [&str; 10] = [
    "1988", "1991", "1994", "1997", "1999", "2002", "2005", "2008", "2012", "2017",
];
const DOORS: [&str; 10] = [
    "boiler room",
    "side door",
    "archive",
    "bell tower",
    "pantry",
    "strongroom",
    "back gate",
    "linen room",
    "coal cellar",
    "tool store",
];
const HOUSES: [&str; 10] = [
    "vicarage",
    "brewery",
    "old mill",
    "town hall",
    "gasworks",
    "manor",
    "boathouse",
    "tannery",
    "bathhouse",
    "customs house",
];
const FLOURS: [&str; 10] = [
    "rye",
    "spelt",
    "einkorn",
    "wholemeal",
    "buckwheat",
    "barley",
    "oat",
    "emmer",
    "kamut",
    "maize",
];
const SEEDS: [&str; 10] = [
    "sesame",
    "linseed",
    "caraway",
    "sunflower seeds",
    "poppy seeds",
    "pumpkin seeds",
    "walnuts",
    "olives",
    "raisins",
    "fennel seeds",
];
const SHELLS: [&str; 10] = [
    "cockle",
    "whelk",
    "razor clam",
    "scallop",
    "limpet",
    "periwinkle",
    "cowrie",
    "mussel",
    "turret shell",
    "sea snail",
];
const COVES: [&str; 10] = [
    "Mermaid Cove",
    "Smuggler Cove",
    "Seal Bay",
    "Gull Bay",
    "Anchor Bay",
    "Pebble Bay",
    "Driftwood Cove",
    "Amber Bay",
    "Wreck Cove",
    "Heron Bay",
];
const VOICES: [&str; 10] = [
    "soprano",
    "alto",
    "tenor",
    "bass",
    "descant",
    "treble",
    "baritone",
    "mezzo",
    "countertenor",
    "second alto",
];
const ROUNDS: [&str; 10] = [
    "shepherds' carol",
    "boar's head carol",
    "holly carol",
    "sailors' carol",
    "bell carol",
    "star carol",
    "snow carol",
    "rose carol",
    "cradle carol",
    "drum carol",
];
const HATS: [&str; 10] = [
    "bowler",
    "beret",
    "panama",
    "boater",
    "trilby",
    "fez",
    "bonnet",
    "top hat",
    "flat cap",
    "sou'wester",
];
const WEARERS: [&str; 10] = [
    "Lysander", "Bettina", "Caoimhe", "Duarte", "Eulalie", "Florian", "Gunnar", "Hortense", "Ivo",
    "Josefa",
];
const MUGS: [&str; 10] = [
    "a lighthouse",
    "a moose",
    "a tram",
    "a windmill",
    "a stork",
    "a cable car",
    "a puffin",
    "a castle",
    "a herring",
    "a bear",
];
const CITIES: [&str; 10] = [
    "Bergen", "Riga", "Kraków", "Lisboa", "Gdańsk", "Tallinn", "Nantes", "Malmö", "Sopot",
    "Trieste",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: RUNNERS,
        second: RUNS,
        title: "{0} at the {1}",
        text: "{0} finished the {1} in {m} minutes with start number {n}.",
        keywords: "running club",
    },
    Kind {
        first: FLAVOURS,
        second: PARLOURS,
        title: "{0} ice cream from {1}",
        text: "The {0} scoop at {1} is {m} cents and got {n} points from us.",
        keywords: "ice cream",
    },
    Kind {
        first: KITES,
        second: BEACHES,
        title: "{0} in {1}",
        text: "The {0} flew for {n} minutes in {1}, on {m} metres of line.",
        keywords: "kites",
    },
    Kind {
        first: ALBUMS,
        second: YEARS,
        title: "Album of {0}, {1}",
        text: "The album of {0} from {1} holds {m} photos on {n} pages.",
        keywords: "photo albums",
    },
    Kind {
        first: DOORS,
        second: HOUSES,
        title: "Key to the {0}, {1}",
        text: "The key to the {0} of the {1} hangs on hook {n}, tag {m}.",
        keywords: "key cabinet",
    },
    Kind {
        first: FLOURS,
        second: SEEDS,
        title: "{0} loaf with {1}",
        text: "The {0} loaf with {1} weighs {m} grams after {n} minutes in the tin.",
        keywords: "loaves",
    },
    Kind {
        first: SHELLS,
        second: COVES,
        title: "{0} from {1}",
        text: "The {0} from {1} is {n} millimetres long and lies in box {m}.",
        keywords: "shells",
    },
    Kind {
        first: VOICES,
        second: ROUNDS,
        title: "{1}, {0} part",
        text: "The {0} part of the {1} is on page {m}, we know {n} bars of it.",
        keywords: "carols",
    },
    Kind {
        first: HATS,
        second: WEARERS,
        title: "{0} for {1}",
        text: "The {0} for {1} is {n} centimetres round, hat block {m}.",
        keywords: "hat making",
    },
    Kind {
        first: MUGS,
        second: CITIES,
        title: "Mug from {1} with {0}",
        text: "The mug from {1} with {0} holds {m} millilitres and stands in row {n}.",
        keywords: "mugs",
    },
];

//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const FERRIES: [&str; 10] = [
    "Blue Heron",
    "Island Queen",
    "Skua",
    "Northern Light",
    "Maid of Arran",
    "Petrel",
    "Sea Lark",
    "Gannet",
    "Old Margaret",
    "Tern",
];
const HARBOURS: [&str; 10] = [
    "Oban",
    "Mallaig",
    "Ullapool",
    "Stromness",
    "Tarbert",
    "Brodick",
    "Lerwick",
    "Kirkwall",
    "Rothesay",
    "Craignure",
];
const CHEESES: [&str; 10] = [
    "goat cheese",
    "blue cheese",
    "smoked cheese",
    "mountain cheese",
    "sheep cheese",
    "washed-rind cheese",
    "ash cheese",
    "nettle cheese",
    "cream cheese",
    "caraway cheese",
];
const MARKETS: [&str; 10] = [
    "the Monday market",
    "the square",
    "the old dairy",
    "the farm gate",
    "the station hall",
    "the monastery shop",
    "the Saturday market",
    "the village store",
    "the night market",
    "the wharf",
];
const OPERAS: [&str; 10] = [
    "Tosca",
    "Carmen",
    "Rigoletto",
    "Fidelio",
    "Norma",
    "Jenufa",
    "Rusalka",
    "Aida",
    "Salome",
    "Turandot",
];
const HOUSES: [&str; 10] = [
    "Lyon", "Riga", "Bergen", "Leipzig", "Parma", "Krakow", "Antwerp", "Seville", "Zagreb",
    "Malaga",
];
const TRICKS: [&str; 10] = [
    "roll over",
    "high five",
    "play dead",
    "spin left",
    "fetch the post",
    "ring the bell",
    "crawl",
    "bow",
    "weave",
    "jump the hoop",
];
const DOGS: [&str; 10] = [
    "Biscuit", "Moss", "Pepper", "Fenn", "Dot", "Rufus", "Tilda", "Waldo", "Juniper", "Bramble",
];
const STAMPS: [&str; 10] = [
    "steamship stamp",
    "orchid stamp",
    "comet stamp",
    "postman stamp",
    "reindeer stamp",
    "bridge stamp",
    "beetle stamp",
    "queen stamp",
    "glacier stamp",
    "balloon stamp",
];
const LANDS: [&str; 10] = [
    "Iceland", "Ceylon", "Bhutan", "Malta", "Peru", "Tonga", "Latvia", "Fiji", "Oman", "Chile",
];
const CLOUDS: [&str; 10] = [
    "mackerel sky",
    "anvil cloud",
    "fair-weather cloud",
    "veil cloud",
    "lens cloud",
    "shelf cloud",
    "fog bank",
    "mare's tails",
    "storm tower",
    "rain sheet",
];
const HILLS: [&str; 10] = [
    "Raven Fell",
    "Windy Law",
    "Black Mount",
    "Cairn Hill",
    "Sheep Tor",
    "Long Ridge",
    "Beacon Down",
    "Gull Head",
    "Stony Pike",
    "Harrow Edge",
];
const BISCUITS: [&str; 10] = [
    "almond crescent",
    "ginger snap",
    "oat crunch",
    "jam ring",
    "lemon thin",
    "aniseed drop",
    "hazelnut kiss",
    "coconut mound",
    "shortbread",
    "spiced star",
];
const TINS: [&str; 10] = [
    "the round tin",
    "the blue tin",
    "the tin from Delft",
    "the tall tin",
    "the dented tin",
    "the red tin",
    "the tin with the stag",
    "the striped tin",
    "the glass jar",
    "the square tin",
];
const CARDS: [&str; 10] = [
    "whist", "rummy", "cribbage", "canasta", "bridge", "skat", "belote", "euchre", "piquet",
    "hearts",
];
const EVENINGS: [&str; 10] = [
    "with the Arnolds",
    "on the barge",
    "at the inn",
    "in the sun room",
    "with Cousin Levi",
    "at the hut",
    "on the sleeper",
    "with the Moreaus",
    "at the chess club",
    "by the stove",
];
const BUTTONS: [&str; 10] = [
    "brass button",
    "horn button",
    "glass button",
    "pearl button",
    "wooden button",
    "leather button",
    "pewter button",
    "bone button",
    "enamel button",
    "cloth button",
];
const COATS: [&str; 10] = [
    "duffel coat",
    "loden coat",
    "pea jacket",
    "raincoat",
    "tailcoat",
    "cape",
    "waistcoat",
    "parka",
    "blazer",
    "trench coat",
];
const BIRDS: [&str; 10] = [
    "kingfisher",
    "lapwing",
    "redstart",
    "goldcrest",
    "dipper",
    "nuthatch",
    "curlew",
    "whinchat",
    "hobby",
    "wryneck",
];
const SPOTS: [&str; 10] = [
    "at the reed bed",
    "by the sluice",
    "on the salt marsh",
    "in the orchard",
    "by the gravel pit",
    "at the ford",
    "on the heath",
    "by the old mill",
    "in the churchyard",
    "at the estuary",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: FERRIES,
        second: HARBOURS,
        title: "{0} from {1}",
        text: "The {0} from {1} took {m} passengers and was {n} minutes late.",
        keywords: "ferries",
    },
    Kind {
        first: CHEESES,
        second: MARKETS,
        title: "{0} from {1}",
        text: "The {0} from {1} weighed {m} grams and was ripe after {n} days.",
        keywords: "cheese",
    },
    Kind {
        first: OPERAS,
        second: HOUSES,
        title: "{0} in {1}",
        text: "{0} in {1} had {n} minutes of applause, seat {m}.",
        keywords: "opera",
    },
    Kind {
        first: TRICKS,
        second: DOGS,
        title: "{1} learns to {0}",
        text: "{1} needed {n} tries and {m} treats for: {0}.",
        keywords: "dog tricks",
    },
    Kind {
        first: STAMPS,
        second: LANDS,
        title: "{0} of {1}",
        text: "The {0} of {1} is worth {n} cents, album page {m}.",
        keywords: "stamps",
    },
    Kind {
        first: CLOUDS,
        second: HILLS,
        title: "{0} over {1}",
        text: "The {0} over {1} stayed for {n} minutes, picture {m}.",
        keywords: "clouds",
    },
    Kind {
        first: BISCUITS,
        second: TINS,
        title: "{0} in {1}",
        text: "The {0} recipe fills {1} with {m} pieces after {n} minutes of baking.",
        keywords: "biscuits",
    },
    Kind {
        first: CARDS,
        second: EVENINGS,
        title: "{0} {1}",
        text: "{0} {1}: {n} hands and {m} points in the end.",
        keywords: "card games",
    },
    Kind {
        first: BUTTONS,
        second: COATS,
        title: "{0} for the {1}",
        text: "The {0} for the {1} is {n} millimetres wide, drawer {m}.",
        keywords: "buttons",
    },
    Kind {
        first: BIRDS,
        second: SPOTS,
        title: "{0} {1}",
        text: "The {0} {1} was seen {n} times, ring number {m}.",
        keywords: "birds",
    },
];

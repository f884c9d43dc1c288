//! A thousand notes that are of no matter: each of them something that a person could have
//! written, no two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const BIRDS: [&str; 10] = [
    "kingfisher",
    "siskin",
    "bullfinch",
    "curlew",
    "nuthatch",
    "goldcrest",
    "lapwing",
    "redstart",
    "wagtail",
    "hoopoe",
];
const WATERS: [&str; 10] = [
    "Lake Vänern",
    "Loch Awe",
    "the Camargue",
    "Lake Balaton",
    "the Wadden Sea",
    "Lake Constance",
    "the Biebrza marshes",
    "Lake Ohrid",
    "the Ebro delta",
    "Lake Inari",
];
const WOODS: [&str; 10] = [
    "ash", "cherry", "yew", "maple", "olive", "plum", "birch", "robinia", "hornbeam", "larch",
];
const TURNED: [&str; 10] = [
    "bowl",
    "candlestick",
    "spinning top",
    "egg cup",
    "pepper mill",
    "rolling pin",
    "lamp base",
    "honey dipper",
    "door knob",
    "bookend",
];
const COUNTRIES: [&str; 10] = [
    "Iceland", "Peru", "Malta", "Kenya", "Bhutan", "Uruguay", "Latvia", "Samoa", "Oman", "Chile",
];
const MOTIFS: [&str; 10] = [
    "lighthouse",
    "steam engine",
    "butterfly",
    "queen",
    "sailing ship",
    "orchid",
    "cosmonaut",
    "cathedral",
    "chess piece",
    "volcano",
];
const YARNS: [&str; 10] = [
    "mohair", "alpaca", "merino", "cotton", "linen", "cashmere", "bamboo", "hemp", "silk", "angora",
];
const KNITTED: [&str; 10] = [
    "bobble hat",
    "baby blanket",
    "shawl",
    "poncho",
    "waistcoat",
    "pullover",
    "headband",
    "balaclava",
    "bed jacket",
    "tea cosy",
];
const CHEESES: [&str; 10] = [
    "gouda", "comté", "feta", "stilton", "pecorino", "manchego", "emmental", "brie", "tilsit",
    "halloumi",
];
const MARKETS: [&str; 10] = [
    "Aarau", "Bath", "Colmar", "Delft", "Evora", "Fulda", "Ghent", "Hallein", "Ivrea", "Jaca",
];
const PUPPETS: [&str; 10] = [
    "crocodile",
    "policeman",
    "witch",
    "robber",
    "princess",
    "wolf",
    "pirate",
    "ghost",
    "gardener",
    "knight",
];
const MAKERS: [&str; 10] = [
    "Amalia", "Bohumil", "Cosima", "Dezső", "Elvira", "Florin", "Gudrun", "Hristo", "Ilse",
    "Jarmila",
];
const CAKES: [&str; 10] = [
    "poppy seed",
    "carrot",
    "marble",
    "walnut",
    "rhubarb",
    "lemon",
    "chestnut",
    "ginger",
    "hazelnut",
    "cheese",
];
const FEASTS: [&str; 10] = [
    "christening",
    "jubilee",
    "housewarming",
    "farewell",
    "graduation",
    "engagement",
    "harvest feast",
    "street party",
    "name day",
    "leaving do",
];
const ROSES: [&str; 10] = [
    "Aurora",
    "Belvedere",
    "Cinderella",
    "Duchess",
    "Eden",
    "Flamingo",
    "Gloria",
    "Harlequin",
    "Isolde",
    "Jubilee Queen",
];
const CORNERS: [&str; 10] = [
    "arbour",
    "driveway",
    "pond",
    "south wall",
    "terrace",
    "front gate",
    "greenhouse",
    "sundial",
    "old well",
    "rockery",
];
const CLIMBS: [&str; 10] = [
    "chimney",
    "north face",
    "ridge",
    "slab",
    "gully",
    "arête",
    "overhang",
    "crack",
    "dihedral",
    "traverse",
];
const PEAKS: [&str; 10] = [
    "Triglav",
    "Ortler",
    "Watzmann",
    "Olympus",
    "Snowdon",
    "Rysy",
    "Aneto",
    "Galdhøpiggen",
    "Säntis",
    "Musala",
];
const MAPS: [&str; 10] = [
    "road",
    "railway",
    "geological",
    "nautical",
    "hiking",
    "star",
    "postal",
    "wine",
    "weather",
    "ski",
];
const REGIONS: [&str; 10] = [
    "Tuscany", "Brittany", "Bohemia", "Lapland", "Galicia", "Styria", "Cornwall", "Thrace",
    "Jutland", "Silesia",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: BIRDS,
        second: WATERS,
        title: "{0} seen at {1}",
        text: "The {0} at {1} was {m} metres away, it is in photo {n}.",
        keywords: "birdwatching",
    },
    Kind {
        first: WOODS,
        second: TURNED,
        title: "{1} of {0}",
        text: "The {1} of {0} took {n} minutes on the lathe and weighs {m} grams.",
        keywords: "woodturning",
    },
    Kind {
        first: COUNTRIES,
        second: MOTIFS,
        title: "{1} stamp of {0}",
        text: "The stamp of {0} with the {1} is on page {n}, in the catalogue it is number {m}.",
        keywords: "stamps",
    },
    Kind {
        first: YARNS,
        second: KNITTED,
        title: "{1} in {0}",
        text: "The {1} in {0} has {m} stitches and needs {n} grams more.",
        keywords: "knitting",
    },
    Kind {
        first: CHEESES,
        second: MARKETS,
        title: "{0} from {1}",
        text: "The {0} from {1} had aged for {n} weeks, stall {m} sells it.",
        keywords: "cheese",
    },
    Kind {
        first: PUPPETS,
        second: MAKERS,
        title: "{0} puppet by {1}",
        text: "{1} carved the {0} in {n} hours, it hangs on thread {m}.",
        keywords: "puppets",
    },
    Kind {
        first: CAKES,
        second: FEASTS,
        title: "{0} cake for the {1}",
        text: "The {0} cake for the {1} baked for {n} minutes and was cut in {m} pieces.",
        keywords: "cakes",
    },
    Kind {
        first: ROSES,
        second: CORNERS,
        title: "Rose {0} by the {1}",
        text: "The rose {0} by the {1} had {n} blooms and is {m} centimetres tall.",
        keywords: "roses",
    },
    Kind {
        first: CLIMBS,
        second: PEAKS,
        title: "{0} on {1}",
        text: "The {0} on {1} took {m} minutes with {n} metres of rope.",
        keywords: "climbing",
    },
    Kind {
        first: MAPS,
        second: REGIONS,
        title: "{0} map of {1}",
        text: "The {0} map of {1} is in tube {n}, it was printed as sheet {m}.",
        keywords: "maps",
    },
];

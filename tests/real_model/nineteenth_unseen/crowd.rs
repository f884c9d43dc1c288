//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const METHODS: [&str; 10] = [
    "Plain Bob",
    "Grandsire",
    "Stedman",
    "Kent Treble",
    "Cambridge Surprise",
    "Reverse Canterbury",
    "Double Oxford",
    "Little Bob",
    "Erin",
    "Norwich Surprise",
];
const TOWERS: [&str; 10] = [
    "All Hallows",
    "St Oswald",
    "St Petroc",
    "the minster",
    "Holy Cross",
    "St Wilfrid",
    "the abbey",
    "St Botolph",
    "St Bride",
    "St Swithun",
];
const KITES: [&str; 10] = [
    "box kite",
    "delta kite",
    "dragon kite",
    "stunt kite",
    "diamond kite",
    "sled kite",
    "rokkaku kite",
    "parafoil",
    "owl kite",
    "ghost kite",
];
const BEACHES: [&str; 10] = [
    "Fanø",
    "Sankt Peter",
    "Berck",
    "Scheveningen",
    "Portrush",
    "Cervia",
    "Weston",
    "Rømø",
    "Zandvoort",
    "Domburg",
];
const MOTHS: [&str; 10] = [
    "elephant hawk-moth",
    "garden tiger",
    "swallow-tailed moth",
    "peppered moth",
    "burnished brass",
    "merveille du jour",
    "cinnabar",
    "old lady",
    "emperor moth",
    "buff-tip",
];
const LAMPS: [&str; 10] = [
    "by the quarry",
    "at the vicarage",
    "in the birch copse",
    "on the dyke",
    "by the weir",
    "behind the sawmill",
    "on the common",
    "at the tarn",
    "by the brickworks",
    "under the viaduct",
];
const INKS: [&str; 10] = [
    "oak gall",
    "sea green",
    "violet",
    "walnut brown",
    "midnight",
    "coral",
    "moss",
    "slate",
    "ruby",
    "turquoise",
];
const PENS: [&str; 10] = [
    "Lamy",
    "Pelikan",
    "Kaweco",
    "Sailor",
    "Pilot",
    "Parker",
    "Faber",
    "Esterbrook",
    "Diplomat",
    "Waterman",
];
const COVERS: [&str; 10] = [
    "crane",
    "carp",
    "lighthouse",
    "lion",
    "beech leaf",
    "anchor",
    "compass rose",
    "bear",
    "windmill",
    "castle",
];
const CITIES: [&str; 10] = [
    "Nagoya", "Oslo", "Graz", "Lucca", "Bruges", "Vilnius", "Porto", "Tampere", "Ghent", "Brno",
];
const SHANTIES: [&str; 10] = [
    "Drunken Sailor",
    "Wellerman",
    "Leave Her Johnny",
    "South Australia",
    "Haul Away Joe",
    "Roll the Old Chariot",
    "Randy Dandy",
    "Bully Boys",
    "Spanish Ladies",
    "Paddy Lay Back",
];
const PUBS: [&str; 10] = [
    "Crown",
    "Jolly Tar",
    "Mermaid",
    "Ship Inn",
    "Three Herons",
    "Cutter",
    "Blue Boar",
    "Lugger",
    "Dolphin",
    "Net Loft",
];
const MUSHROOMS: [&str; 10] = [
    "chanterelle",
    "penny bun",
    "parasol",
    "blewit",
    "hedgehog fungus",
    "chicken of the woods",
    "bay bolete",
    "puffball",
    "horn of plenty",
    "saffron milk cap",
];
const WOODS: [&str; 10] = [
    "Hangman's Wood",
    "Larkspinney",
    "Tenacre Wood",
    "Bishop's Copse",
    "Gallow Shaw",
    "Hollin Wood",
    "Priory Wood",
    "Ragged Grove",
    "Kiln Wood",
    "Fallow Hanger",
];
const MOTIFS: [&str; 10] = [
    "steam train",
    "hot-air balloons",
    "Venice",
    "kittens",
    "coral reef",
    "autumn forest",
    "world map",
    "bakery",
    "lavender",
    "night sky",
];
const MAKERS: [&str; 10] = [
    "Ravensburger",
    "Schmidt",
    "Clementoni",
    "Educa",
    "Falcon",
    "Heye",
    "Trefl",
    "Gibsons",
    "Jumbo",
    "Piatnik",
];
const DANCES: [&str; 10] = [
    "waltz",
    "tango",
    "foxtrot",
    "quickstep",
    "rumba",
    "samba",
    "cha-cha",
    "jive",
    "polka",
    "paso doble",
];
const PAIRS: [&str; 10] = [
    "Ada and Hugo",
    "Bea and Tomas",
    "Cleo and Ivan",
    "Dora and Nils",
    "Edie and Otto",
    "Fay and Rolf",
    "Greta and Sid",
    "Hope and Abel",
    "Iris and Kurt",
    "Joan and Emil",
];
const FOLDED: [&str; 10] = [
    "paper heron",
    "paper frog",
    "paper boat",
    "paper lily",
    "paper fox",
    "paper star",
    "paper whale",
    "paper tulip",
    "paper owl",
    "paper dragon",
];
const SHEETS: [&str; 10] = [
    "gold foil",
    "newsprint",
    "wrapping paper",
    "an old map",
    "rice paper",
    "graph paper",
    "sheet music",
    "a tea bag",
    "a comic",
    "kraft paper",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: METHODS,
        second: TOWERS,
        title: "{0} at {1}",
        text: "{0} at {1} took {n} minutes for {m} changes.",
        keywords: "change ringing",
    },
    Kind {
        first: KITES,
        second: BEACHES,
        title: "{0} at {1}",
        text: "The {0} at {1} flew on {m} metres of line, {n} minutes at a time.",
        keywords: "kites",
    },
    Kind {
        first: MOTHS,
        second: LAMPS,
        title: "{0} {1}",
        text: "The {0} {1} came to the lamp {n} times in {m} nights.",
        keywords: "moths",
    },
    Kind {
        first: INKS,
        second: PENS,
        title: "{0} ink in the {1}",
        text: "The {0} ink in the {1} lasted for {m} pages and dried in {n} seconds.",
        keywords: "inks",
    },
    Kind {
        first: COVERS,
        second: CITIES,
        title: "Manhole cover showing a {0} in {1}",
        text: "The manhole cover showing a {0} in {1} is {n} centimetres wide, photo {m}.",
        keywords: "manhole covers",
    },
    Kind {
        first: SHANTIES,
        second: PUBS,
        title: "{0} at the {1}",
        text: "We sang {0} at the {1} with {n} voices, page {m} of the songbook.",
        keywords: "shanties",
    },
    Kind {
        first: MUSHROOMS,
        second: WOODS,
        title: "{0} in {1}",
        text: "The {0} in {1} stood {m} paces from the path and weighed {n} grams.",
        keywords: "mushrooms",
    },
    Kind {
        first: MOTIFS,
        second: MAKERS,
        title: "{0} jigsaw by {1}",
        text: "The {0} jigsaw by {1} took {n} evenings and lacks piece {m}.",
        keywords: "jigsaws",
    },
    Kind {
        first: DANCES,
        second: PAIRS,
        title: "{0} danced by {1}",
        text: "The {0} danced by {1} got {n} points from the judges, start number {m}.",
        keywords: "dance contest",
    },
    Kind {
        first: FOLDED,
        second: SHEETS,
        title: "{0} from {1}",
        text: "The {0} from {1} has {n} folds and is {m} millimetres high.",
        keywords: "origami",
    },
];

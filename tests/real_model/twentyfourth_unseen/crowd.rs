//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const THIMBLES: [&str; 10] = [
    "brass",
    "porcelain",
    "bone",
    "rubber",
    "leather",
    "glass",
    "tin",
    "copper",
    "ebony",
    "jade",
];
const LADIES: [&str; 10] = [
    "Aunt Augusta",
    "Aunt Brunhilde",
    "Aunt Cressida",
    "Aunt Dorothea",
    "Aunt Eulalia",
    "Aunt Flavia",
    "Aunt Gwendolen",
    "Aunt Hortensia",
    "Aunt Iphigenia",
    "Aunt Josephine",
];
const KITES: [&str; 10] = [
    "box",
    "dragon",
    "delta",
    "sled",
    "centipede",
    "diamond",
    "owl",
    "shark",
    "stunt",
    "octopus",
];
const HILLS: [&str; 10] = [
    "the dunes",
    "the airfield",
    "the vineyard",
    "the castle hill",
    "the common",
    "the salt marsh",
    "the reservoir",
    "the stubble field",
    "the north beach",
    "the ski slope",
];
const UMBRELLAS: [&str; 10] = [
    "striped",
    "tartan",
    "bamboo",
    "transparent",
    "telescopic",
    "scalloped",
    "chequered",
    "sequined",
    "dotted",
    "frilled",
];
const WAGONS: [&str; 10] = [
    "the night train",
    "the mail coach",
    "the tram to the port",
    "the dining car",
    "the funicular",
    "the bus to the lake",
    "the milk float",
    "the ferry lounge",
    "the hotel lift",
    "the sleigh",
];
const VANES: [&str; 10] = [
    "cockerel", "mermaid", "whale", "witch", "fox", "galleon", "angel", "stag", "comet", "heron",
];
const ROOFS: [&str; 10] = [
    "the malthouse",
    "the stud farm",
    "the town hall",
    "the smithy",
    "the pump house",
    "the cricket pavilion",
    "the rectory",
    "the toll house",
    "the grain store",
    "the music school",
];
const CUTTERS: [&str; 10] = [
    "hedgehog",
    "fir tree",
    "moon",
    "snail",
    "boot",
    "gingerbread man",
    "crown",
    "rabbit",
    "clover leaf",
    "rocket",
];
const BAKERS: [&str; 10] = [
    "Cousin Alban",
    "Cousin Beatrix",
    "Cousin Crispin",
    "Cousin Delphine",
    "Cousin Edgar",
    "Cousin Finola",
    "Cousin Gaspard",
    "Cousin Honor",
    "Cousin Ivo",
    "Cousin Juno",
];
const SCARES: [&str; 10] = [
    "top hat",
    "wedding veil",
    "gas mask",
    "straw wig",
    "red scarf",
    "pipe",
    "diving suit",
    "feather boa",
    "monocle",
    "raincoat",
];
const FIELDS: [&str; 10] = [
    "the bean rows",
    "the barley",
    "the cherry trees",
    "the pumpkin patch",
    "the rice paddy",
    "the sunflowers",
    "the turnips",
    "the vicar's lawn",
    "the oat field",
    "the cabbages",
];
const MARBLES: [&str; 10] = [
    "cat's eye",
    "agate",
    "oxblood",
    "onion skin",
    "steel",
    "clay",
    "milk glass",
    "swirl",
    "tiger",
    "lutz",
];
const PLAYERS: [&str; 10] = [
    "Adelbert",
    "Bertrand",
    "Casimir",
    "Dieudonné",
    "Engelbert",
    "Ferdinand",
    "Gottfried",
    "Hyacinth",
    "Ignatius",
    "Jeronimo",
];
const STICKS: [&str; 10] = [
    "hazel",
    "blackthorn",
    "malacca",
    "ash",
    "olive wood",
    "cherry wood",
    "briar",
    "juniper",
    "hickory",
    "rowan",
];
const WALKERS: [&str; 10] = [
    "Uncle Ambrose",
    "Uncle Bartholomew",
    "Uncle Cuthbert",
    "Uncle Desmond",
    "Uncle Erasmus",
    "Uncle Fitzgerald",
    "Uncle Godfrey",
    "Uncle Humphrey",
    "Uncle Inigo",
    "Uncle Jasper",
];
const HORSES: [&str; 10] = [
    "shire horse",
    "Haflinger",
    "mule",
    "Shetland pony",
    "Friesian",
    "circus horse",
    "donkey",
    "Lipizzaner",
    "pit pony",
    "Percheron",
];
const YARDS: [&str; 10] = [
    "Aldbury",
    "Bruton",
    "Chesham",
    "Dulverton",
    "Evesham",
    "Frome",
    "Guiseley",
    "Helmsley",
    "Ilminster",
    "Keswick",
];
const KNOCKERS: [&str; 10] = [
    "lion",
    "dolphin",
    "hand",
    "gargoyle",
    "wreath",
    "bee",
    "pineapple",
    "ram",
    "sphinx",
    "acorn",
];
const LANES: [&str; 10] = [
    "Bakehouse Lane",
    "Chandler Street",
    "Fishergate",
    "Glover Row",
    "Hatters Yard",
    "Ironmonger Lane",
    "Needle Alley",
    "Potters Walk",
    "Saddler Street",
    "Tanner Court",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: THIMBLES,
        second: LADIES,
        title: "{0} thimble of {1}",
        text: "The {0} thimble of {1} is {n} millimetres high and cost {m} pence.",
        keywords: "thimbles",
    },
    Kind {
        first: KITES,
        second: HILLS,
        title: "{0} kite over {1}",
        text: "The {0} kite over {1} flew {m} metres high for {n} minutes.",
        keywords: "kites",
    },
    Kind {
        first: UMBRELLAS,
        second: WAGONS,
        title: "{0} umbrella left in {1}",
        text: "The {0} umbrella left in {1} has {n} stitches in it and is {m} centimetres round.",
        keywords: "umbrellas",
    },
    Kind {
        first: VANES,
        second: ROOFS,
        title: "{0} weather vane on {1}",
        text: "The {0} weather vane on {1} weighs {n} kilos and has turned for {m} years.",
        keywords: "weather vanes",
    },
    Kind {
        first: CUTTERS,
        second: BAKERS,
        title: "{0} biscuit cutter of {1}",
        text: "The {0} biscuit cutter of {1} makes {n} biscuits from {m} grams of dough.",
        keywords: "biscuit cutters",
    },
    Kind {
        first: SCARES,
        second: FIELDS,
        title: "Scarecrow with a {0} in {1}",
        text: "The scarecrow with a {0} in {1} is {m} centimetres tall and has {n} buttons.",
        keywords: "scarecrows",
    },
    Kind {
        first: MARBLES,
        second: PLAYERS,
        title: "{0} marble won from {1}",
        text: "The {0} marble won from {1} is number {n} in the bag and rolled {m} centimetres.",
        keywords: "marbles",
    },
    Kind {
        first: STICKS,
        second: WALKERS,
        title: "{0} walking stick of {1}",
        text: "The {0} walking stick of {1} bears {n} badges and weighs {m} grams.",
        keywords: "walking sticks",
    },
    Kind {
        first: HORSES,
        second: YARDS,
        title: "Horseshoe of a {0} from {1}",
        text: "The horseshoe of a {0} from {1} is {m} millimetres wide and held for {n} days.",
        keywords: "horseshoes",
    },
    Kind {
        first: KNOCKERS,
        second: LANES,
        title: "{0} door knocker in {1}",
        text: "The {0} door knocker in {1} weighs {m} grams and hangs at number {n}.",
        keywords: "door knockers",
    },
];

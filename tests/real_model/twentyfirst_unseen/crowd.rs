//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const CHIMES: [&str; 10] = [
    "bamboo chime",
    "shell chime",
    "copper chime",
    "slate chime",
    "spoon chime",
    "glass chime",
    "brass chime",
    "bottle chime",
    "key chime",
    "driftwood chime",
];
const PORCHES: [&str; 10] = [
    "the rectory porch",
    "Ottilia's porch",
    "the vet's porch",
    "the lodge porch",
    "Mr Nakamura's porch",
    "the schoolhouse porch",
    "the mill porch",
    "Aunt Corisande's porch",
    "the toll house porch",
    "the gatehouse porch",
];
const SHIPS: [&str; 10] = [
    "brig",
    "barque",
    "schooner",
    "galleon",
    "clipper",
    "paddle steamer",
    "lugger",
    "whaler",
    "longship",
    "frigate",
];
const BOTTLES: [&str; 10] = [
    "the gin bottle",
    "the milk bottle",
    "the port bottle",
    "the cider bottle",
    "the ink bottle",
    "the vinegar bottle",
    "the cognac bottle",
    "the lemonade bottle",
    "the medicine bottle",
    "the olive oil bottle",
];
const PANCAKES: [&str; 10] = [
    "blueberry pancake",
    "buckwheat pancake",
    "potato pancake",
    "banana pancake",
    "cheese pancake",
    "lemon pancake",
    "spinach pancake",
    "cherry pancake",
    "oat pancake",
    "caramel pancake",
];
const PANS: [&str; 10] = [
    "Fenwick",
    "Oluchi",
    "Bronagh",
    "Matteus",
    "Shirin",
    "Godfrey",
    "Anneliese",
    "Rurik",
    "Jocasta",
    "Takeshi",
];
const WALLPAPERS: [&str; 10] = [
    "heron wallpaper",
    "trellis wallpaper",
    "paisley wallpaper",
    "pineapple wallpaper",
    "cloud wallpaper",
    "map wallpaper",
    "ivy wallpaper",
    "chevron wallpaper",
    "leopard wallpaper",
    "thistle wallpaper",
];
const ROOMS: [&str; 10] = [
    "the dining room at Elmhurst",
    "the box room at Elmhurst",
    "the nursery at Elmhurst",
    "the landing at Elmhurst",
    "the study at Elmhurst",
    "the parlour at Wyke End",
    "the scullery at Wyke End",
    "the best bedroom at Wyke End",
    "the bathroom at Wyke End",
    "the music room at Wyke End",
];
const SANDWICHES: [&str; 10] = [
    "cucumber sandwich",
    "egg sandwich",
    "pastrami sandwich",
    "falafel sandwich",
    "cheese and onion sandwich",
    "tuna sandwich",
    "beetroot sandwich",
    "chicken sandwich",
    "halloumi sandwich",
    "club sandwich",
];
const KIOSKS: [&str; 10] = [
    "Platform Four",
    "the Lido",
    "Harbour Wall",
    "the Tennis Club",
    "Crane Wharf",
    "the Bus Station",
    "Gallery Steps",
    "the Velodrome",
    "Law Court Corner",
    "the Weir",
];
const CROSSWORDS: [&str; 10] = [
    "Monday crossword",
    "Tuesday crossword",
    "Wednesday crossword",
    "Thursday crossword",
    "Friday crossword",
    "Saturday crossword",
    "Sunday crossword",
    "Christmas crossword",
    "Easter crossword",
    "giant crossword",
];
const PAPERS: [&str; 10] = [
    "the Courier",
    "the Gazette",
    "the Echo",
    "the Herald",
    "the Argus",
    "the Sentinel",
    "the Beacon",
    "the Mercury",
    "the Observer of Thorpe",
    "the Clarion",
];
const PERFUMES: [&str; 10] = [
    "fig perfume",
    "iris perfume",
    "smoke perfume",
    "sea salt perfume",
    "cedar perfume",
    "rain perfume",
    "pepper perfume",
    "violet leaf perfume",
    "tea perfume",
    "leather perfume",
];
const SHELVES: [&str; 10] = [
    "the airport shop",
    "Maison Delbos",
    "the spa",
    "Halloran's",
    "the hotel lobby",
    "the night market",
    "Aunt Perdita's dresser",
    "the theatre bar",
    "the ship's boutique",
    "the flea market in Lier",
];
const GARLANDS: [&str; 10] = [
    "paper garland",
    "fir garland",
    "bunting garland",
    "pompom garland",
    "leaf garland",
    "lantern garland",
    "popcorn garland",
    "star garland",
    "feather garland",
    "orange slice garland",
];
const DOORS: [&str; 10] = [
    "the dentist's door",
    "the canteen door",
    "the bookshop door",
    "the gym door",
    "the ferryman's door",
    "the pharmacy door",
    "the tailor's door",
    "the museum door",
    "the greenhouse door",
    "the sacristy door",
];
const BAROMETERS: [&str; 10] = [
    "banjo barometer",
    "ship's barometer",
    "glass barometer",
    "pocket barometer",
    "walnut barometer",
    "brass barometer",
    "frog barometer",
    "digital barometer",
    "aneroid barometer",
    "dial barometer",
];
const HALLS: [&str; 10] = [
    "Culver House",
    "the Coastguard",
    "the Rowan Inn",
    "Doctor Abiola's hall",
    "the Customs House",
    "the Sailing School",
    "Pendle Farm",
    "the Bishop's Lodge",
    "the Observatory",
    "Marsh Cottage",
];
const THINGS: [&str; 10] = [
    "an onion", "a shadow", "a candle", "the wind", "a mirror", "an egg", "a river", "a bell",
    "a stamp", "silence",
];
const TELLERS: [&str; 10] = [
    "Grandma Odile",
    "Sergeant Pike",
    "little Amias",
    "the milkman",
    "Professor Quist",
    "the twins from number 5",
    "Captain Rooke",
    "cousin Tamsin",
    "the lollipop lady",
    "old Mrs Havel",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: CHIMES,
        second: PORCHES,
        title: "{0} on {1}",
        text: "The {0} on {1} has {n} pipes and hangs {m} centimetres below the beam.",
        keywords: "wind chimes",
    },
    Kind {
        first: SHIPS,
        second: BOTTLES,
        title: "{0} in {1}",
        text: "The {0} in {1} took {n} evenings and has {m} knots in its rigging.",
        keywords: "ships in bottles",
    },
    Kind {
        first: PANCAKES,
        second: PANS,
        title: "{0} by {1}",
        text: "The {0} by {1} was {n} centimetres wide and weighed {m} grams.",
        keywords: "pancakes",
    },
    Kind {
        first: WALLPAPERS,
        second: ROOMS,
        title: "{0} in {1}",
        text: "The {0} in {1} came off in {n} strips, it was {m} years old.",
        keywords: "wallpapers",
    },
    Kind {
        first: SANDWICHES,
        second: KIOSKS,
        title: "{0} from {1}",
        text: "The {0} from {1} was sold out at {n} past noon, it has {m} calories.",
        keywords: "sandwiches",
    },
    Kind {
        first: CROSSWORDS,
        second: PAPERS,
        title: "{0} in {1}",
        text: "The {0} in {1} took me {n} minutes, it has {m} squares.",
        keywords: "crosswords",
    },
    Kind {
        first: PERFUMES,
        second: SHELVES,
        title: "{0} from {1}",
        text: "The {0} from {1} could be smelt for {n} hours, sample number {m}.",
        keywords: "perfumes",
    },
    Kind {
        first: GARLANDS,
        second: DOORS,
        title: "{0} on {1}",
        text: "The {0} on {1} is {m} centimetres long and hung there for {n} days.",
        keywords: "garlands",
    },
    Kind {
        first: BAROMETERS,
        second: HALLS,
        title: "{0} at {1}",
        text: "The {0} at {1} was {n} points too low, it was bought for {m} crowns.",
        keywords: "barometers",
    },
    Kind {
        first: THINGS,
        second: TELLERS,
        title: "Riddle about {0} told by {1}",
        text: "The riddle about {0} told by {1} was guessed after {n} seconds by guest number {m}.",
        keywords: "riddles",
    },
];

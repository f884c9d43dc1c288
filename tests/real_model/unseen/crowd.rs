//! A thousand notes that are of no matter: each of them something that a person could have written,
//! no two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const EGG_CUPS: [&str; 10] = [
    "blue-ringed",
    "wooden",
    "pewter",
    "chicken-footed",
    "lustre",
    "enamel",
    "marble",
    "majolica",
    "silver-plated",
    "soapstone",
];
const INNS: [&str; 10] = [
    "the Red Lion",
    "the Three Tuns",
    "the Golden Fleece",
    "the Black Swan",
    "the Wheatsheaf",
    "the Ship and Anchor",
    "the King's Head",
    "the Blue Boar",
    "the Plough",
    "the Half Moon",
];
const GLOBES: [&str; 10] = [
    "polar bear",
    "cathedral",
    "skier",
    "windmill",
    "reindeer",
    "castle",
    "penguin",
    "lighthouse",
    "steam engine",
    "dancer",
];
const CITIES: [&str; 10] = [
    "Bergen",
    "Cracow",
    "Dresden",
    "Ghent",
    "Innsbruck",
    "Lucerne",
    "Quebec",
    "Riga",
    "Tallinn",
    "Zagreb",
];
const BOOKMARKS: [&str; 10] = [
    "tasselled",
    "woven",
    "cork",
    "pressed-flower",
    "embroidered",
    "paper",
    "suede",
    "ribbon",
    "beaded",
    "birch bark",
];
const BOOKS: [&str; 10] = [
    "the atlas",
    "the hymnal",
    "the bird guide",
    "the cookbook",
    "the thesaurus",
    "the ghost stories",
    "the chess manual",
    "the railway timetable",
    "the herbal",
    "the family chronicle",
];
const MAGNETS: [&str; 10] = [
    "lobster", "trolley", "cactus", "pretzel", "gondola", "tulip", "moose", "bagpipe", "sombrero",
    "clog",
];
const FRIENDS: [&str; 10] = [
    "Adaeze", "Benedikt", "Corinna", "Dragan", "Emeline", "Farouk", "Gesine", "Hamish", "Ilaria",
    "Jaromir",
];
const SUNDIALS: [&str; 10] = [
    "slate",
    "bronze",
    "painted",
    "sandstone",
    "limestone",
    "mosaic",
    "concrete",
    "cast-iron",
    "terracotta",
    "engraved",
];
const GARDENS: [&str; 10] = [
    "the deanery",
    "the manor",
    "the botanical garden",
    "the abbey",
    "the almshouses",
    "the observatory",
    "the walled orchard",
    "the girls' school",
    "the palace",
    "the cloister",
];
const BELLS: [&str; 10] = [
    "ding-dong",
    "one-note",
    "rusty",
    "ladybird",
    "compass",
    "chrome",
    "red",
    "squeaky",
    "twist",
    "two-tone",
];
const RIDERS: [&str; 10] = [
    "the postwoman",
    "the curate",
    "the midwife",
    "the baker's boy",
    "the lamplighter",
    "the schoolmaster",
    "the poacher",
    "the telegraph girl",
    "the organist",
    "the lock keeper",
];
const TOWELS: [&str; 10] = [
    "linen",
    "gingham",
    "calendar",
    "waffle-weave",
    "damask",
    "terry",
    "herringbone",
    "printed",
    "hemp",
    "jacquard",
];
const COASTS: [&str; 10] = [
    "Anglesey", "Brittany", "Cornwall", "Dingle", "Fife", "Guernsey", "Jutland", "Orkney", "Rügen",
    "Skye",
];
const BROOCHES: [&str; 10] = [
    "cameo",
    "dragonfly",
    "feather",
    "amber",
    "thistle",
    "peacock",
    "moonstone",
    "bow",
    "filigree",
    "swallow",
];
const OCCASIONS: [&str; 10] = [
    "the opera ball",
    "the harvest dance",
    "the prize-giving",
    "the tea with the mayor",
    "the regimental dinner",
    "the golden jubilee",
    "the flower show",
    "the charity gala",
    "the boat christening",
    "the premiere",
];
const BENCHES: [&str; 10] = [
    "green", "teak", "iron", "curved", "memorial", "lichened", "white", "wobbly", "folding",
    "stone",
];
const SPOTS: [&str; 10] = [
    "the duck pond",
    "the bandstand",
    "the rose beds",
    "the tennis courts",
    "the war memorial",
    "the weeping beech",
    "the ice house",
    "the crazy golf",
    "the kiosk",
    "the aviary",
];
const MUSIC_BOXES: [&str; 10] = [
    "walnut",
    "mirrored",
    "heart-shaped",
    "lacquered",
    "rosewood",
    "ballerina",
    "carousel",
    "cylinder",
    "velvet",
    "octagonal",
];
const TUNES: [&str; 10] = [
    "a waltz",
    "a lullaby",
    "a polka",
    "a march",
    "a minuet",
    "a barcarole",
    "a mazurka",
    "a carol",
    "a tarantella",
    "a gavotte",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: EGG_CUPS,
        second: INNS,
        title: "{0} egg cup from {1}",
        text: "The {0} egg cup from {1} is {n} millimetres wide and stood there for {m} months.",
        keywords: "egg cups",
    },
    Kind {
        first: GLOBES,
        second: CITIES,
        title: "Snow globe with a {0} from {1}",
        text: "The snow globe with a {0} from {1} snows for {n} seconds and weighs {m} grams.",
        keywords: "snow globes",
    },
    Kind {
        first: BOOKMARKS,
        second: BOOKS,
        title: "{0} bookmark in {1}",
        text: "The {0} bookmark in {1} lies at page {m} and is {n} millimetres wide.",
        keywords: "bookmarks",
    },
    Kind {
        first: MAGNETS,
        second: FRIENDS,
        title: "{0} magnet from {1}",
        text: "The {0} magnet from {1} holds {n} sheets of paper and came {m} days late.",
        keywords: "fridge magnets",
    },
    Kind {
        first: SUNDIALS,
        second: GARDENS,
        title: "{0} sundial of {1}",
        text: "The {0} sundial of {1} is {n} minutes slow and {m} years old.",
        keywords: "sundials",
    },
    Kind {
        first: BELLS,
        second: RIDERS,
        title: "{0} bicycle bell of {1}",
        text: "The {0} bicycle bell of {1} can be heard {m} metres off and has {n} scratches.",
        keywords: "bicycle bells",
    },
    Kind {
        first: TOWELS,
        second: COASTS,
        title: "{0} tea towel from {1}",
        text: "The {0} tea towel from {1} has been through {m} washes and is {n} centimetres long.",
        keywords: "tea towels",
    },
    Kind {
        first: BROOCHES,
        second: OCCASIONS,
        title: "{0} brooch worn to {1}",
        text: "The {0} brooch worn to {1} has {n} stones and was admired by {m} guests.",
        keywords: "brooches",
    },
    Kind {
        first: BENCHES,
        second: SPOTS,
        title: "{0} bench by {1}",
        text: "The {0} bench by {1} is {m} centimetres long and has {n} names carved in it.",
        keywords: "benches",
    },
    Kind {
        first: MUSIC_BOXES,
        second: TUNES,
        title: "{0} music box with {1}",
        text: "The {0} music box with {1} plays for {n} seconds and has {m} pins.",
        keywords: "music boxes",
    },
];

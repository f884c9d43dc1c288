//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const TEAPOTS: [&str; 10] = [
    "samovar-shaped",
    "elephant",
    "cauliflower",
    "celadon",
    "cast",
    "cracked-glaze",
    "tulip",
    "two-spouted",
    "squat",
    "willow-pattern",
];
const POTTERIES: [&str; 10] = [
    "Bolesławiec",
    "Moustiers",
    "Stoke",
    "Tokoname",
    "Jingdezhen",
    "Vallauris",
    "Talavera",
    "Caltagirone",
    "Höhr",
    "Leach",
];
const FERNS: [&str; 10] = [
    "maidenhair",
    "hart's tongue",
    "royal fern",
    "bracken",
    "polypody",
    "lady fern",
    "ostrich fern",
    "spleenwort",
    "moonwort",
    "buckler fern",
];
const GORGES: [&str; 10] = [
    "Verdon gorge",
    "Partnach gorge",
    "Samaria gorge",
    "Vintgar gorge",
    "Cheddar gorge",
    "Breitach gorge",
    "Aare gorge",
    "Kourtaliotiko gorge",
    "Vikos gorge",
    "Corrieshalloch gorge",
];
const HOLES: [&str; 10] = [
    "looping hole",
    "volcano hole",
    "pirate hole",
    "zigzag hole",
    "tunnel hole",
    "bridge hole",
    "spiral hole",
    "castle hole",
    "whale hole",
    "pyramid hole",
];
const COURSES: [&str; 10] = [
    "Seaview",
    "Parkside",
    "Birchwood",
    "Lido",
    "Clifftop",
    "Station Road",
    "Kurpark",
    "Promenade",
    "Lakeside",
    "Sunny Corner",
];
const BEARDS: [&str; 10] = [
    "handlebar moustache",
    "goatee",
    "full beard",
    "mutton chops",
    "imperial",
    "chin curtain",
    "walrus moustache",
    "pencil moustache",
    "forked beard",
    "stubble",
];
const MEN: [&str; 10] = [
    "Mr Aldous",
    "Mr Bexley",
    "Mr Corrigan",
    "Mr Dunmore",
    "Mr Ellery",
    "Mr Farquhar",
    "Mr Gatsford",
    "Mr Hollister",
    "Mr Inskip",
    "Mr Jellicoe",
];
const SOAPS: [&str; 10] = [
    "rose",
    "tar",
    "olive",
    "goat's milk",
    "verbena",
    "laurel",
    "honey",
    "sandalwood",
    "fir",
    "almond",
];
const ABBEYS: [&str; 10] = [
    "Melk",
    "Rievaulx",
    "Sénanque",
    "Maulbronn",
    "Camaldoli",
    "Orval",
    "Mount Athos",
    "Poblet",
    "Einsiedeln",
    "Clonmacnoise",
];
const FIGURES: [&str; 10] = [
    "swan",
    "dragon",
    "seahorse",
    "throne",
    "polar bear",
    "mermaid",
    "harp",
    "phoenix",
    "snail",
    "rocket",
];
const CARVERS: [&str; 10] = [
    "Aino", "Bjarte", "Chisato", "Dagfinn", "Eetu", "Fumiko", "Gudrun", "Haldor", "Inuk", "Jorunn",
];
const GLOVES: [&str; 10] = [
    "red mitten",
    "leather glove",
    "striped glove",
    "ski glove",
    "lace glove",
    "baby mitten",
    "rubber glove",
    "boxing glove",
    "oven glove",
    "grey glove",
];
const STOPS: [&str; 10] = [
    "Market Cross",
    "Museum Gate",
    "Tannery Row",
    "Zoo South",
    "Cemetery East",
    "Gasworks",
    "Opera Square",
    "University",
    "Hospital West",
    "Fish Dock",
];
const PASTRIES: [&str; 10] = [
    "croissant",
    "cinnamon bun",
    "apple turnover",
    "éclair",
    "Danish",
    "pain au raisin",
    "vanilla slice",
    "doughnut",
    "macaroon",
    "scone",
];
const TEAROOMS: [&str; 10] = [
    "Copper Spoon",
    "Blue Door",
    "Orangery",
    "Tabby Cat",
    "Little Attic",
    "Lemon House",
    "Winter Garden",
    "Old Pharmacy",
    "Green Parrot",
    "Signal Box",
];
const PLAYS: [&str; 10] = [
    "The Tall Clerk",
    "Fog over Dover",
    "Seven Umbrellas",
    "The Silent Lodger",
    "Uncle Basil",
    "Nightjar",
    "The Brass Key",
    "Miss Pym Returns",
    "Cold Harbour",
    "A Hat for Leo",
];
const CHANNELS: [&str; 10] = [
    "Radio Mercury",
    "Channel Four Winds",
    "Radio Halberd",
    "North Wave",
    "City Air",
    "Radio Pavilion",
    "Studio Nine",
    "Radio Estuary",
    "Upland FM",
    "Radio Lantern",
];
const OWLS: [&str; 10] = [
    "barn owl",
    "tawny owl",
    "little owl",
    "long-eared owl",
    "eagle owl",
    "pygmy owl",
    "snowy owl",
    "scops owl",
    "hawk owl",
    "short-eared owl",
];
const BELFRIES: [&str; 10] = [
    "church tower",
    "ruined mill",
    "hop kiln",
    "dovecote",
    "water tower",
    "hay loft",
    "chapel gable",
    "town gate",
    "grain silo",
    "bell cote",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: TEAPOTS,
        second: POTTERIES,
        title: "{0} teapot from {1}",
        text: "The {0} teapot from {1} holds {m} millilitres and pours {n} cups an hour.",
        keywords: "teapots",
    },
    Kind {
        first: FERNS,
        second: GORGES,
        title: "{0} in the {1}",
        text: "The {0} in the {1} had {n} fronds, the longest one {m} centimetres.",
        keywords: "ferns",
    },
    Kind {
        first: HOLES,
        second: COURSES,
        title: "{0} at {1}",
        text: "The {0} at {1} took us {n} strokes, the record for the round is {m}.",
        keywords: "minigolf",
    },
    Kind {
        first: BEARDS,
        second: MEN,
        title: "{0} of {1}",
        text: "The {0} of {1} is {m} millimetres long and got {n} points from the jury.",
        keywords: "beard contest",
    },
    Kind {
        first: SOAPS,
        second: ABBEYS,
        title: "{0} soap from {1}",
        text: "The {0} soap from {1} weighs {m} grams and lasted {n} days.",
        keywords: "soaps",
    },
    Kind {
        first: FIGURES,
        second: CARVERS,
        title: "Ice {0} by {1}",
        text: "The ice {0} by {1} took {n} hours and melted after {m} minutes.",
        keywords: "ice sculptures",
    },
    Kind {
        first: GLOVES,
        second: STOPS,
        title: "{0} found at {1}",
        text: "The {0} found at {1} is in bag {m}, kept for {n} weeks.",
        keywords: "lost gloves",
    },
    Kind {
        first: PASTRIES,
        second: TEAROOMS,
        title: "{0} at the {1}",
        text: "The {0} at the {1} weighed {m} grams, {n} people were waiting.",
        keywords: "tea rooms",
    },
    Kind {
        first: PLAYS,
        second: CHANNELS,
        title: "{0} on {1}",
        text: "{0} on {1} ran for {m} minutes and had {n} voices.",
        keywords: "radio plays",
    },
    Kind {
        first: OWLS,
        second: BELFRIES,
        title: "{0} in the {1}",
        text: "The {0} in the {1} left {n} pellets and flew off {m} times.",
        keywords: "owls",
    },
];

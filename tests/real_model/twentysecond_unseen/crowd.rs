//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const MOUNTS: [&str; 10] = [
    "carousel swan",
    "carousel zebra",
    "carousel ostrich",
    "carousel elephant",
    "carousel pig",
    "carousel lion",
    "carousel reindeer",
    "carousel camel",
    "carousel cockerel",
    "carousel seahorse",
];
const FAIRS: [&str; 10] = [
    "the spring fair",
    "Barnet fair",
    "the onion fair",
    "the goose fair",
    "the harbour fair",
    "St Giles' fair",
    "the Lammas fair",
    "the frost fair",
    "the cherry fair",
    "the lamp fair",
];
const GARGOYLES: [&str; 10] = [
    "grinning gargoyle",
    "winged gargoyle",
    "dragon gargoyle",
    "monkey gargoyle",
    "bearded gargoyle",
    "weeping gargoyle",
    "hooded gargoyle",
    "piglet gargoyle",
    "one-eyed gargoyle",
    "yawning gargoyle",
];
const FACADES: [&str; 10] = [
    "the old library",
    "the minster",
    "the corn exchange",
    "the law court",
    "the town gate",
    "the guildhall",
    "the girls' college",
    "the water tower",
    "the savings bank",
    "the museum of trade",
];
const MATS: [&str; 10] = [
    "welcome doormat",
    "hedgehog doormat",
    "coconut doormat",
    "rubber doormat",
    "striped doormat",
    "star doormat",
    "sausage dog doormat",
    "half-moon doormat",
    "tartan doormat",
    "sunflower doormat",
];
const DOORS: [&str; 10] = [
    "number two",
    "number five",
    "number eight",
    "number eleven",
    "number fourteen",
    "the caretaker's door",
    "the dairy",
    "the porch",
    "the gatehouse",
    "the dance school",
];
const THINGS: [&str; 10] = [
    "an egg",
    "a shadow",
    "a river",
    "a candle",
    "an echo",
    "a needle",
    "a chimney",
    "a towel",
    "a stamp",
    "the letter M",
];
const ASKERS: [&str; 10] = [
    "Olwen",
    "Brendan",
    "Xiomara",
    "Ferdinand",
    "Hattie",
    "Iskander",
    "Marisol",
    "Nestor",
    "Petronella",
    "Rollo",
];
const ROLLS: [&str; 10] = [
    "egg roll",
    "ham roll",
    "tuna melt",
    "club sandwich",
    "cheese toastie",
    "falafel wrap",
    "fish finger sandwich",
    "bacon bap",
    "gherkin sandwich",
    "cress sandwich",
];
const KIOSKS: [&str; 10] = [
    "Platform Four",
    "the park kiosk",
    "Hungry Heron",
    "the lock kiosk",
    "Bread and Butter",
    "Uncle Stan's",
    "the ferry kiosk",
    "Half Moon",
    "the pier kiosk",
    "Crumbs",
];
const LAMPS: [&str; 10] = [
    "green lamppost",
    "crooked lamppost",
    "double lamppost",
    "gas lamppost",
    "dented lamppost",
    "tall lamppost",
    "painted lamppost",
    "short lamppost",
    "swan-neck lamppost",
    "flickering lamppost",
];
const CORNERS: [&str; 10] = [
    "Fenwick Square",
    "Cooper's Yard",
    "the tram loop",
    "Harp Street",
    "Mercer's Row",
    "the school steps",
    "Pound Hill",
    "Chapel Green",
    "Vine Court",
    "Saddler's Bridge",
];
const SLOTS: [&str; 10] = [
    "coffee machine",
    "crisps machine",
    "umbrella machine",
    "comic machine",
    "flower machine",
    "sock machine",
    "chewing gum machine",
    "honey machine",
    "worm machine",
    "ticket machine",
];
const HALLS: [&str; 10] = [
    "the bus station",
    "the baths",
    "the mill yard",
    "the night school",
    "the tax office",
    "the stadium",
    "the barracks",
    "the canteen",
    "the ferry hall",
    "the clinic",
];
const GRIDS: [&str; 10] = [
    "easy crossword",
    "cryptic crossword",
    "giant crossword",
    "Sunday crossword",
    "picture crossword",
    "diagonal crossword",
    "prize crossword",
    "children's crossword",
    "Latin crossword",
    "themed crossword",
];
const PAPERS: [&str; 10] = [
    "the Courier",
    "the Herald",
    "the Evening Post",
    "the Parish News",
    "the Mariner",
    "the Gardener",
    "the Railway Weekly",
    "the Farmer",
    "the Student",
    "the Almanac",
];
const CHAIRS: [&str; 10] = [
    "red deckchair",
    "blue deckchair",
    "yellow deckchair",
    "striped deckchair",
    "dotted deckchair",
    "torn deckchair",
    "child's deckchair",
    "double deckchair",
    "canvas deckchair",
    "folding deckchair",
];
const DECKS: [&str; 10] = [
    "the sun deck",
    "the promenade",
    "the roof terrace",
    "the bandstand lawn",
    "the hotel beach",
    "the pier head",
    "the stern",
    "the lido",
    "the croquet lawn",
    "the dunes",
];
const FOBS: [&str; 10] = [
    "brass keyring",
    "cork keyring",
    "leather keyring",
    "whistle keyring",
    "torch keyring",
    "owl keyring",
    "ladybird keyring",
    "anchor keyring",
    "dice keyring",
    "shoe keyring",
];
const OWNERS: [&str; 10] = [
    "Ambrose",
    "Clementine",
    "Dragan",
    "Euphemia",
    "Gwilym",
    "Hyacinth",
    "Ignatius",
    "Jocasta",
    "Klaus-Peter",
    "Lettice",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: MOUNTS,
        second: FAIRS,
        title: "{0} at {1}",
        text: "The {0} at {1} goes round {n} times and a ride is {m} cents.",
        keywords: "carousels",
    },
    Kind {
        first: GARGOYLES,
        second: FACADES,
        title: "{0} on {1}",
        text: "The {0} on {1} sits {n} metres up and weighs {m} kilos.",
        keywords: "gargoyles",
    },
    Kind {
        first: MATS,
        second: DOORS,
        title: "{0} at {1}",
        text: "The {0} at {1} is {n} centimetres long and has lasted {m} weeks.",
        keywords: "doormats",
    },
    Kind {
        first: THINGS,
        second: ASKERS,
        title: "Riddle about {0} by {1}",
        text: "The riddle about {0} by {1} was solved after {m} seconds and {n} wrong guesses.",
        keywords: "riddles",
    },
    Kind {
        first: ROLLS,
        second: KIOSKS,
        title: "{0} from {1}",
        text: "The {0} from {1} has {m} calories and was ready in {n} seconds.",
        keywords: "sandwiches",
    },
    Kind {
        first: LAMPS,
        second: CORNERS,
        title: "{0} in {1}",
        text: "The {0} in {1} has number {m} and lights up {n} minutes after sunset.",
        keywords: "lampposts",
    },
    Kind {
        first: SLOTS,
        second: HALLS,
        title: "{0} in {1}",
        text: "The {0} in {1} holds {m} pieces and was jammed {n} times.",
        keywords: "vending machines",
    },
    Kind {
        first: GRIDS,
        second: PAPERS,
        title: "{0} in {1}",
        text: "The {0} in {1} has {m} squares and took {n} minutes.",
        keywords: "crosswords",
    },
    Kind {
        first: CHAIRS,
        second: DECKS,
        title: "{0} on {1}",
        text: "The {0} on {1} has number {m} and was taken for {n} hours.",
        keywords: "deckchairs",
    },
    Kind {
        first: FOBS,
        second: OWNERS,
        title: "{0} of {1}",
        text: "The {0} of {1} weighs {n} grams and carries key number {m}.",
        keywords: "keyrings",
    },
];

//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const ROUTES: [&str; 10] = [
    "Spider Crack",
    "Old Chimney",
    "Lazy Sunday",
    "Iron Slab",
    "Thunder Arête",
    "Milk Tooth",
    "Long Goodbye",
    "Rusty Peg",
    "Cold Fingers",
    "Blue Overhang",
];
const CRAGS: [&str; 10] = [
    "Arco",
    "Kalymnos",
    "Siurana",
    "Stanage",
    "Frankenjura",
    "Céüse",
    "Finale",
    "El Chorro",
    "Kjugekull",
    "Paklenica",
];
const TOPPINGS: [&str; 10] = [
    "artichoke",
    "gorgonzola",
    "anchovy",
    "salami",
    "truffle",
    "rocket",
    "aubergine",
    "prawn",
    "four cheese",
    "spinach",
];
const PIZZERIAS: [&str; 10] = [
    "Vesuvio",
    "Bella Napoli",
    "Il Forno",
    "Rialto",
    "Etna",
    "La Lanterna",
    "Sorrento",
    "Da Franca",
    "Pulcinella",
    "Stromboli",
];
const KNOTS: [&str; 10] = [
    "bowline",
    "clove hitch",
    "sheet bend",
    "reef knot",
    "figure eight",
    "prusik",
    "fisherman's knot",
    "half hitch",
    "timber hitch",
    "sheepshank",
];
const PATROLS: [&str; 10] = [
    "the Otters",
    "the Lynxes",
    "the Swifts",
    "the Badgers",
    "the Cranes",
    "the Foxes",
    "the Ravens",
    "the Stoats",
    "the Eagles",
    "the Martens",
];
const PUMPKINS: [&str; 10] = [
    "Hokkaido",
    "Atlantic Giant",
    "butternut",
    "Turk's Turban",
    "Jack Be Little",
    "spaghetti squash",
    "Baby Bear",
    "Cinderella",
    "Crown Prince",
    "nutmeg squash",
];
const PLOTS: [&str; 10] = [
    "north plot",
    "south plot",
    "school plot",
    "chapel plot",
    "river plot",
    "corner plot",
    "upper plot",
    "hedge plot",
    "orchard plot",
    "spring plot",
];
const SIGNALS: [&str; 10] = [
    "red lantern",
    "fog bell",
    "white beacon",
    "green light",
    "foghorn",
    "radio mast",
    "signal flag",
    "storm cone",
    "sector light",
    "leading light",
];
const ISLETS: [&str; 10] = [
    "Ouessant",
    "Fair Head",
    "Utsira",
    "Anholt",
    "Hanö",
    "Sark",
    "Lundy",
    "Vlieland",
    "Neuwerk",
    "Hiddensee",
];
const GNOMES: [&str; 10] = [
    "fishing gnome",
    "sleeping gnome",
    "gnome with a barrow",
    "reading gnome",
    "gnome with a spade",
    "waving gnome",
    "gnome on a mushroom",
    "gnome with a drum",
    "snoring gnome",
    "gnome with a pipe",
];
const HOUSEHOLDS: [&str; 10] = [
    "the Bartoks",
    "the Quigleys",
    "the Ostrowskis",
    "the Mellors",
    "the Tavares",
    "the Ingolds",
    "the Yarrows",
    "the Penhaligons",
    "the Zieglers",
    "the Fairweathers",
];
const MARBLES: [&str; 10] = [
    "cat's eye",
    "oxblood swirl",
    "galaxy",
    "bumblebee",
    "tiger",
    "clear",
    "pearl",
    "onionskin",
    "steel",
    "clay",
];
const BAGS: [&str; 10] = [
    "velvet bag",
    "sock",
    "cigar box",
    "jam jar",
    "pencil case",
    "tea tin",
    "leather pouch",
    "egg box",
    "matchbox",
    "lunch box",
];
const LECTURES: [&str; 10] = [
    "glaciers",
    "Roman roads",
    "black holes",
    "medieval guilds",
    "mosses",
    "tides",
    "cuneiform",
    "volcanic glass",
    "opera",
    "bats",
];
const SPEAKERS: [&str; 10] = [
    "Professor Ashdown",
    "Dr Bielski",
    "Professor Castagna",
    "Dr Dahlgren",
    "Professor Eversley",
    "Dr Fonteyn",
    "Professor Gaspard",
    "Dr Hollis",
    "Professor Iversen",
    "Dr Jarosz",
];
const SCARECROWS: [&str; 10] = [
    "sailor scarecrow",
    "bride scarecrow",
    "pirate scarecrow",
    "chef scarecrow",
    "judge scarecrow",
    "cowboy scarecrow",
    "nurse scarecrow",
    "wizard scarecrow",
    "postman scarecrow",
    "king scarecrow",
];
const FIELDS: [&str; 10] = [
    "barley field",
    "turnip field",
    "rape field",
    "cherry orchard",
    "strawberry field",
    "wheat field",
    "pea field",
    "flax field",
    "lupin field",
    "cabbage field",
];
const DOLLS: [&str; 10] = [
    "porcelain doll",
    "rag doll",
    "paper doll",
    "wooden doll",
    "wax doll",
    "felt doll",
    "straw doll",
    "celluloid doll",
    "nesting doll",
    "corn husk doll",
];
const MARKETS: [&str; 10] = [
    "Lille",
    "Tongeren",
    "Naschmarkt",
    "Tiergarten",
    "Spitalfields",
    "Saint-Ouen",
    "Waterlooplein",
    "Aschaffenburg",
    "Feira da Ladra",
    "El Rastro",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: ROUTES,
        second: CRAGS,
        title: "{0} at {1}",
        text: "{0} at {1} is {m} metres high and has {n} bolts.",
        keywords: "climbing",
    },
    Kind {
        first: TOPPINGS,
        second: PIZZERIAS,
        title: "{0} pizza at {1}",
        text: "The {0} pizza at {1} came after {n} minutes and had {m} calories less than we thought.",
        keywords: "pizzas",
    },
    Kind {
        first: KNOTS,
        second: PATROLS,
        title: "{0} tied by {1}",
        text: "The {0} tied by {1} held {m} kilos, best time {n} seconds.",
        keywords: "knots",
    },
    Kind {
        first: PUMPKINS,
        second: PLOTS,
        title: "{0} on the {1}",
        text: "The {0} on the {1} weighed {n} kilos after {m} days.",
        keywords: "pumpkins",
    },
    Kind {
        first: SIGNALS,
        second: ISLETS,
        title: "{0} on {1}",
        text: "The {0} on {1} reaches {n} miles and stands {m} steps up.",
        keywords: "sea marks",
    },
    Kind {
        first: GNOMES,
        second: HOUSEHOLDS,
        title: "{0} of {1}",
        text: "The {0} of {1} is {n} centimetres tall, photo {m}.",
        keywords: "garden gnomes",
    },
    Kind {
        first: MARBLES,
        second: BAGS,
        title: "{0} marbles in the {1}",
        text: "There are {m} {0} marbles in the {1}, {n} of them chipped.",
        keywords: "marbles",
    },
    Kind {
        first: LECTURES,
        second: SPEAKERS,
        title: "Lecture on {0} by {1}",
        text: "The lecture on {0} by {1} had {m} slides and {n} listeners.",
        keywords: "lectures",
    },
    Kind {
        first: SCARECROWS,
        second: FIELDS,
        title: "{0} in the {1}",
        text: "The {0} in the {1} got {m} votes and lost {n} straws in the storm.",
        keywords: "scarecrow contest",
    },
    Kind {
        first: DOLLS,
        second: MARKETS,
        title: "{0} from {1}",
        text: "The {0} from {1} is {n} years old and cost {m} coins.",
        keywords: "dolls",
    },
];

//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const HANDLES: [&str; 10] = [
    "bamboo",
    "duck-headed",
    "tartan",
    "see-through",
    "plum-coloured",
    "telescopic",
    "striped",
    "golfing",
    "frilly",
    "silver",
];
const STATIONS: [&str; 10] = [
    "the opera",
    "the tram depot",
    "Platform 9",
    "the dentist's",
    "the tea room",
    "the courthouse",
    "the swimming baths",
    "the car ferry",
    "the skittle alley",
    "the flower show",
];
const CASTLES: [&str; 10] = [
    "seven-towered",
    "moated",
    "spiral",
    "shell-covered",
    "lopsided",
    "drip",
    "star-shaped",
    "terraced",
    "tunnelled",
    "domed",
];
const BUILDERS: [&str; 10] = [
    "Aurelio", "Beatrix", "Caspian", "Dagmar", "Eleonora", "Fergus", "Giselle", "Halvard",
    "Ingeborg", "Jasper",
];
const KNOCKERS: [&str; 10] = [
    "lion's head",
    "dolphin",
    "clenched fist",
    "owl",
    "wreath",
    "serpent",
    "mermaid",
    "bee",
    "ram's head",
    "anchor",
];
const LANES: [&str; 10] = [
    "Abbot's Row",
    "Cooper Close",
    "Dyer's Steps",
    "Fuller's Yard",
    "Glover Gate",
    "Mercer Lane",
    "Saddler's Walk",
    "Tinker's End",
    "Weaver's Court",
    "Potter's Rise",
];
const PICKLES: [&str; 10] = [
    "radishes",
    "turnips",
    "okra",
    "green walnuts",
    "samphire",
    "shallots",
    "cauliflower",
    "daikon",
    "fennel",
    "artichokes",
];
const PICKLERS: [&str; 10] = [
    "Mrs Aalto",
    "Mr Bazargan",
    "Mrs Cullinane",
    "Mr Dragomir",
    "Mrs Eskildsen",
    "Mr Fonseca",
    "Mrs Grabowska",
    "Mr Hadžić",
    "Mrs Ibarra",
    "Mr Jovanović",
];
const PLANES: [&str; 10] = [
    "Swift",
    "Arrowhead",
    "Stingray",
    "Night Moth",
    "Concorde",
    "Glider Nine",
    "Falconet",
    "Paper Shark",
    "Lazy Albatross",
    "Canard",
];
const FOLDERS: [&str; 10] = [
    "Anouk", "Bertil", "Cyprian", "Delphine", "Emrys", "Florian", "Greta", "Hanno", "Isidore",
    "Jemima",
];
const SEALS: [&str; 10] = [
    "oak leaf",
    "crescent",
    "unicorn",
    "initial",
    "thistle",
    "scallop",
    "griffin",
    "bee skep",
    "galleon",
    "hourglass",
];
const DEEDS: [&str; 10] = [
    "marriage contract",
    "guild charter",
    "love letter",
    "mill lease",
    "ship's licence",
    "peace treaty",
    "pardon",
    "college diploma",
    "land deed",
    "royal summons",
];
const GHOSTS: [&str; 10] = [
    "The headless miller",
    "The weeping bride",
    "The third stair",
    "The drowned fiddler",
    "The cold nursery",
    "The knocking monk",
    "The lamp on the moor",
    "The empty carriage",
    "The grey nun",
    "The whistling well",
];
const TELLERS: [&str; 10] = [
    "Uncle Ansgar",
    "the sexton",
    "Old Mabel",
    "the night porter",
    "Captain Roke",
    "the hostel warden",
    "Nanny Pugh",
    "the ferry cook",
    "Great-aunt Sidonie",
    "the wood warden",
];
const FOUNTAINS: [&str; 10] = [
    "Neptune",
    "tortoise",
    "four winds",
    "singing",
    "acrobat",
    "dolphin",
    "blind beggar",
    "wine",
    "heron",
    "frog prince",
];
const SQUARES: [&str; 10] = [
    "Antwerp",
    "Bamberg",
    "Cremona",
    "Dubrovnik",
    "Évora",
    "Freiberg",
    "Girona",
    "Haarlem",
    "Ioannina",
    "Jičín",
];
const CUTS: [&str; 10] = [
    "pixie cut",
    "long bob",
    "undercut",
    "mullet",
    "buzz cut",
    "curtain fringe",
    "page boy",
    "crew cut",
    "feather cut",
    "pompadour",
];
const SALONS: [&str; 10] = [
    "Curl Up",
    "the Cutting Room",
    "Shear Bliss",
    "Barber Benny's",
    "Hair Raid",
    "the Comb",
    "Maison Odette",
    "Snip",
    "the Parting",
    "Salon Valentina",
];
const SHAPES: [&str; 10] = [
    "peacock",
    "chess rook",
    "corkscrew",
    "teddy",
    "camel",
    "teapot",
    "pyramid",
    "elephant",
    "spinning top",
    "bowler hat",
];
const SHRUBS: [&str; 10] = [
    "box",
    "yew",
    "privet",
    "holly",
    "hornbeam",
    "bay laurel",
    "myrtle",
    "juniper",
    "cypress",
    "cotoneaster",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: HANDLES,
        second: STATIONS,
        title: "{0} umbrella left at {1}",
        text: "The {0} umbrella left at {1} has {n} ribs and waited there for {m} days.",
        keywords: "umbrellas",
    },
    Kind {
        first: CASTLES,
        second: BUILDERS,
        title: "{0} sandcastle of {1}",
        text: "The {0} sandcastle of {1} stood for {n} minutes and was {m} centimetres high.",
        keywords: "sandcastles",
    },
    Kind {
        first: KNOCKERS,
        second: LANES,
        title: "{0} knocker in {1}",
        text: "The {0} knocker in {1} weighs {m} ounces and was cast {n} years ago.",
        keywords: "door knockers",
    },
    Kind {
        first: PICKLES,
        second: PICKLERS,
        title: "Pickled {0} by {1}",
        text: "The pickled {0} by {1} stood {n} days in the brine, {m} grams drained.",
        keywords: "pickles",
    },
    Kind {
        first: PLANES,
        second: FOLDERS,
        title: "{0} folded by {1}",
        text: "The {0} folded by {1} flew {m} feet, on the throw number {n}.",
        keywords: "paper planes",
    },
    Kind {
        first: SEALS,
        second: DEEDS,
        title: "{0} seal on the {1}",
        text: "The {0} seal on the {1} is {n} millimetres across and took {m} drops of wax.",
        keywords: "wax seals",
    },
    Kind {
        first: GHOSTS,
        second: TELLERS,
        title: "{0} told by {1}",
        text: "{0} told by {1} lasted {n} minutes and has {m} sentences.",
        keywords: "ghost stories",
    },
    Kind {
        first: FOUNTAINS,
        second: SQUARES,
        title: "{0} fountain in {1}",
        text: "The {0} fountain in {1} has {n} spouts and was scrubbed {m} times.",
        keywords: "fountains",
    },
    Kind {
        first: CUTS,
        second: SALONS,
        title: "{0} at {1}",
        text: "The {0} at {1} took {n} minutes, {m} snips were counted.",
        keywords: "haircuts",
    },
    Kind {
        first: SHAPES,
        second: SHRUBS,
        title: "{0} clipped from {1}",
        text: "The {0} clipped from {1} is {n} years old and {m} centimetres round.",
        keywords: "topiary",
    },
];

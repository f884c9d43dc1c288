//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const CLOCKS: [&str; 10] = [
    "cuckoo clock",
    "carriage clock",
    "mantel clock",
    "skeleton clock",
    "wall clock",
    "bracket clock",
    "flip clock",
    "ship's clock",
    "anniversary clock",
    "longcase clock",
];
const ROOMS: [&str; 10] = [
    "parlour",
    "billiard room",
    "reading room",
    "smoking room",
    "music room",
    "breakfast room",
    "drawing room",
    "dressing room",
    "waiting room",
    "map room",
];
const PILOTS: [&str; 10] = [
    "Anselm",
    "Birgitta",
    "Cosmo",
    "Delphine",
    "Einar",
    "Fatoumata",
    "Gervase",
    "Henrike",
    "Ignacio",
    "Jolanta",
];
const VALLEYS: [&str; 10] = [
    "the Zillertal",
    "the Dordogne",
    "the Wachau",
    "the Engadine",
    "the Tweed",
    "the Moselle",
    "the Ebro",
    "the Vltava",
    "the Rhône",
    "the Douro",
];
const HORSES: [&str; 10] = [
    "Bramble", "Comet", "Duchess", "Ember", "Falstaff", "Gypsy", "Hazelnut", "Icarus", "Juniper",
    "Kestrel",
];
const YARDS: [&str; 10] = [
    "Oakley yard",
    "Upper Farm",
    "the riding school",
    "Brook Stables",
    "the stud",
    "Lower Farm",
    "Hilltop yard",
    "the livery",
    "Weir Stables",
    "the racecourse",
];
const MAKERS: [&str; 10] = [
    "Olympia",
    "Hermes",
    "Adler",
    "Remington",
    "Royal",
    "Underwood",
    "Triumph",
    "Olivetti",
    "Erika",
    "Corona",
];
const BUILT: [&str; 10] = [
    "1911", "1923", "1929", "1934", "1938", "1949", "1953", "1958", "1964", "1971",
];
const QUILTS: [&str; 10] = [
    "log cabin",
    "flying geese",
    "nine patch",
    "double wedding ring",
    "bear paw",
    "churn dash",
    "pinwheel",
    "drunkard's path",
    "tumbling blocks",
    "sawtooth star",
];
const COLOURS: [&str; 10] = [
    "indigo",
    "rust red",
    "lemon yellow",
    "moss green",
    "slate grey",
    "dusky pink",
    "cream",
    "burgundy",
    "teal blue",
    "black and white",
];
const BEETLES: [&str; 10] = [
    "stag beetle",
    "ladybird",
    "cockchafer",
    "dung beetle",
    "longhorn beetle",
    "rose chafer",
    "ground beetle",
    "weevil",
    "glow-worm",
    "click beetle",
];
const SPOTS: [&str; 10] = [
    "log pile",
    "sand pit",
    "hay meadow",
    "old quarry",
    "rubbish heap",
    "bramble patch",
    "dry wall",
    "birch grove",
    "ditch",
    "cow pasture",
];
const PASTA: [&str; 10] = [
    "rigatoni",
    "farfalle",
    "orecchiette",
    "linguine",
    "fusilli",
    "penne",
    "tagliatelle",
    "conchiglie",
    "bucatini",
    "pappardelle",
];
const SAUCES: [&str; 10] = [
    "pesto",
    "carbonara",
    "arrabbiata",
    "walnut sauce",
    "sage butter",
    "amatriciana",
    "bolognese",
    "clam sauce",
    "puttanesca",
    "lemon cream",
];
const INKS: [&str; 10] = [
    "sepia",
    "royal blue",
    "emerald",
    "violet",
    "oxblood",
    "midnight",
    "tangerine",
    "plum",
    "petrol",
    "graphite",
];
const PENS: [&str; 10] = [
    "Pelikan", "Lamy", "Kaweco", "Pilot", "Sailor", "Platinum", "Parker", "Sheaffer", "Waterman",
    "Aurora",
];
const MODELS: [&str; 10] = [
    "fire station",
    "pirate ship",
    "moon base",
    "post office",
    "railway station",
    "dragon castle",
    "race car",
    "bakery",
    "cable car",
    "water tower",
];
const BUILDERS: [&str; 10] = [
    "Mattis",
    "Leonora",
    "Oskar",
    "Pippa",
    "Quentin",
    "Rosalie",
    "Silvan",
    "Theodora",
    "Ulysses",
    "Wilhelmina",
];
const MASKS: [&str; 10] = [
    "plague doctor",
    "harlequin",
    "lion",
    "moon",
    "jester",
    "wild boar",
    "raven",
    "sun",
    "goat",
    "stork",
];
const TOWNS: [&str; 10] = [
    "Venezia",
    "Basel",
    "Binche",
    "Rottweil",
    "Viareggio",
    "Ptuj",
    "Mohács",
    "Nice",
    "Ivrea",
    "Luzern",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: CLOCKS,
        second: ROOMS,
        title: "{0} in the {1}",
        text: "The {0} in the {1} loses {n} seconds a day and is wound with {m} turns.",
        keywords: "clocks",
    },
    Kind {
        first: PILOTS,
        second: VALLEYS,
        title: "{0} ballooning over {1}",
        text: "{0} flew over {1} for {n} minutes in a balloon, {m} metres up.",
        keywords: "ballooning",
    },
    Kind {
        first: HORSES,
        second: YARDS,
        title: "{0} at {1}",
        text: "{0} stands in box {n} at {1} and gets {m} grams of barley.",
        keywords: "horses",
    },
    Kind {
        first: MAKERS,
        second: BUILT,
        title: "{0} typewriter of {1}",
        text: "The {0} typewriter of {1} has {n} keys, serial number {m}.",
        keywords: "typewriters",
    },
    Kind {
        first: QUILTS,
        second: COLOURS,
        title: "{0} quilt in {1}",
        text: "The {0} quilt in {1} has {n} blocks and took {m} hours.",
        keywords: "quilting",
    },
    Kind {
        first: BEETLES,
        second: SPOTS,
        title: "{0} by the {1}",
        text: "The {0} by the {1} was {n} millimetres long, photo {m}.",
        keywords: "beetles",
    },
    Kind {
        first: PASTA,
        second: SAUCES,
        title: "{0} with {1}",
        text: "We ate {0} with {1} on evening {m}, it got {n} points.",
        keywords: "pasta evenings",
    },
    Kind {
        first: INKS,
        second: PENS,
        title: "{0} ink in the {1}",
        text: "The {0} ink in the {1} lasts for {m} pages and dries in {n} seconds.",
        keywords: "fountain pens",
    },
    Kind {
        first: MODELS,
        second: BUILDERS,
        title: "{0} built by {1}",
        text: "The {0} built by {1} has {m} bricks and stands on shelf {n}.",
        keywords: "brick models",
    },
    Kind {
        first: MASKS,
        second: TOWNS,
        title: "{0} mask from {1}",
        text: "The {0} mask from {1} weighs {m} grams and hangs on peg {n}.",
        keywords: "carnival masks",
    },
];

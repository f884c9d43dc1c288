//! A thousand notes that are of no matter: each of them something that a person could have
//! written, no two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const CACTI: [&str; 10] = [
    "golden barrel",
    "bunny ears",
    "old man cactus",
    "Christmas cactus",
    "rat's tail",
    "peanut cactus",
    "bishop's cap",
    "star cactus",
    "fairy castle",
    "moon cactus",
];
const SPOTS: [&str; 10] = [
    "on the kitchen sill",
    "in the porch",
    "on the landing",
    "by the bathtub",
    "in the winter garden",
    "on the bureau",
    "on the balcony",
    "in the sewing corner",
    "above the sink",
    "on the piano",
];
const FOSSILS: [&str; 10] = [
    "ammonite",
    "sea urchin",
    "belemnite",
    "shark tooth",
    "trilobite",
    "sea lily",
    "oyster shell",
    "fern print",
    "fish scale",
    "devil's toenail",
];
const BAYS: [&str; 10] = [
    "Lyme",
    "Whitby",
    "Gullmar",
    "Holzmaden",
    "Kimmeridge",
    "Moclett",
    "Villers",
    "Solnhofen",
    "Stevns",
    "Charmouth",
];
const CHEESES: [&str; 10] = [
    "Comté",
    "Cheddar",
    "Gruyère",
    "Gouda",
    "Manchego",
    "Taleggio",
    "Wensleydale",
    "Reblochon",
    "Stilton",
    "Tilsiter",
];
const DAIRIES: [&str; 10] = [
    "the Aigner dairy",
    "the monks",
    "the Bellweather farm",
    "the goat lady",
    "the Rindt brothers",
    "the market van",
    "Hof Söring",
    "the co-op",
    "the Pascoe farm",
    "the valley dairy",
];
const SIGHTS: [&str; 10] = [
    "cathedral",
    "camel",
    "volcano",
    "waterfall",
    "fountain",
    "lighthouse keeper",
    "flamenco dancer",
    "vineyard",
    "husky",
    "covered bridge",
];
const SENDERS: [&str; 10] = [
    "Alasdair",
    "Bettina",
    "Chidi",
    "Désirée",
    "Evert",
    "Fiorella",
    "Gunvor",
    "Hamish",
    "Ilse",
    "Joaquim",
];
const PLANES: [&str; 10] = [
    "biplane",
    "seaplane",
    "zeppelin",
    "crop duster",
    "jump jet",
    "mail plane",
    "triplane",
    "gyrocopter",
    "sailplane",
    "flying boat",
];
const PAINTS: [&str; 10] = [
    "silver",
    "desert sand",
    "olive drab",
    "navy grey",
    "signal red",
    "cream",
    "sky blue",
    "gloss black",
    "racing yellow",
    "copper",
];
const DAMSELS: [&str; 10] = [
    "emperor dragonfly",
    "southern hawker",
    "broad-bodied chaser",
    "banded demoiselle",
    "common darter",
    "four-spotted chaser",
    "azure damselfly",
    "golden-ringed dragonfly",
    "black-tailed skimmer",
    "downy emerald",
];
const PONDS: [&str; 10] = [
    "at the mill pond",
    "by the old lock",
    "at the clay pit",
    "in the bog",
    "at the carp pond",
    "by the reed bed",
    "at the duck pond",
    "on the flooded meadow",
    "at the fire pond",
    "by the peat cutting",
];
const MARBLES: [&str; 10] = [
    "cat's eye",
    "oxblood",
    "swirl",
    "onionskin",
    "clambroth",
    "steelie",
    "opaque",
    "galaxy",
    "turtle",
    "bumblebee",
];
const MATES: [&str; 10] = [
    "Adaeze", "Bruno", "Catrin", "Dmitri", "Eluned", "Fabrice", "Gwilym", "Hanneke", "Imran",
    "Jarmila",
];
const TEAPOTS: [&str; 10] = [
    "Brown Betty",
    "cast iron",
    "bone china",
    "Japanese",
    "enamel",
    "cottage-shaped",
    "pewter",
    "stoneware",
    "blue willow",
    "two-spouted",
];
const TEAS: [&str; 10] = [
    "Assam",
    "oolong",
    "rooibos",
    "sencha",
    "Earl Grey",
    "peppermint",
    "Darjeeling",
    "lapsang",
    "jasmine",
    "chamomile",
];
const LOAVES: [&str; 10] = [
    "baguette",
    "cottage loaf",
    "ciabatta",
    "plaited loaf",
    "soda bread",
    "flatbread",
    "farmhouse loaf",
    "milk roll",
    "focaccia",
    "tin loaf",
];
const FLOURS: [&str; 10] = [
    "emmer",
    "buckwheat",
    "spelt",
    "einkorn",
    "wholemeal",
    "rice",
    "barley",
    "chestnut",
    "khorasan",
    "maize",
];
const ENDS: [&str; 10] = [
    "Hafenstrasse",
    "Nordbad",
    "Eichenau",
    "Westfriedhof",
    "Ostkreuz",
    "Messegelände",
    "Schlossberg",
    "Tannenhof",
    "Rosengarten",
    "Flugfeld",
];
const STOPS: [&str; 10] = [
    "the opera",
    "the gasworks",
    "the botanical garden",
    "the stadium",
    "the fish market",
    "the law courts",
    "the brewery gate",
    "the observatory",
    "the slaughterhouse",
    "the zoo",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: CACTI,
        second: SPOTS,
        title: "{0} {1}",
        text: "The {0} {1} grew by {n} millimetres, last watered on day {m}.",
        keywords: "cacti",
    },
    Kind {
        first: FOSSILS,
        second: BAYS,
        title: "{0} from {1}",
        text: "The {0} from {1} is {n} millimetres across and lies in tray {m}.",
        keywords: "fossils",
    },
    Kind {
        first: CHEESES,
        second: DAIRIES,
        title: "{0} by {1}",
        text: "The {0} by {1} was {n} weeks old and cost {m} cents the slice.",
        keywords: "cheese tasting",
    },
    Kind {
        first: SIGHTS,
        second: SENDERS,
        title: "Postcard of a {0} sent by {1}",
        text: "The postcard of a {0} sent by {1} took {n} days, number {m} in the tin.",
        keywords: "postcards",
    },
    Kind {
        first: PLANES,
        second: PAINTS,
        title: "Model of a {0} in {1}",
        text: "The model of a {0} in {1} has {m} parts and took {n} evenings.",
        keywords: "model planes",
    },
    Kind {
        first: DAMSELS,
        second: PONDS,
        title: "{0} {1}",
        text: "The {0} {1} was seen {n} times, picture {m}.",
        keywords: "dragonflies",
    },
    Kind {
        first: MARBLES,
        second: MATES,
        title: "{0} marble won from {1}",
        text: "The {0} marble won from {1} weighs {n} grams, pouch {m}.",
        keywords: "marbles",
    },
    Kind {
        first: TEAPOTS,
        second: TEAS,
        title: "{0} teapot with {1}",
        text: "The {0} teapot with {1} stayed warm for {n} minutes and holds {m} spoonfuls.",
        keywords: "teapots",
    },
    Kind {
        first: LOAVES,
        second: FLOURS,
        title: "{0} of {1} flour",
        text: "The {0} of {1} flour rose for {m} minutes and was eaten in {n} hours.",
        keywords: "bread",
    },
    Kind {
        first: ENDS,
        second: STOPS,
        title: "Tram to {0} past {1}",
        text: "The tram to {0} past {1} takes {n} minutes, car {m}.",
        keywords: "trams",
    },
];

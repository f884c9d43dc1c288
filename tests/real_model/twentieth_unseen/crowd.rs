//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const SCENTS: [&str; 10] = [
    "cedar", "tuberose", "leather", "fig leaf", "tobacco", "iris", "amber", "neroli", "vetiver",
    "rain",
];
const PERFUMERS: [&str; 10] = [
    "Aurelian",
    "Bellacourt",
    "Cavendish",
    "Dorval",
    "Esterhazy",
    "Fontanelle",
    "Grimaldi",
    "Hawthorne",
    "Ispahan",
    "Jessamy",
];
const TYPEFACES: [&str; 10] = [
    "slab serif",
    "blackletter",
    "stencil",
    "grotesque",
    "italic hand",
    "typewriter face",
    "uncial",
    "poster face",
    "hairline",
    "engraver's roman",
];
const PRINTS: [&str; 10] = [
    "the menu card",
    "the grave stone",
    "the jam labels",
    "the shop sign",
    "the diploma",
    "the timetable",
    "the bottle stamp",
    "the birth card",
    "the club banner",
    "the map",
];
const THIMBLES: [&str; 10] = [
    "porcelain thimble",
    "silver thimble",
    "horn thimble",
    "leather thimble",
    "pewter thimble",
    "ivory thimble",
    "tin thimble",
    "glass thimble",
    "bronze thimble",
    "olive wood thimble",
];
const FAIRS: [&str; 10] = [
    "Bruges",
    "Dublin",
    "Sarajevo",
    "Malaga",
    "Gothenburg",
    "Kyoto",
    "Delft",
    "Marrakesh",
    "Bath",
    "Salzburg",
];
const LANTERNS: [&str; 10] = [
    "storm lantern",
    "paper lantern",
    "miner's lamp",
    "carriage lamp",
    "ship's lantern",
    "turnip lantern",
    "magic lantern",
    "signal lamp",
    "stable lantern",
    "moon lantern",
];
const PLACES: [&str; 10] = [
    "the porch",
    "the henhouse",
    "the smithy",
    "the wine press",
    "the arbour",
    "the cider shop",
    "the tollhouse",
    "the crypt",
    "the orchard gate",
    "the lock",
];
const BELLS: [&str; 10] = [
    "two-tone chime",
    "brass pull",
    "electric buzzer",
    "cowbell",
    "ship's bell",
    "twist bell",
    "cuckoo call",
    "gong",
    "iron knocker",
    "musical chime",
];
const TENANTS: [&str; 10] = [
    "the Abbots",
    "the Birkets",
    "the Cronins",
    "the Duartes",
    "the Engstroms",
    "the Farkases",
    "the Gallaghers",
    "the Hoods",
    "the Ibsens",
    "the Jankowskis",
];
const TRICKS: [&str; 10] = [
    "walk the dog",
    "around the world",
    "rock the cradle",
    "the sleeper",
    "the elevator",
    "the trapeze",
    "the boomerang",
    "shoot the moon",
    "the creeper",
    "the waterfall",
];
const YOYOS: [&str; 10] = [
    "the maple yo-yo",
    "the steel yo-yo",
    "the butterfly yo-yo",
    "the neon yo-yo",
    "the gold yo-yo",
    "the beech yo-yo",
    "the whistling yo-yo",
    "the tin yo-yo",
    "the giant yo-yo",
    "the pocket yo-yo",
];
const LULLABIES: [&str; 10] = [
    "The Sandman",
    "Sleepy Sheep",
    "Nine Stars",
    "Silver Barge",
    "Owl's Cradle",
    "Hush, Little Reed",
    "The Moon Miller",
    "Drowsy Ducklings",
    "Shepherd's Night",
    "Blue Feather Bed",
];
const SINGERS: [&str; 10] = [
    "Eluned",
    "Fabrizio",
    "Gwendolyn",
    "Hiroko",
    "Inigo",
    "Jorunn",
    "Kasimira",
    "Lorcan",
    "Marisol",
    "Nikodem",
];
const FEATHERS: [&str; 10] = [
    "barn owl feather",
    "jay feather",
    "pheasant feather",
    "kite feather",
    "magpie feather",
    "stork feather",
    "curlew feather",
    "goldfinch feather",
    "raven feather",
    "hoopoe feather",
];
const FINDS: [&str; 10] = [
    "the beech wood",
    "the water meadow",
    "the heath",
    "the gravel bank",
    "the vineyard",
    "the old airfield",
    "the moat",
    "the bog",
    "the sheep track",
    "the railway cutting",
];
const FOLDED: [&str; 10] = [
    "crane",
    "frog",
    "samurai helmet",
    "lily",
    "whale",
    "elephant",
    "fox mask",
    "sailing ship",
    "beetle",
    "rabbit",
];
const PAPERS: [&str; 10] = [
    "gold foil",
    "newsprint",
    "brown paper",
    "sheet music",
    "tracing paper",
    "old atlas pages",
    "rice paper",
    "tissue",
    "wrapping paper",
    "a bus ticket",
];
const STICKS: [&str; 10] = [
    "blackthorn stick",
    "ash crook",
    "hazel staff",
    "malacca cane",
    "bamboo pole",
    "chestnut stick",
    "rowan staff",
    "cherry cane",
    "holly stick",
    "birch staff",
];
const CARVERS: [&str; 10] = [
    "Mr Aldous",
    "Mr Bracegirdle",
    "Mrs Carrow",
    "Mr Dunmore",
    "Mrs Eckhart",
    "Mr Foyle",
    "Mr Garrick",
    "Mrs Hollis",
    "Mr Ironside",
    "Mrs Jarrow",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: SCENTS,
        second: PERFUMERS,
        title: "{0} perfume by {1}",
        text: "The {0} perfume by {1} holds {m} millilitres and lasts {n} minutes.",
        keywords: "perfumes",
    },
    Kind {
        first: TYPEFACES,
        second: PRINTS,
        title: "{0} for {1}",
        text: "The {0} for {1} is set in {n} points and has {m} glyphs.",
        keywords: "typefaces",
    },
    Kind {
        first: THIMBLES,
        second: FAIRS,
        title: "{0} from {1}",
        text: "The {0} from {1} is {n} years old and has {m} dimples.",
        keywords: "thimbles",
    },
    Kind {
        first: LANTERNS,
        second: PLACES,
        title: "{0} by {1}",
        text: "The {0} by {1} burns for {n} hours and hangs {m} centimetres high.",
        keywords: "lanterns",
    },
    Kind {
        first: BELLS,
        second: TENANTS,
        title: "{0} of {1}",
        text: "The {0} of {1} rings for {n} tenths of a second and is heard {m} metres away.",
        keywords: "doorbells",
    },
    Kind {
        first: TRICKS,
        second: YOYOS,
        title: "{0} with {1}",
        text: "It took {n} tries to do {0} with {1}, the string was {m} centimetres long.",
        keywords: "yo-yos",
    },
    Kind {
        first: LULLABIES,
        second: SINGERS,
        title: "{0}, sung by {1}",
        text: "{0}, sung by {1}, has {n} bars and lasts {m} seconds.",
        keywords: "lullabies",
    },
    Kind {
        first: FEATHERS,
        second: FINDS,
        title: "{0} from {1}",
        text: "The {0} from {1} is {m} millimetres long and lies on page {n}.",
        keywords: "feathers",
    },
    Kind {
        first: FOLDED,
        second: PAPERS,
        title: "{0} out of {1}",
        text: "The {0} out of {1} takes {n} folds and {m} square centimetres.",
        keywords: "origami",
    },
    Kind {
        first: STICKS,
        second: CARVERS,
        title: "{0} by {1}",
        text: "The {0} by {1} is {m} millimetres thick at the grip and took {n} evenings.",
        keywords: "walking sticks",
    },
];

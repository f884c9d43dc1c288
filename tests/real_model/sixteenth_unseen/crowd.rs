//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const MATERIALS: [&str; 10] = [
    "leather",
    "felt",
    "birch bark",
    "silver",
    "ribbon",
    "cork",
    "embroidered",
    "parchment",
    "woven",
    "cardboard",
];
const BOOKS: [&str; 10] = [
    "the atlas of winds",
    "the pirate novel",
    "the herbal",
    "the book of proverbs",
    "the railway timetable",
    "the opera guide",
    "the spy thriller",
    "the fable collection",
    "the songbook",
    "the moon almanac",
];
const GLAZES: [&str; 10] = [
    "maple",
    "lemon curd",
    "cinnamon sugar",
    "plum jam",
    "coffee cream",
    "coconut",
    "custard",
    "cardamom",
    "salted caramel",
    "rose",
];
const BAKERIES: [&str; 10] = [
    "Yilmaz",
    "Pemberton",
    "Lachance",
    "Novotny",
    "Obermeier",
    "Castellano",
    "Whitlock",
    "Haugen",
    "Petrossian",
    "Dunmore",
];
const TRICKS: [&str; 10] = [
    "the vanishing coin",
    "the floating ring",
    "the endless scarf",
    "the cut rope",
    "the four aces",
    "the spoon bend",
    "the egg in the bag",
    "the rising card",
    "the linking hoops",
    "the empty hat",
];
const AUDIENCES: [&str; 10] = [
    "the night nurses",
    "the rowing crew",
    "the bank clerks",
    "the twins",
    "the choirboys",
    "the firemen",
    "the beekeepers",
    "the tax office",
    "the old sailors",
    "the bus drivers",
];
const FIGURES: [&str; 10] = [
    "swan",
    "castle",
    "mermaid",
    "rearing horse",
    "harp",
    "eagle",
    "giant shoe",
    "reindeer",
    "cello",
    "owl",
];
const CARVERS: [&str; 10] = [
    "Aurelio",
    "Brunhilde",
    "Cormac",
    "Dagny",
    "Eleftheria",
    "Florian",
    "Guinevere",
    "Hyacinth",
    "Isidore",
    "Jolanda",
];
const PASSES: [&str; 10] = [
    "the Gemsjoch",
    "Raven Pass",
    "the Hohe Scharte",
    "Col du Loup",
    "Passo Lungo",
    "the Arlenkopf",
    "the Eisgrat",
    "Windgap",
    "the Silberhorn",
    "Col de Nuages",
];
const YODELLERS: [&str; 10] = [
    "Seppi",
    "Vreni",
    "Alois",
    "Rosalind",
    "Korbinian",
    "Theodora",
    "Urs",
    "Leontine",
    "Gaudenz",
    "Mathilda",
];
const TOPS: [&str; 10] = [
    "beechwood",
    "aluminium",
    "humming",
    "ebony",
    "whip",
    "glow",
    "ivory-white",
    "ceramic",
    "striped",
    "finger",
];
const SURFACES: [&str; 10] = [
    "on the glass table",
    "on the slate",
    "on the skating rink",
    "on the drum",
    "on the tray",
    "on the marble sill",
    "on the school desk",
    "on the parquet",
    "on the mirror",
    "on the bar counter",
];
const LINKS: [&str; 10] = [
    "anchor",
    "knot",
    "dice",
    "clover",
    "compass",
    "enamel",
    "pearl",
    "horseshoe",
    "button",
    "mosaic",
];
const WEARERS: [&str; 10] = [
    "the conductor",
    "the croupier",
    "the best man",
    "the consul",
    "the auctioneer",
    "the head waiter",
    "the bandleader",
    "the judge",
    "the captain",
    "the magician",
];
const HAMMOCKS: [&str; 10] = [
    "canvas",
    "striped",
    "rope",
    "silk",
    "double",
    "jungle",
    "mosquito-net",
    "crocheted",
    "child's",
    "nylon",
];
const SPOTS: [&str; 10] = [
    "the lagoon",
    "the cherry orchard",
    "the roof terrace",
    "the pine camp",
    "the boat shed",
    "the waterfall",
    "the island hut",
    "the vineyard",
    "the palm grove",
    "the meadow bend",
];
const WOODS: [&str; 10] = [
    "pear wood",
    "juniper",
    "olive wood",
    "hazel",
    "rowan",
    "yew",
    "sycamore",
    "applewood",
    "box",
    "larch",
];
const SHAPES: [&str; 10] = [
    "soup ladle",
    "salt scoop",
    "honey dipper",
    "mustard spoon",
    "porridge spoon",
    "tasting spoon",
    "baby spoon",
    "olive spoon",
    "jam spoon",
    "caddy spoon",
];
const BOOMERANGS: [&str; 10] = [
    "three-winged",
    "left-handed",
    "plywood",
    "painted",
    "beginner's",
    "long-distance",
    "bamboo",
    "carbon",
    "hook-shaped",
    "cross-shaped",
];
const FIELDS: [&str; 10] = [
    "the airfield",
    "the polo ground",
    "the dunes",
    "the stubble field",
    "the parade ground",
    "the dry lake",
    "the sheep pasture",
    "the stadium",
    "the old runway",
    "the common",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: MATERIALS,
        second: BOOKS,
        title: "{0} bookmark in {1}",
        text: "The {0} bookmark in {1} is at page {m} and is {n} millimetres wide.",
        keywords: "bookmarks",
    },
    Kind {
        first: GLAZES,
        second: BAKERIES,
        title: "{0} doughnut from {1}",
        text: "The {0} doughnut from {1} weighs {m} grams, {n} points out of a hundred.",
        keywords: "doughnuts",
    },
    Kind {
        first: TRICKS,
        second: AUDIENCES,
        title: "{0} for {1}",
        text: "Showed {0} to {1}: it took {n} seconds, and {m} coins landed in the cap.",
        keywords: "conjuring",
    },
    Kind {
        first: FIGURES,
        second: CARVERS,
        title: "Ice {0} by {1}",
        text: "The ice {0} by {1} lasted {m} minutes, the block weighed {n} kilos.",
        keywords: "ice sculptures",
    },
    Kind {
        first: PASSES,
        second: YODELLERS,
        title: "{1} yodelling on {0}",
        text: "{1} yodelling on {0}: {n} echoes, heard {m} metres away.",
        keywords: "yodelling",
    },
    Kind {
        first: TOPS,
        second: SURFACES,
        title: "{0} top {1}",
        text: "The {0} top {1} spun for {m} seconds and hummed at {n} decibels.",
        keywords: "spinning tops",
    },
    Kind {
        first: LINKS,
        second: WEARERS,
        title: "{0} cufflinks of {1}",
        text: "The {0} cufflinks of {1} are {n} years old and worth {m} crowns.",
        keywords: "cufflinks",
    },
    Kind {
        first: HAMMOCKS,
        second: SPOTS,
        title: "{0} hammock at {1}",
        text: "The {0} hammock at {1} hangs {n} centimetres up and bears {m} kilos.",
        keywords: "hammocks",
    },
    Kind {
        first: WOODS,
        second: SHAPES,
        title: "{1} of {0}",
        text: "The {1} of {0} took {n} cuts and {m} strokes of the rasp.",
        keywords: "spoon carving",
    },
    Kind {
        first: BOOMERANGS,
        second: FIELDS,
        title: "{0} boomerang at {1}",
        text: "The {0} boomerang at {1} flew {m} metres and came back in {n} throws.",
        keywords: "boomerangs",
    },
];

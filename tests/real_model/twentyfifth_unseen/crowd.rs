//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const MINERALS: [&str; 10] = [
    "agate",
    "garnet",
    "fluorite",
    "rose quartz",
    "pyrite",
    "malachite",
    "calcite",
    "tourmaline",
    "obsidian",
    "haematite",
];
const QUARRIES: [&str; 10] = [
    "the slate quarry",
    "the river bend",
    "the old mine",
    "the moraine",
    "the road cutting",
    "the chalk pit",
    "the scree",
    "the tunnel heap",
    "the sand pit",
    "the gorge",
];
const STAMPS: [&str; 10] = [
    "bluebird",
    "sailing ship",
    "queen",
    "steam engine",
    "sunflower",
    "tiger",
    "airmail",
    "cathedral",
    "parachute",
    "heraldic eagle",
];
const COUNTRIES: [&str; 10] = [
    "Malta", "Chile", "Iceland", "Ceylon", "Latvia", "Togo", "Uruguay", "Siam", "Monaco", "Tonga",
];
const TEAS: [&str; 10] = [
    "Assam",
    "Keemun",
    "Sencha",
    "Oolong",
    "Rooibos",
    "Darjeeling",
    "Gunpowder",
    "Lapsang",
    "Genmaicha",
    "Earl Grey",
];
const TEAPOTS: [&str; 10] = [
    "iron pot",
    "glass pot",
    "brown pot",
    "willow pot",
    "tin pot",
    "enamel pot",
    "clay pot",
    "travel pot",
    "gilded pot",
    "chipped pot",
];
const BIRDS: [&str; 10] = [
    "nightingale",
    "blackcap",
    "song thrush",
    "chiffchaff",
    "goldcrest",
    "nuthatch",
    "yellowhammer",
    "skylark",
    "redstart",
    "wryneck",
];
const PERCHES: [&str; 10] = [
    "on the gasworks",
    "at the ford",
    "in the poplars",
    "on the ridge",
    "by the level crossing",
    "at the mere",
    "in the brambles",
    "on the church roof",
    "by the sluice",
    "in the vineyard",
];
const STITCHES: [&str; 10] = [
    "moss stitch",
    "seed stitch",
    "basket stitch",
    "cable stitch",
    "fern lace",
    "old shale",
    "garter stitch",
    "brioche stitch",
    "slip stitch",
    "honeycomb",
];
const YARNS: [&str; 10] = [
    "alpaca",
    "mohair",
    "lambswool",
    "ramie",
    "tweed",
    "merino",
    "angora",
    "sock yarn",
    "bamboo",
    "camel hair",
];
const SIGHTS: [&str; 10] = [
    "the opera",
    "the pier",
    "the old bridge",
    "the harbour",
    "the rose garden",
    "the waterfall",
    "the clock tower",
    "the bandstand",
    "the glacier",
    "the market hall",
];
const SENDERS: [&str; 10] = [
    "Augusta", "Benno", "Cornelis", "Dagmar", "Eustace", "Florin", "Gunhild", "Hamish", "Isolde",
    "Jorunn",
];
const APPLES: [&str; 10] = [
    "Boskoop",
    "Bramley",
    "Jonagold",
    "Cox Orange",
    "Gravenstein",
    "Elstar",
    "Topaz",
    "Russet",
    "Pippin",
    "Discovery",
];
const ORCHARDS: [&str; 10] = [
    "the manor",
    "the slope",
    "the station garden",
    "the convent",
    "the schoolyard",
    "the canal bank",
    "the long meadow",
    "the hillfort",
    "the toll house",
    "the smithy",
];
const FILMS: [&str; 10] = [
    "Red Orchard",
    "The Ninth Bell",
    "Salt Road",
    "Paper Moths",
    "Winter Clerk",
    "The Last Ferryman",
    "Blue Static",
    "Two Umbrellas",
    "The Glass Mile",
    "Night Tram",
];
const CINEMAS: [&str; 10] = [
    "Lux", "Apollo", "Scala", "Capitol", "Odeon", "Gloria", "Tivoli", "Atrium", "Metropol", "Savoy",
];
const BUTTONS: [&str; 10] = [
    "horn button",
    "brass button",
    "pearl button",
    "toggle",
    "glass button",
    "leather button",
    "wooden button",
    "pewter button",
    "shell button",
    "cloth button",
];
const GARMENTS: [&str; 10] = [
    "the grey coat",
    "the sailor suit",
    "the duffel",
    "the waistcoat",
    "the nightgown",
    "the band uniform",
    "the raincoat",
    "the christening gown",
    "the bolero",
    "the overalls",
];
const CLOUDS: [&str; 10] = [
    "Anvil cloud",
    "Mackerel sky",
    "Mare's tails",
    "Cap cloud",
    "Roll cloud",
    "Sun halo",
    "Sun pillar",
    "Fog bow",
    "Cloud street",
    "Mammatus",
];
const PLACES: [&str; 10] = [
    "the estuary",
    "the moor",
    "the airfield",
    "the power station",
    "the fells",
    "the racecourse",
    "the island",
    "the plain",
    "the suburbs",
    "the pass",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: MINERALS,
        second: QUARRIES,
        title: "{0} from {1}",
        text: "The {0} from {1} weighs {n} grams and lies in drawer {m}.",
        keywords: "minerals",
    },
    Kind {
        first: STAMPS,
        second: COUNTRIES,
        title: "{0} stamp of {1}",
        text: "The {0} stamp of {1} is worth {n} cents, album page {m}.",
        keywords: "stamps",
    },
    Kind {
        first: TEAS,
        second: TEAPOTS,
        title: "{0} in the {1}",
        text: "The {0} in the {1} took {n} grams and drew for {m} seconds.",
        keywords: "tea tasting",
    },
    Kind {
        first: BIRDS,
        second: PERCHES,
        title: "{0} {1}",
        text: "The {0} {1} sang {n} times in {m} minutes.",
        keywords: "birdsong",
    },
    Kind {
        first: STITCHES,
        second: YARNS,
        title: "{0} in {1}",
        text: "The {0} in {1} came out at {n} stitches and {m} rows.",
        keywords: "knitting samples",
    },
    Kind {
        first: SIGHTS,
        second: SENDERS,
        title: "Postcard of {0} from {1}",
        text: "The postcard of {0} from {1} took {n} days and hangs in row {m}.",
        keywords: "postcards",
    },
    Kind {
        first: APPLES,
        second: ORCHARDS,
        title: "{0} apples from {1}",
        text: "The {0} apples from {1} kept for {n} days in crate {m}.",
        keywords: "apples",
    },
    Kind {
        first: FILMS,
        second: CINEMAS,
        title: "{0} at the {1}",
        text: "We saw {0} at the {1} from row {n}, ticket number {m}.",
        keywords: "films",
    },
    Kind {
        first: BUTTONS,
        second: GARMENTS,
        title: "{0} from {1}",
        text: "The {0} from {1} is {n} millimetres wide and lies in jar {m}.",
        keywords: "buttons",
    },
    Kind {
        first: CLOUDS,
        second: PLACES,
        title: "{0} over {1}",
        text: "{0} over {1} lasted {n} minutes, photo {m}.",
        keywords: "clouds",
    },
];

//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const FOSSILS: [&str; 10] = [
    "ammonite",
    "trilobite",
    "sea lily",
    "belemnite",
    "shark tooth",
    "horsetail",
    "brachiopod",
    "sea urchin",
    "dragonfly wing",
    "fern frond",
];
const QUARRIES: [&str; 10] = [
    "Holzmaden",
    "Lyme Regis",
    "Solnhofen",
    "Messel",
    "Dudley",
    "Bundenbach",
    "Whitby",
    "Eichstätt",
    "Nusplingen",
    "Saltwick",
];
const STAMPS: [&str; 10] = [
    "lighthouse stamp",
    "otter stamp",
    "cosmonaut stamp",
    "poppy stamp",
    "locomotive stamp",
    "queen stamp",
    "orchid stamp",
    "skier stamp",
    "cathedral stamp",
    "airship stamp",
];
const COUNTRIES: [&str; 10] = [
    "Andorra", "Tonga", "Iran", "Estonia", "Ghana", "Malta", "Peru", "Bhutan", "Laos", "Cuba",
];
const CHEESES: [&str; 10] = [
    "goat's log",
    "blue wheel",
    "smoked cheese",
    "ash pyramid",
    "washed rind",
    "mountain cheese",
    "ewe's cheese",
    "walnut cheese",
    "nettle gouda",
    "truffle brie",
];
const DAIRIES: [&str; 10] = [
    "the Almhof",
    "Dairy Wensum",
    "the abbey farm",
    "the Rhön dairy",
    "Käserei Ruoss",
    "the blue van",
    "the Texel farm",
    "the Jura shop",
    "Ferme Lecoq",
    "the market arch",
];
const BEETLES: [&str; 10] = [
    "stag beetle",
    "rose chafer",
    "longhorn",
    "ground beetle",
    "dor beetle",
    "soldier beetle",
    "click beetle",
    "leaf beetle",
    "oil beetle",
    "burying beetle",
];
const SPOTS: [&str; 10] = [
    "under the oak",
    "by the sluice",
    "on the heath",
    "beside the hedge bank",
    "at the old kiln",
    "on the towpath",
    "in the orchard ditch",
    "at the sheep wash",
    "by the chalk pit",
    "on the railway bank",
];
const COCKTAILS: [&str; 10] = [
    "Negroni",
    "Paloma",
    "Mai Tai",
    "Gimlet",
    "Sazerac",
    "Daiquiri",
    "Aviation",
    "Bramble",
    "Sidecar",
    "White Lady",
];
const BARS: [&str; 10] = [
    "Blue Parrot",
    "Kontor",
    "Velvet Room",
    "Lido",
    "Wintergarten",
    "Roxy",
    "Old Foundry",
    "Cicada",
    "Paternoster",
    "Harbour Light",
];
const KNOTS: [&str; 10] = [
    "bowline",
    "sheet bend",
    "clove hitch",
    "rolling hitch",
    "figure eight",
    "reef knot",
    "carrick bend",
    "prusik",
    "monkey's fist",
    "truckie's hitch",
];
const ROPES: [&str; 10] = [
    "hemp",
    "nylon",
    "sisal",
    "jute",
    "polyester",
    "cotton cord",
    "leather lace",
    "coir",
    "dyneema",
    "paracord",
];
const VIEWS: [&str; 10] = [
    "harbour",
    "market square",
    "castle",
    "old bridge",
    "promenade",
    "town gate",
    "fountain",
    "opera house",
    "fish hall",
    "cathedral",
];
const TOWNS: [&str; 10] = [
    "Ostend", "Riga", "Trieste", "Bergen", "Cádiz", "Lübeck", "Split", "Kotor", "Honfleur", "Visby",
];
const LAKES: [&str; 10] = [
    "Lake Bled",
    "Walchensee",
    "Loch Morlich",
    "Lake Orta",
    "Windermere",
    "Müritz",
    "Eibsee",
    "Lake Saimaa",
    "Lac d'Annecy",
    "Bassenthwaite",
];
const COMPANIONS: [&str; 10] = [
    "Agnes", "Bertil", "Cosima", "Dilan", "Ennio", "Frauke", "Gustavo", "Hilma", "Ikram", "Jonna",
];
const APPLES: [&str; 10] = [
    "Boskoop",
    "Egremont Russet",
    "Cox",
    "Gravenstein",
    "Discovery",
    "Ontario",
    "Bramley",
    "Topaz",
    "Ashmead's Kernel",
    "Berlepsch",
];
const ORCHARDS: [&str; 10] = [
    "Priestley's orchard",
    "the vicar's garden",
    "the nunnery",
    "Tithe Farm",
    "the station yard",
    "Upper Reach",
    "the school meadow",
    "Hobb's field",
    "the lock cottage",
    "Far Acre",
];
const CLOUDS: [&str; 10] = [
    "anvil cloud",
    "mackerel sky",
    "mare's tails",
    "lens cloud",
    "fog bank",
    "thunderhead",
    "ice halo",
    "cap cloud",
    "banner cloud",
    "roll cloud",
];
const HILLS: [&str; 10] = [
    "Arthur's Seat",
    "Brocken",
    "Pen y Fan",
    "Rigi",
    "Kahler Asten",
    "Slieve Donard",
    "Wasserkuppe",
    "Pendle Hill",
    "Säntis",
    "Skiddaw",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: FOSSILS,
        second: QUARRIES,
        title: "{0} out of {1}",
        text: "The {0} out of {1} measures {n} millimetres, tray {m}.",
        keywords: "fossils",
    },
    Kind {
        first: STAMPS,
        second: COUNTRIES,
        title: "{0} of {1}",
        text: "The {0} of {1} is on page {m} of the album, catalogue value {n} cents.",
        keywords: "stamps",
    },
    Kind {
        first: CHEESES,
        second: DAIRIES,
        title: "{0} from {1}",
        text: "The {0} from {1} costs {n} euros a kilo, tasting note {m}.",
        keywords: "cheese",
    },
    Kind {
        first: BEETLES,
        second: SPOTS,
        title: "{0} {1}",
        text: "The {0} {1} was seen {n} times, entry {m} of the count.",
        keywords: "beetles",
    },
    Kind {
        first: COCKTAILS,
        second: BARS,
        title: "{0} in the bar {1}",
        text: "The {0} in the bar {1} is number {n} on the card and has {m} millilitres.",
        keywords: "cocktails",
    },
    Kind {
        first: KNOTS,
        second: ROPES,
        title: "{0} in {1}",
        text: "The {0} in {1} held {m} kilos before it slipped, tied in {n} seconds.",
        keywords: "knots",
    },
    Kind {
        first: VIEWS,
        second: TOWNS,
        title: "Postcard of the {0} in {1}",
        text: "The postcard of the {0} in {1} cost {n} cents, it is in box {m}.",
        keywords: "postcards",
    },
    Kind {
        first: LAKES,
        second: COMPANIONS,
        title: "Dip in {0} with {1}",
        text: "The dip in {0} with {1} lasted {n} minutes, {m} strokes out and back.",
        keywords: "cold water",
    },
    Kind {
        first: APPLES,
        second: ORCHARDS,
        title: "{0} apples of {1}",
        text: "The {0} apples of {1} filled {n} crates and kept for {m} days.",
        keywords: "apples",
    },
    Kind {
        first: CLOUDS,
        second: HILLS,
        title: "{0} over {1}",
        text: "The {0} over {1} stayed for {n} minutes, picture {m}.",
        keywords: "clouds",
    },
];

//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const BIRDS: [&str; 10] = [
    "grey heron",
    "kingfisher",
    "goldcrest",
    "lapwing",
    "nuthatch",
    "wagtail",
    "buzzard",
    "hoopoe",
    "bullfinch",
    "great crested grebe",
];
const LAKES: [&str; 10] = [
    "Lake Garda",
    "Loch Ness",
    "Lake Ohrid",
    "Müritz",
    "Vättern",
    "Saimaa",
    "Balaton",
    "Windermere",
    "Chiemsee",
    "Lake Bled",
];
const NAMES: [&str; 10] = [
    "Ambrose",
    "Britta",
    "Cosima",
    "Dmitri",
    "Estelle",
    "Florentin",
    "Grietje",
    "Horatio",
    "Ingvild",
    "Jovana",
];
const TONGUES: [&str; 10] = [
    "Latin",
    "Finnish",
    "Welsh",
    "Basque",
    "Korean",
    "Swahili",
    "Hindi",
    "Greek",
    "Catalan",
    "Icelandic",
];
const TEAS: [&str; 10] = [
    "oolong",
    "sencha",
    "darjeeling",
    "rooibos",
    "lapsang",
    "gunpowder tea",
    "white tea",
    "mint tea",
    "matcha",
    "chai",
];
const HARBOURS: [&str; 10] = [
    "Bremen", "Porto", "Trieste", "Bergen", "Cádiz", "Gdynia", "Split", "Cork", "Turku", "Rostock",
];
const FLOWERS: [&str; 10] = [
    "zinnias",
    "snapdragons",
    "dahlias",
    "foxgloves",
    "marigolds",
    "lupins",
    "asters",
    "cornflowers",
    "sweet peas",
    "hollyhocks",
];
const BEDS: [&str; 10] = [
    "raised bed",
    "zinc tub",
    "rockery",
    "front bed",
    "hanging basket",
    "stone trough",
    "herb spiral",
    "cold frame",
    "long border",
    "old bathtub",
];
const FABRICS: [&str; 10] = [
    "linen", "corduroy", "flannel", "denim", "velvet", "tweed", "cotton", "jersey", "felt",
    "poplin",
];
const GARMENTS: [&str; 10] = [
    "skirt",
    "waistcoat",
    "apron",
    "blazer",
    "dressing gown",
    "nightshirt",
    "cape",
    "pinafore",
    "jumpsuit",
    "bonnet",
];
const GAMES: [&str; 10] = [
    "chess",
    "draughts",
    "backgammon",
    "table tennis",
    "darts",
    "badminton",
    "mahjong",
    "croquet",
    "boules",
    "dominoes",
];
const STATIONS: [&str; 10] = [
    "Graz", "Lille", "Malmö", "Padua", "Dresden", "Toledo", "Plzeň", "Bern", "Aarhus", "Leiden",
];
const MINERALS: [&str; 10] = [
    "amethyst",
    "garnet",
    "pyrite",
    "fluorite",
    "malachite",
    "agate",
    "beryl",
    "calcite",
    "topaz",
    "jasper",
];
const PITS: [&str; 10] = [
    "old quarry",
    "slate pit",
    "river bank",
    "scree slope",
    "tin mine",
    "lava field",
    "salt mine",
    "gravel pit",
    "sea cliff",
    "moraine",
];
const PICTURES: [&str; 10] = [
    "windmill",
    "hot-air balloon",
    "fox cubs",
    "world map",
    "tram",
    "sunflowers",
    "castle",
    "penguins",
    "market stall",
    "coral reef",
];
const SOUPS: [&str; 10] = [
    "borscht",
    "minestrone",
    "goulash soup",
    "leek soup",
    "lentil soup",
    "fish soup",
    "gazpacho",
    "pumpkin soup",
    "onion soup",
    "pea soup",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: BIRDS,
        second: LAKES,
        title: "{0} at {1}",
        text: "Saw the {0} {n} times at {1}, once for {m} seconds.",
        keywords: "birds",
    },
    Kind {
        first: NAMES,
        second: TONGUES,
        title: "{0} learns {1}",
        text: "{0} knows {m} words of {1} and is on page {n} of the book.",
        keywords: "languages",
    },
    Kind {
        first: TEAS,
        second: HARBOURS,
        title: "{0} from {1}",
        text: "The {0} from {1} draws for {m} seconds, the packet holds {n} grams.",
        keywords: "tea",
    },
    Kind {
        first: FLOWERS,
        second: BEDS,
        title: "{0} in the {1}",
        text: "The {0} in the {1} came up after {n} days, the seed was {m} cents.",
        keywords: "flowers",
    },
    Kind {
        first: FABRICS,
        second: GARMENTS,
        title: "{1} of {0}",
        text: "The {1} of {0} takes {m} centimetres of cloth, the pattern is number {n}.",
        keywords: "sewing",
    },
    Kind {
        first: GAMES,
        second: NAMES,
        title: "{0} against {1}",
        text: "Lost {n} games of {0} against {1} and won {m}.",
        keywords: "games",
    },
    Kind {
        first: STATIONS,
        second: HARBOURS,
        title: "{0} to {1}",
        text: "The train from {0} to {1} takes {m} minutes and costs {n} euros.",
        keywords: "trains",
    },
    Kind {
        first: MINERALS,
        second: PITS,
        title: "{0} from the {1}",
        text: "The {0} from the {1} weighs {m} grams and lies in drawer {n}.",
        keywords: "minerals",
    },
    Kind {
        first: PICTURES,
        second: NAMES,
        title: "{0} jigsaw for {1}",
        text: "{m} pieces, on the box it says {0}. {1} needed {n} hours for it.",
        keywords: "jigsaws",
    },
    Kind {
        first: SOUPS,
        second: NAMES,
        title: "{0} of {1}",
        text: "{1} lets the {0} simmer for {m} minutes and serves {n} people.",
        keywords: "soups",
    },
];

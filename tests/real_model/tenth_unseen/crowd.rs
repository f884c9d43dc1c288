//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const DOGS: [&str; 10] = [
    "Barnaby", "Wolke", "Pretzel", "Domino", "Hazel", "Oslo", "Tinka", "Rufus", "Mango", "Greta",
];
const TRICKS: [&str; 10] = [
    "high five",
    "rolling over",
    "playing dead",
    "the slalom",
    "the bow",
    "spinning left",
    "fetching slippers",
    "the tunnel",
    "waiting",
    "shaking paws",
];
const APPLES: [&str; 10] = [
    "Boskoop",
    "Cox",
    "Gravenstein",
    "Jonagold",
    "Elstar",
    "Topaz",
    "Braeburn",
    "Reinette",
    "Pippin",
    "Berlepsch",
];
const ORCHARDS: [&str; 10] = [
    "Hill Farm",
    "the convent",
    "Uncle Tadeusz",
    "the old station",
    "Mill Lane",
    "the vicarage",
    "the lay-by",
    "Lower Farm",
    "the weir",
    "the school garden",
];
const BELLS: [&str; 10] = [
    "hour bell",
    "evening bell",
    "great bell",
    "little bell",
    "storm bell",
    "wedding bell",
    "angelus bell",
    "fire bell",
    "second bell",
    "cracked bell",
];
const TOWNS: [&str; 10] = [
    "Erfurt",
    "Kutná Hora",
    "Salisbury",
    "Albi",
    "Toruń",
    "Lund",
    "Bruges",
    "Pécs",
    "Évora",
    "Mostar",
];
const SCENTS: [&str; 10] = [
    "lavender",
    "cedar",
    "orange",
    "vanilla",
    "fig",
    "rosemary",
    "honey",
    "pine",
    "clove",
    "sandalwood",
];
const CANDLES: [&str; 10] = [
    "tea lights",
    "pillar candle",
    "taper candles",
    "floating candle",
    "jar candle",
    "block candle",
    "beeswax candle",
    "spiral candle",
    "lantern candle",
    "ball candle",
];
const FONTS: [&str; 10] = [
    "Garamond",
    "Bodoni",
    "Futura",
    "Caslon",
    "Gill Sans",
    "Rockwell",
    "Baskerville",
    "Optima",
    "Didot",
    "Clarendon",
];
const EVENTS: [&str; 10] = [
    "jazz night",
    "spring concert",
    "flower show",
    "chess open",
    "poetry slam",
    "reading night",
    "dog show",
    "craft fair",
    "quiz final",
    "open studio",
];
const INKS: [&str; 10] = [
    "sepia ink",
    "cobalt ink",
    "bottle green ink",
    "violet ink",
    "oxblood ink",
    "turquoise ink",
    "grey ink",
    "amber ink",
    "pine ink",
    "plum ink",
];
const PAPERS: [&str; 10] = [
    "laid paper",
    "rag paper",
    "kraft paper",
    "mulberry paper",
    "vellum",
    "blotting paper",
    "tracing paper",
    "rice paper",
    "bond paper",
    "hot-pressed paper",
];
const GLAZES: [&str; 10] = [
    "celadon",
    "tenmoku",
    "shino",
    "copper red",
    "ash glaze",
    "salt glaze",
    "white slip",
    "cobalt blue",
    "raku crackle",
    "honey glaze",
];
const POTS: [&str; 10] = [
    "teapot",
    "milk jug",
    "egg cup",
    "butter dish",
    "fruit bowl",
    "soup plate",
    "bud vase",
    "sugar bowl",
    "beaker",
    "bread crock",
];
const DANCES: [&str; 10] = [
    "tango",
    "waltz",
    "foxtrot",
    "rumba",
    "polka",
    "lindy hop",
    "samba",
    "quickstep",
    "mazurka",
    "bolero",
];
const PARTNERS: [&str; 10] = [
    "Adele", "Burkhard", "Chidi", "Dagmar", "Esteban", "Fumiko", "Gaspard", "Hilde", "Ismail",
    "Jelena",
];
const SALADS: [&str; 10] = [
    "beetroot salad",
    "bean salad",
    "lentil salad",
    "cucumber salad",
    "carrot salad",
    "rocket salad",
    "tomato salad",
    "fennel salad",
    "noodle salad",
    "endive salad",
];
const DRESSINGS: [&str; 10] = [
    "mustard dressing",
    "walnut oil",
    "yoghurt dressing",
    "lime juice",
    "tahini",
    "raspberry vinegar",
    "herb oil",
    "miso dressing",
    "caper dressing",
    "garlic oil",
];
const SHOWS: [&str; 10] = [
    "the gardening hour",
    "the crime play",
    "the folk hour",
    "the science show",
    "the morning service",
    "the opera night",
    "the shipping forecast",
    "the travel show",
    "the phone-in",
    "the late jazz",
];
const TAPES: [&str; 10] = [
    "red cassette",
    "blue cassette",
    "green cassette",
    "grey cassette",
    "clear cassette",
    "long cassette",
    "short cassette",
    "unmarked cassette",
    "chrome cassette",
    "pink cassette",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: DOGS,
        second: TRICKS,
        title: "{0} and {1}",
        text: "{0} needed {n} tries for {1} and ate {m} biscuits over it.",
        keywords: "dog club",
    },
    Kind {
        first: APPLES,
        second: ORCHARDS,
        title: "{0} from {1}",
        text: "The {0} from {1} gave {n} litres of juice, {m} apples went to the horses.",
        keywords: "apples",
    },
    Kind {
        first: BELLS,
        second: TOWNS,
        title: "The {0} of {1}",
        text: "The {0} of {1} weighs {m} kilos and takes {n} seconds to fade.",
        keywords: "bells",
    },
    Kind {
        first: SCENTS,
        second: CANDLES,
        title: "{1} with {0}",
        text: "The {1} with {0} burned for {n} hours and used {m} grams of wax.",
        keywords: "candle making",
    },
    Kind {
        first: FONTS,
        second: EVENTS,
        title: "Poster for the {1} in {0}",
        text: "The poster for the {1} is set in {0}, {n} points, {m} copies.",
        keywords: "posters",
    },
    Kind {
        first: INKS,
        second: PAPERS,
        title: "{0} on {1}",
        text: "The {0} dries in {n} seconds on {1}, swatch {m}.",
        keywords: "calligraphy",
    },
    Kind {
        first: GLAZES,
        second: POTS,
        title: "{1} in {0}",
        text: "The {1} in {0} lost {n} grams in the firing, shelf mark {m}.",
        keywords: "ceramics",
    },
    Kind {
        first: DANCES,
        second: PARTNERS,
        title: "{0} with {1}",
        text: "Danced the {0} with {1} for {n} bars at {m} beats a minute.",
        keywords: "dancing",
    },
    Kind {
        first: SALADS,
        second: DRESSINGS,
        title: "{0} with {1}",
        text: "The {0} with {1} takes {n} ml of it and {m} grams of vegetables.",
        keywords: "salads",
    },
    Kind {
        first: SHOWS,
        second: TAPES,
        title: "{1} of {0}",
        text: "The {1} has {0} on it, {n} minutes in, counter at {m}.",
        keywords: "radio tapes",
    },
];

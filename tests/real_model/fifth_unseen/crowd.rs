//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const FISH: [&str; 10] = [
    "trout", "perch", "pike", "carp", "bream", "roach", "tench", "zander", "chub", "barbel",
];
const RIVERS: [&str; 10] = [
    "Loire", "Danube", "Tagus", "Vltava", "Shannon", "Glomma", "Ebro", "Weser", "Drava", "Tiber",
];
const VEHICLES: [&str; 10] = [
    "scooter",
    "tandem",
    "tractor",
    "minibus",
    "convertible",
    "sidecar",
    "quad bike",
    "pickup",
    "handcart",
    "golf cart",
];
const NAMES: [&str; 10] = [
    "Agata", "Bertrand", "Chiara", "Dieter", "Esther", "Fabrice", "Goran", "Helmi", "Imre", "Judit",
];
const FRUITS: [&str; 10] = [
    "apricot",
    "damson",
    "fig",
    "gooseberry",
    "medlar",
    "mirabelle",
    "sloe",
    "elderberry",
    "kumquat",
    "blackberry",
];
const FOSSILS: [&str; 10] = [
    "ammonite",
    "trilobite",
    "belemnite",
    "shark tooth",
    "sea urchin",
    "fossil fern",
    "brachiopod",
    "crinoid",
    "fossil snail",
    "fossil coral",
];
const QUARRIES: [&str; 10] = [
    "Solnhofen",
    "Lyme Regis",
    "Maastricht",
    "Kinnekulle",
    "Bolca",
    "Messel",
    "Whitby",
    "Bundenbach",
    "Holzmaden",
    "Étretat",
];
const METALS: [&str; 10] = [
    "brass", "clay", "glass", "pewter", "ebony", "marble", "bronze", "paper", "copper", "plaster",
];
const ANIMALS: [&str; 10] = [
    "elephant", "hippo", "owl", "tiger", "camel", "frog", "zebra", "penguin", "rhino", "hare",
];
const WAGONS: [&str; 10] = [
    "tank wagon",
    "mail van",
    "dining car",
    "flat wagon",
    "sleeping car",
    "crane wagon",
    "guard's van",
    "cattle wagon",
    "refrigerator van",
    "snow plough",
];
const COLOURS: [&str; 10] = [
    "green", "maroon", "silver", "yellow", "brown", "cream", "scarlet", "navy", "orange", "white",
];
const DRINKS: [&str; 10] = [
    "mojito",
    "negroni",
    "daiquiri",
    "white lady",
    "bellini",
    "gimlet",
    "caipirinha",
    "mint julep",
    "cosmopolitan",
    "espresso martini",
];
const BARS: [&str; 10] = [
    "Bar Luce",
    "Café Rosa",
    "the Red Heron",
    "the Observatory",
    "Chez Odile",
    "the Lantern",
    "Bar Nord",
    "the Velvet Room",
    "the Jetty",
    "Salon Sieben",
];
const BRIDGES: [&str; 10] = [
    "chain bridge",
    "footbridge",
    "stone bridge",
    "swing bridge",
    "railway bridge",
    "drawbridge",
    "covered bridge",
    "cable bridge",
    "pontoon bridge",
    "iron bridge",
];
const CITIES: [&str; 10] = [
    "Porto", "Girona", "Riga", "Namur", "Dresden", "Perth", "Pécs", "Bilbao", "Tartu", "Verona",
];
const SHELLS: [&str; 10] = [
    "cowrie",
    "scallop",
    "whelk",
    "razor clam",
    "limpet",
    "cockle",
    "periwinkle",
    "murex",
    "wentletrap",
    "oyster shell",
];
const BEACHES: [&str; 10] = [
    "Nazaré",
    "Blokhus",
    "Tenby",
    "Scheveningen",
    "Cefalù",
    "Biscarrosse",
    "Binz",
    "Sopot",
    "Nida",
    "Zarautz",
];
const STUFFS: [&str; 10] = [
    "horn",
    "pearl",
    "wooden",
    "leather",
    "enamel",
    "tortoiseshell",
    "coconut",
    "porcelain",
    "jet",
    "steel",
];
const GARMENTS: [&str; 10] = [
    "blazer",
    "overcoat",
    "cardigan",
    "waistcoat",
    "duffel coat",
    "pyjamas",
    "dungarees",
    "tunic",
    "parka",
    "nightshirt",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: FISH,
        second: RIVERS,
        title: "{0} from the {1}",
        text: "The {0} from the {1} was {n} centimetres long and weighed {m} decagrams.",
        keywords: "fishing trips",
    },
    Kind {
        first: NAMES,
        second: VEHICLES,
        title: "{1} of {0}",
        text: "{0} has had the {1} for {n} weeks, its plate ends in {m}.",
        keywords: "vehicles",
    },
    Kind {
        first: FRUITS,
        second: NAMES,
        title: "{0} jam of {1}",
        text: "{1} made {n} jars of {0} jam and used {m} decagrams of sugar.",
        keywords: "jam",
    },
    Kind {
        first: FOSSILS,
        second: QUARRIES,
        title: "{0} found at {1}",
        text: "The {0} of {1} is in drawer {n}, it lay {m} steps from the path.",
        keywords: "fossils",
    },
    Kind {
        first: METALS,
        second: ANIMALS,
        title: "{0} {1}",
        text: "The {0} {1} stands on shelf {n} and was {m} cents at the bazaar.",
        keywords: "figurines",
    },
    Kind {
        first: WAGONS,
        second: COLOURS,
        title: "{0} in {1}",
        text: "The {0} in {1} has the number {m} and stands on track {n}.",
        keywords: "model railway",
    },
    Kind {
        first: DRINKS,
        second: BARS,
        title: "{0} at {1}",
        text: "The {0} at {1} is number {n} on the card and has {m} calories.",
        keywords: "drinks",
    },
    Kind {
        first: BRIDGES,
        second: CITIES,
        title: "{0} in {1}",
        text: "The {0} in {1} is {m} metres long and {n} years old.",
        keywords: "bridges",
    },
    Kind {
        first: SHELLS,
        second: BEACHES,
        title: "{0} from {1}",
        text: "The {0} from {1} is {n} millimetres wide, its picture is number {m}.",
        keywords: "shells",
    },
    Kind {
        first: STUFFS,
        second: GARMENTS,
        title: "{0} buttons for the {1}",
        text: "There are {n} {0} buttons for the {1} in tin {m}.",
        keywords: "buttons",
    },
];

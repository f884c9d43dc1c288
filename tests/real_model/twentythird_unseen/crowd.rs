//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const BREWS: [&str; 10] = [
    "stout",
    "pale ale",
    "wheat beer",
    "smoked beer",
    "porter",
    "pilsner",
    "bock",
    "brown ale",
    "cherry beer",
    "barley wine",
];
const TAVERNS: [&str; 10] = [
    "the Anvil",
    "the Bargeman",
    "the Copper Kettle",
    "the Drover",
    "the Elm Tree",
    "the Fiddler",
    "the Gilded Carp",
    "the Harrow",
    "the Inkwell",
    "the Jackdaw",
];
const BLADES: [&str; 10] = [
    "grafting knife",
    "oyster knife",
    "whittling knife",
    "cork knife",
    "rigging knife",
    "budding knife",
    "saddle knife",
    "pruning knife",
    "castrating knife",
    "picnic knife",
];
const OWNERS: [&str; 10] = [
    "Abelard",
    "Barnaby",
    "Clemens",
    "Drummond",
    "Eustace",
    "Florimond",
    "Gideon",
    "Horatio",
    "Isambard",
    "Jethro",
];
const COLOURS: [&str; 10] = [
    "crimson", "mustard", "teal", "charcoal", "lilac", "rust", "olive", "navy", "peach", "cream",
];
const ROOMS: [&str; 10] = [
    "the box room",
    "the scullery",
    "the nursery",
    "the landing",
    "the study",
    "the boot room",
    "the parlour",
    "the loft",
    "the playroom",
    "the porch",
];
const WEIGHTS: [&str; 10] = [
    "millefiori paperweight",
    "bubble paperweight",
    "dandelion paperweight",
    "marble paperweight",
    "agate paperweight",
    "scorpion paperweight",
    "cannonball paperweight",
    "pyrite paperweight",
    "seahorse paperweight",
    "thistle paperweight",
];
const DESKS: [&str; 10] = [
    "the notary",
    "the headmaster",
    "the vet",
    "the stationmaster",
    "the organist",
    "the librarian",
    "the pharmacist",
    "the beadle",
    "the printer",
    "the forester",
];
const BRASSES: [&str; 10] = [
    "knight",
    "wool merchant",
    "bishop",
    "lady with a lapdog",
    "abbot",
    "huntsman",
    "judge",
    "pilgrim",
    "pair of twins",
    "goldsmith",
];
const CHURCHES: [&str; 10] = [
    "Cobham",
    "Trotton",
    "Stoke",
    "Elsing",
    "Hever",
    "Felbrigg",
    "Chigwell",
    "Acton",
    "Lingfield",
    "Northleach",
];
const BOXES: [&str; 10] = [
    "birch bark",
    "tortoiseshell",
    "pewter",
    "papier-mâché",
    "walnut",
    "enamel",
    "mother-of-pearl",
    "ram's horn",
    "lacquer",
    "silver",
];
const SNUFFS: [&str; 10] = [
    "the admiral",
    "the miller",
    "the canon",
    "the ferryman",
    "the tenor",
    "the apothecary",
    "the poacher",
    "the colonel",
    "the clockmaker",
    "the bailiff",
];
const BENCHES: [&str; 10] = [
    "oak bench",
    "iron bench",
    "larch bench",
    "granite bench",
    "round bench",
    "folding bench",
    "teak bench",
    "concrete bench",
    "willow bench",
    "double bench",
];
const SPOTS: [&str; 10] = [
    "by the duck pond",
    "under the copper beech",
    "at the tram stop",
    "behind the chapel",
    "on the ramparts",
    "beside the bowling green",
    "at the viewpoint",
    "by the aviary",
    "on the quay",
    "at the cemetery gate",
];
const TUNES: [&str; 10] = [
    "Camptown Races",
    "Oh Susanna",
    "Clementine",
    "Greensleeves",
    "Yankee Doodle",
    "Frère Jacques",
    "Alouette",
    "La Cucaracha",
    "Daisy Bell",
    "Waltzing Matilda",
];
const BLOWERS: [&str; 10] = [
    "Agathe", "Bogdan", "Calista", "Dimitar", "Emmeline", "Fergal", "Giselle", "Havelock", "Ilse",
    "Jaroslav",
];
const HATCHERS: [&str; 10] = [
    "great tit",
    "nuthatch",
    "redstart",
    "tawny owl",
    "starling",
    "pied flycatcher",
    "wren",
    "kestrel",
    "sparrow",
    "wagtail",
];
const TREES: [&str; 10] = [
    "the lime avenue",
    "the pear wall",
    "the school yard",
    "the allotments",
    "the vicarage",
    "the quarry",
    "the cider orchard",
    "the sewage works",
    "the golf course",
    "the sawmill",
];
const MOTTOES: [&str; 10] = [
    "alphabet",
    "house and fence",
    "Adam and Eve",
    "strawberry border",
    "ship",
    "peacock",
    "Lord's Prayer",
    "family tree",
    "windmill",
    "four seasons",
];
const STITCHERS: [&str; 10] = [
    "Annis", "Betsy", "Charity", "Deborah", "Esther", "Faith", "Grizel", "Hepzibah", "Isabella",
    "Jemima",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: BREWS,
        second: TAVERNS,
        title: "{0} beer mat from {1}",
        text: "The {0} beer mat from {1} is {m} millimetres wide and number {n} in the box.",
        keywords: "beer mats",
    },
    Kind {
        first: BLADES,
        second: OWNERS,
        title: "{0} of {1}",
        text: "The {0} of {1} weighs {m} grams and is {n} years old.",
        keywords: "pocketknives",
    },
    Kind {
        first: COLOURS,
        second: ROOMS,
        title: "{0} rag rug in {1}",
        text: "The {0} rag rug in {1} is {m} centimetres long and took {n} old shirts.",
        keywords: "rag rugs",
    },
    Kind {
        first: WEIGHTS,
        second: DESKS,
        title: "{0} of {1}",
        text: "The {0} of {1} weighs {m} grams and stands {n} millimetres high.",
        keywords: "paperweights",
    },
    Kind {
        first: BRASSES,
        second: CHURCHES,
        title: "Brass rubbing of a {0} in {1}",
        text: "The brass rubbing of a {0} in {1} took {n} minutes on {m} centimetres of paper.",
        keywords: "brass rubbings",
    },
    Kind {
        first: BOXES,
        second: SNUFFS,
        title: "{0} snuff box of {1}",
        text: "The {0} snuff box of {1} is {n} millimetres deep and cost {m} crowns.",
        keywords: "snuff boxes",
    },
    Kind {
        first: BENCHES,
        second: SPOTS,
        title: "{0} {1}",
        text: "The {0} {1} is {m} centimetres wide and has {n} names carved in it.",
        keywords: "park benches",
    },
    Kind {
        first: TUNES,
        second: BLOWERS,
        title: "{0} on the kazoo, by {1}",
        text: "{0} on the kazoo, by {1}, lasts {m} seconds and needs {n} breaths.",
        keywords: "kazoo",
    },
    Kind {
        first: HATCHERS,
        second: TREES,
        title: "{0} nest box at {1}",
        text: "The {0} nest box at {1} hangs {m} centimetres up, with a hole of {n} millimetres.",
        keywords: "nest boxes",
    },
    Kind {
        first: MOTTOES,
        second: STITCHERS,
        title: "{0} sampler by {1}",
        text: "The {0} sampler by {1} has {m} rows and uses {n} colours.",
        keywords: "samplers",
    },
];

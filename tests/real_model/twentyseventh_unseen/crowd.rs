//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const ROSES: [&str; 10] = [
    "Peace",
    "Ghislaine",
    "Iceberg",
    "New Dawn",
    "Westerland",
    "Rosa Mundi",
    "Schneewittchen",
    "Lady Hillingdon",
    "Maiden's Blush",
    "Gertrude Jekyll",
];
const BEDS: [&str; 10] = [
    "by the pump",
    "at the sundial",
    "along the drive",
    "by the bakehouse",
    "at the lych-gate",
    "behind the orangery",
    "on the terrace",
    "by the dovecote",
    "at the cold frame",
    "under the pergola wall",
];
const GAMES: [&str; 10] = [
    "Carcassonne",
    "Azul",
    "Catan",
    "Hive",
    "Splendor",
    "Take Five",
    "Rummikub",
    "Qwirkle",
    "Labyrinth",
    "Scotland Yard",
];
const TABLES: [&str; 10] = [
    "Aino and Mats",
    "Bruno and Lea",
    "Carla and Jens",
    "Dita and Karel",
    "Elio and Sanna",
    "Femke and Piet",
    "Gil and Oona",
    "Hana and Leo",
    "Ilja and Maud",
    "Jasper and Wim",
];
const STAMPS: [&str; 10] = [
    "penguin",
    "zeppelin",
    "tulip",
    "steamship",
    "lynx",
    "sunflower",
    "queen bee",
    "balloonist",
    "glacier",
    "waterwheel",
];
const COUNTRIES: [&str; 10] = [
    "Iceland", "Bhutan", "Malta", "Chile", "Latvia", "Samoa", "Norway", "Peru", "Ghana", "Andorra",
];
const FOSSILS: [&str; 10] = [
    "ammonite",
    "trilobite",
    "sea lily",
    "shark tooth",
    "fern leaf",
    "belemnite",
    "sea urchin",
    "nautilus",
    "brachiopod",
    "dragonfly",
];
const QUARRIES: [&str; 10] = [
    "Solnhofen",
    "Lyme Regis",
    "Holzmaden",
    "Charmouth",
    "Messel",
    "Whitby",
    "Dotternhausen",
    "Bundenbach",
    "Kimmeridge",
    "Runswick",
];
const TEAS: [&str; 10] = [
    "Assam",
    "Sencha",
    "Darjeeling",
    "Oolong",
    "Lapsang",
    "Matcha",
    "Rooibos",
    "Ceylon",
    "Gunpowder",
    "Keemun",
];
const POTS: [&str; 10] = [
    "iron pot",
    "glass pot",
    "blue pot",
    "brown betty",
    "travel mug",
    "white gaiwan",
    "tin pot",
    "tall thermos",
    "cracked pot",
    "silver pot",
];
const ETUDES: [&str; 10] = [
    "Gavotte in G",
    "Minuet in D",
    "Bourree",
    "Barcarolle",
    "Sicilienne",
    "Berceuse",
    "Humoresque",
    "Tarantella",
    "Mazurka",
    "Nocturne",
];
const PUPILS: [&str; 10] = [
    "Aurelia", "Bastian", "Clemence", "Dorian", "Elvira", "Florin", "Gesine", "Hektor", "Ismene",
    "Jonte",
];
const BRIDGES: [&str; 10] = [
    "chain bridge",
    "drawbridge",
    "stone arch",
    "footbridge",
    "swing bridge",
    "plank bridge",
    "iron truss",
    "aqueduct",
    "trestle",
    "covered bridge",
];
const RIVERS: [&str; 10] = [
    "Orne", "Tamar", "Enz", "Wye", "Saale", "Drava", "Nidd", "Torne", "Lahn", "Ubaye",
];
const SHELLS: [&str; 10] = [
    "cockle",
    "razor clam",
    "whelk",
    "limpet",
    "scallop",
    "periwinkle",
    "oyster",
    "top shell",
    "cowrie",
    "wentletrap",
];
const COVES: [&str; 10] = [
    "Kynance",
    "Barafundle",
    "Porthcurno",
    "Luskentyre",
    "Sandwood",
    "Achmelvich",
    "Marloes",
    "Blackpool Sands",
    "Saunton",
    "Woolacombe",
];
const BISCUITS: [&str; 10] = [
    "shortbread",
    "ginger nut",
    "macaroon",
    "florentine",
    "oatcake",
    "vanilla crescent",
    "speculoos",
    "langue de chat",
    "cantuccini",
    "linzer",
];
const TINS: [&str; 10] = [
    "red tin",
    "striped tin",
    "hatbox tin",
    "star tin",
    "royal tin",
    "shamrock tin",
    "moon tin",
    "dented tin",
    "tall tin",
    "village tin",
];
const CLOUDS: [&str; 10] = [
    "altocumulus",
    "cirrus",
    "stratus",
    "nimbostratus",
    "cumulus",
    "cirrocumulus",
    "lenticular cloud",
    "mackerel sky",
    "anvil cloud",
    "fog bank",
];
const HILLS: [&str; 10] = [
    "Brocken",
    "Ben Vrackie",
    "Skiddaw",
    "Hoher Bogen",
    "Puy Mary",
    "Cadair Idris",
    "Kahler Asten",
    "Wrekin",
    "Feldberg",
    "Ventoux",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: ROSES,
        second: BEDS,
        title: "Rose {0} {1}",
        text: "The rose {0} {1} bore {n} blooms and is {m} centimetres high.",
        keywords: "roses",
    },
    Kind {
        first: GAMES,
        second: TABLES,
        title: "{0} with {1}",
        text: "The game of {0} with {1} went on for {n} minutes and was won by {m} points.",
        keywords: "board games",
    },
    Kind {
        first: STAMPS,
        second: COUNTRIES,
        title: "Stamp with a {0} of {1}",
        text: "The stamp with a {0} of {1} is on album page {n}, catalogue number {m}.",
        keywords: "stamps",
    },
    Kind {
        first: FOSSILS,
        second: QUARRIES,
        title: "{0} out of {1}",
        text: "The {0} out of {1} measures {n} millimetres and lies in drawer {m}.",
        keywords: "fossils",
    },
    Kind {
        first: TEAS,
        second: POTS,
        title: "{0} in the {1}",
        text: "The {0} in the {1} drew for {m} seconds at {n} degrees.",
        keywords: "tea tasting",
    },
    Kind {
        first: ETUDES,
        second: PUPILS,
        title: "{0} played by {1}",
        text: "The {0} played by {1} lasted {m} seconds and got {n} marks.",
        keywords: "violin exam",
    },
    Kind {
        first: BRIDGES,
        second: RIVERS,
        title: "{0} over the {1}",
        text: "The {0} over the {1} is {m} metres long, photographed on film {n}.",
        keywords: "bridges",
    },
    Kind {
        first: SHELLS,
        second: COVES,
        title: "{0} of {1}",
        text: "The {0} of {1} lay {m} steps below the tide line and has {n} ridges.",
        keywords: "shells",
    },
    Kind {
        first: BISCUITS,
        second: TINS,
        title: "{0} kept in the {1}",
        text: "The {0} kept in the {1} stayed crisp for {n} days, {m} pieces to a batch.",
        keywords: "biscuits",
    },
    Kind {
        first: CLOUDS,
        second: HILLS,
        title: "{0} above {1}",
        text: "The {0} above {1} stayed for {n} minutes, sketch {m}.",
        keywords: "clouds",
    },
];

//! A thousand notes that are of no matter: each of them something that a person could have written, no
//! two of them alike.

use crate::crowd::{Kind, filled};
use crate::task::Given;

/// Returns the notes.
pub(super) fn crowd() -> Vec<Given> {
    filled(&KINDS)
}

const DUCKS: [&str; 10] = [
    "pirate duck",
    "ballerina duck",
    "diver duck",
    "chef duck",
    "astronaut duck",
    "lifeguard duck",
    "vampire duck",
    "cowgirl duck",
    "judge duck",
    "unicorn duck",
];
const HEATS: [&str; 10] = [
    "heat one",
    "heat two",
    "heat three",
    "the quarter-final",
    "the semi-final",
    "the night race",
    "the rain race",
    "the mayor's cup",
    "the children's race",
    "the grand final",
];
const MAGNETS: [&str; 10] = [
    "lobster magnet",
    "windmill magnet",
    "cable car magnet",
    "sardine magnet",
    "gondola magnet",
    "cuckoo clock magnet",
    "moose magnet",
    "tulip magnet",
    "volcano magnet",
    "tram magnet",
];
const FRIDGES: [&str; 10] = [
    "Tanvi's fridge",
    "the staff room fridge",
    "Aurelio's fridge",
    "the garage fridge",
    "the choir's fridge",
    "Mrs Lindgaard's fridge",
    "the cabin fridge",
    "the drinks fridge",
    "the lab fridge",
    "Bettina's fridge",
];
const COVERS: [&str; 10] = [
    "dolphin cover",
    "dragon cover",
    "harbour cover",
    "anchor cover",
    "crown cover",
    "salmon cover",
    "oak leaf cover",
    "tower cover",
    "star cover",
    "bridge cover",
];
const STREETS: [&str; 10] = [
    "Ropewalk",
    "Tanner's Row",
    "Quay Street",
    "Candle Lane",
    "Friars' Gate",
    "Old Brewery Road",
    "Station Parade",
    "Weavers' Close",
    "Pepper Alley",
    "Bishop's Walk",
];
const SUBJECTS: [&str; 10] = [
    "a bishop",
    "a lost hat",
    "soup",
    "a goose",
    "the dentist's chair",
    "an aunt from Cork",
    "gravity",
    "a very small car",
    "Monday",
    "a parrot",
];
const POETS: [&str; 10] = [
    "Declan", "Saoirse", "Kwame", "Ingeborg", "Tobias", "Parvati", "Luciano", "Maeve", "Anatol",
    "Wanda",
];
const SNOWMEN: [&str; 10] = [
    "tall snowman",
    "leaning snowman",
    "snowman with a scarf",
    "snowman with a hat",
    "two-headed snowman",
    "snow rabbit",
    "snow bear",
    "snow penguin",
    "snow queen",
    "upside-down snowman",
];
const YARDS: [&str; 10] = [
    "the vicarage yard",
    "the school yard",
    "the fire station yard",
    "the bakery yard",
    "the depot yard",
    "the post office yard",
    "the brewery yard",
    "the stable yard",
    "the boat yard",
    "the nursery yard",
];
const NOODLES: [&str; 10] = [
    "ramen",
    "udon",
    "soba",
    "pho",
    "laksa",
    "pad thai",
    "dan dan noodles",
    "lo mein",
    "yakisoba",
    "glass noodle salad",
];
const STALLS: [&str; 10] = [
    "Blue Lantern",
    "Mama Ling",
    "Two Dragons",
    "Corner Wok",
    "Rainy Day",
    "Lucky Cat",
    "Night Train",
    "Old Bamboo",
    "Paper Crane",
    "Little Hanoi",
];
const LULLABIES: [&str; 10] = [
    "moon lullaby",
    "sheep lullaby",
    "sea lullaby",
    "owl lullaby",
    "snow lullaby",
    "train lullaby",
    "star lullaby",
    "wind lullaby",
    "bear lullaby",
    "cradle song",
];
const SINGERS: [&str; 10] = [
    "Nana Blythe",
    "Uncle Rafe",
    "the night choir",
    "Sister Pauline",
    "Grandpa Milos",
    "the Karlsen twins",
    "Auntie Joy",
    "old Mr Teague",
    "cousin Elspeth",
    "the au pair",
];
const SUNDIALS: [&str; 10] = [
    "slate sundial",
    "bronze sundial",
    "marble sundial",
    "pillar sundial",
    "wall sundial",
    "ring sundial",
    "globe sundial",
    "noon mark",
    "cross sundial",
    "pocket sundial",
];
const PARKS: [&str; 10] = [
    "Alder Park",
    "the abbey garden",
    "Victoria Park",
    "the botanic garden",
    "Castle Hill",
    "Mayfield Park",
    "the palace garden",
    "Riverside Park",
    "the cemetery",
    "Linden Park",
];
const WINDOWS: [&str; 10] = [
    "rose window",
    "Noah window",
    "harvest window",
    "Jonah window",
    "shepherd window",
    "lily window",
    "miners' window",
    "fishermen's window",
    "creation window",
    "angel window",
];
const CHAPELS: [&str; 10] = [
    "St Aldhelm",
    "St Brannock",
    "St Cecilia",
    "St Dunstan",
    "St Elmo",
    "St Finbar",
    "St Genevieve",
    "St Hilda",
    "St Ives",
    "St Jude",
];
const TUNNELS: [&str; 10] = [
    "canal tunnel",
    "mine tunnel",
    "railway tunnel",
    "pedestrian tunnel",
    "service tunnel",
    "smugglers' tunnel",
    "water tunnel",
    "bat tunnel",
    "bike tunnel",
    "salt tunnel",
];
const VALLEYS: [&str; 10] = [
    "the Lauter valley",
    "the Ogwen valley",
    "the Aosta valley",
    "the Soča valley",
    "the Ahr valley",
    "the Tamar valley",
    "the Rhondda",
    "the Val d'Orcia",
    "the Douro valley",
    "the Esk valley",
];

const KINDS: [Kind; 10] = [
    Kind {
        first: DUCKS,
        second: HEATS,
        title: "{0} in {1}",
        text: "The {0} came in after {n} seconds in {1}, with number {m} on its belly.",
        keywords: "duck race",
    },
    Kind {
        first: MAGNETS,
        second: FRIDGES,
        title: "{0} on {1}",
        text: "The {0} on {1} holds {n} sheets of paper and cost {m} cents.",
        keywords: "fridge magnets",
    },
    Kind {
        first: COVERS,
        second: STREETS,
        title: "{0} in {1}",
        text: "The {0} in {1} weighs {m} kilos and was cast {n} years ago.",
        keywords: "manhole covers",
    },
    Kind {
        first: SUBJECTS,
        second: POETS,
        title: "Limerick about {0} by {1}",
        text: "The limerick about {0} by {1} got {n} points and {m} laughs.",
        keywords: "limericks",
    },
    Kind {
        first: SNOWMEN,
        second: YARDS,
        title: "{0} in {1}",
        text: "The {0} in {1} was {m} centimetres high and stood for {n} days.",
        keywords: "snowmen",
    },
    Kind {
        first: NOODLES,
        second: STALLS,
        title: "{0} at {1}",
        text: "The {0} at {1} came in {n} minutes, number {m} on the menu.",
        keywords: "noodle stalls",
    },
    Kind {
        first: LULLABIES,
        second: SINGERS,
        title: "{0} sung by {1}",
        text: "The {0} sung by {1} lasts {m} seconds, the baby slept after {n}.",
        keywords: "lullabies",
    },
    Kind {
        first: SUNDIALS,
        second: PARKS,
        title: "{0} in {1}",
        text: "The {0} in {1} was {n} minutes slow, it stands {m} metres from the gate.",
        keywords: "sundials",
    },
    Kind {
        first: WINDOWS,
        second: CHAPELS,
        title: "{0} of {1}",
        text: "The {0} of {1} has {m} panes, {n} of them blue.",
        keywords: "church windows",
    },
    Kind {
        first: TUNNELS,
        second: VALLEYS,
        title: "{0} in {1}",
        text: "The {0} in {1} is {m} metres long and {n} metres deep.",
        keywords: "tunnels",
    },
];

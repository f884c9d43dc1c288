//! Lists, corrections and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [lists(), corrections(), of_dates(), removals()].concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "costume-typos",
            "we alos need 3 metres of velvet and a zip for teh carnival costum",
            Expected::default().change(
                "Carnival costume",
                &["felt", "elastic", "velvet&3|velvet&three", "zip"],
            ),
        )
        .note("Carnival costume", "sewing", "- red felt\n- elastic band")
        .note("Curtains", "sewing", "- velvet, 6 metres\n- curtain tape")
        .solved_by(&[Edit::Append(
            "Carnival costume",
            "\n- 3 metres of velvet\n- zip",
        )]),
        Task::strict(
            "gutters-untick",
            "The gutters on my autumn jobs aren't done after all, please untick them again.",
            Expected::default()
                .change(
                    "Autumn jobs",
                    &["[ ]&gutters|[]&gutters", "[x]&hose", "[ ]&fig tree"],
                )
                .lacking(&["[x]&gutters"]),
        )
        .note(
            "Autumn jobs",
            "outdoors",
            "- [x] clean the gutters\n- [x] drain the hose\n- [ ] wrap the fig tree",
        )
        .note(
            "Spring jobs",
            "outdoors",
            "- [x] clean the gutters\n- [ ] sand the bench",
        )
        .solved_by(&[Edit::Replace(
            "Autumn jobs",
            "[x] clean the gutters",
            "[ ] clean the gutters",
        )]),
        Task::strict(
            "curry-chickpeas",
            "make it four cans of chickpeas for curry night, two won't be enough",
            Expected::default()
                .change(
                    "Curry night",
                    &["4&chickpea|four&chickpea", "coriander", "naan"],
                )
                .lacking(&["2&chickpea|two&chickpea"]),
        )
        .note(
            "Curry night",
            "cooking",
            "- 2 cans of chickpeas\n- 1 bunch of coriander\n- 2 naan breads",
        )
        .note(
            "Hummus",
            "cooking",
            "- 2 cans of chickpeas\n- tahini\n- a lemon",
        )
        .solved_by(&[Edit::Replace("Curry night", "2 cans", "4 cans")]),
    ]
}

fn corrections() -> Vec<Task> {
    vec![
        Task::strict(
            "house-key-wendell",
            "Rosalind has given the house key back, Wendell is keeping it from now on",
            Expected::default()
                .change(
                    "Spare keys",
                    &["house&wendell", "shed&blue pot", "letterbox&drawer"],
                )
                .lacking(&[
                    "with rosalind",
                    "and rosalind",
                    "rosalind and",
                    "or rosalind",
                ]),
        )
        .note(
            "Spare keys",
            "house",
            "House key: with Rosalind\nShed key: under the blue pot\nLetterbox key: in the drawer",
        )
        .note(
            "Plant sitting",
            "house",
            "Rosalind waters the orchids, the ferns only need it twice.",
        )
        .solved_by(&[Edit::Replace("Spare keys", "Rosalind", "Wendell")]),
        Task::strict(
            "caravan-tyres",
            "the tyre pressure of the caravan ought to be 3.8 bar",
            Expected::default()
                .change("Caravan", &["tyre&3.8|tyre&3,8", "length&6.2", "gas&11"])
                .lacking(&["3.3|3,3"])
                .dictated(),
        )
        .note(
            "Caravan",
            "on the road",
            "Tyre pressure: 3.3 bar\nLength: 6.2 metres\nGas bottle: 11 kg",
        )
        .note(
            "Boat trailer",
            "on the road",
            "Tyre pressure: 2.7 bar\nPlug: seven pins",
        )
        .solved_by(&[Edit::Replace("Caravan", "3.3", "3.8")]),
    ]
}

fn of_dates() -> Vec<Task> {
    vec![
        Task::strict(
            "castle-concert-later",
            "they've put the castle concert off until 8 june, can you change the date",
            Expected::default()
                .change(
                    "Castle concert",
                    &[
                        "8 Jun|8. Jun|Jun 8|June 8|8th|8.6|08.06|8.6.|08.06.|06-08|6/8|06/08|8/6|\
                         08/06",
                        "courtyard",
                        "odile",
                    ],
                )
                .lacking(&[
                    "25 May|25. May|May 25|25th|25.5|25.05|25.5.|25.05.|05-25|5/25|05/25|25/5|\
                     25/05",
                ]),
        )
        .note(
            "Castle concert",
            "outings",
            "On 25 May in the courtyard, if it rains in the barn. Odile has the tickets.",
        )
        .note(
            "Raft trip",
            "outings",
            "On 25 May from the old ferry, life jackets are there.",
        )
        .solved_by(&[Edit::Replace("Castle concert", "25 May", "8 June")]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "moving-day-two-off",
            "Leopold is bringing a sack truck and a tarp, so take both off Moving day",
            Expected::default()
                .change("Moving day", &["30 boxes", "packing tape"])
                .lacking(&["sack truck", "tarp"]),
        )
        .note(
            "Moving day",
            "moving",
            "- sack truck\n- 30 boxes\n- tarp\n- packing tape",
        )
        .note(
            "Moving van",
            "moving",
            "Booked from eight to six, a sack truck is 5 euros more.",
        )
        .solved_by(&[
            Edit::Replace("Moving day", "- sack truck\n", ""),
            Edit::Replace("Moving day", "- tarp\n", ""),
        ]),
        Task::strict(
            "scout-hut-wasps",
            "what it says about the wasps in the scout hut note is out of date, they're gone. \
             please take it out",
            Expected::default()
                .change("Scout hut", &["bakery", "firewood", "water pump"])
                .lacking(&["wasp"]),
        )
        .note(
            "Scout hut",
            "scouts",
            "The key is at the bakery. Mind the wasps' nest over the back door. Firewood is beside \
             the water pump.",
        )
        .note(
            "Allotment",
            "outdoors",
            "Wasps' nest under the eaves, Mr Grabowski has a look at it.",
        )
        .solved_by(&[Edit::Replace(
            "Scout hut",
            " Mind the wasps' nest over the back door.",
            "",
        )]),
    ]
}

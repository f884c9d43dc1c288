//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        days(),
        boxes(),
        removals(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "galley-oat-milk",
            "acn you throw in 6 cartns of oat milk adn a can openr on the galley suplies list",
            Expected::default().change(
                "Galley supplies",
                &[
                    "9 jars of lentils",
                    "tea towels",
                    "6&oat&milk|six&oat&milk|6&oatmilk|six&oatmilk",
                    "can opener|can-opener|can openr|tin opener|tin-opener",
                ],
            ),
        )
        .note(
            "Galley supplies",
            "boat",
            "- 9 jars of lentils\n- tea towels",
        )
        .note(
            "Oat biscuits",
            "recipes",
            "Six spoons of milk at the most. The cutters are in the drawer with the baking supplies.",
        )
        .solved_by(&[Edit::Append(
            "Galley supplies",
            "\n- 6 cartons of oat milk\n- can opener",
        )]),
        Task::strict(
            "metal-detector-field",
            "The note on the metal detector ought to mention as well that it runs on 8 AA batteries and that Farmer \
             Gudgeon lets us onto his field after the harvest, thank you",
            Expected::default().change(
                "Metal detector",
                &[
                    "28 cm",
                    "swing",
                    "8&batter|eight&batter|8&aa|eight&aa|8x&aa|8×&aa",
                    "gudgeon",
                    "harvest",
                ],
            ),
        )
        .note(
            "Metal detector",
            "hobbies",
            "The coil is 28 cm wide.\nSwing it slowly, close to the ground",
        )
        .note(
            "Smoke detector",
            "house",
            "One 9 volt battery. It chirps for a week before it gives up.",
        )
        .solved_by(&[Edit::Append(
            "Metal detector",
            "\nRuns on 8 AA batteries\nFarmer Gudgeon lets us onto his field after the harvest.",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "cardigan-skeins",
            "did the sums for the cardigan once more. 9 skeins of the blue is what it takes, 7 is wrong, so change \
             that would you",
            Expected::default()
                .change(
                    "Cardigan",
                    &[
                        "9 skein|nine skein|9&blue|nine&blue",
                        "2&cream|two&cream",
                        "4.5",
                        "mustard folder",
                    ],
                )
                .lacking(&["7|seven"]),
        )
        .note(
            "Cardigan",
            "knitting",
            "7 skeins of the blue, 2 of the cream.\nNeedles: 4.5 mm\nThe pattern is in the mustard folder.",
        )
        .note(
            "Bobble blanket",
            "knitting",
            "7 skeins of the blue so far. The border is still missing.",
        )
        .solved_by(&[Edit::Replace("Cardigan", "7 skeins", "9 skeins")]),
        Task::strict(
            "basket-maker-name",
            "My basket maker is called Baptiste, no idea what made me write Bastien. Please put that right in the note \
             about the wicker chairs.",
            Expected::default()
                .change(
                    "Wicker chairs",
                    &[
                        "baptiste",
                        "95",
                        "two of them|2 of them",
                        "honey",
                    ],
                )
                .lacking(&["bastien"]),
        )
        .note(
            "Wicker chairs",
            "furniture",
            "Bastien mends the seats, 95 euros each.\nTwo of them are in the workshop already\nColour: honey",
        )
        .note(
            "Board games evening",
            "friends",
            "Bastien brings the crisps. We are two chairs short.",
        )
        .solved_by(&[Edit::Replace("Wicker chairs", "Bastien", "Baptiste")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "mri-brought-forward",
            "the hospital rang, my mri is on thursday 22 january and no longer on monday the 26th.. same time, same \
             place. put the new date in for me",
            Expected::default()
                .change(
                    "MRI scan",
                    &[
                        "thursday|thu",
                        "22 Jan|22. Jan|Jan 22|January 22|22nd|twenty-second|22.1|22.1.|22.01|22.01.|01-22|1/22|\
                         01/22|22/1|22/01",
                        "7:50|07:50|7.50|07.50|ten to eight|10 to 8",
                        "basement",
                        "jewellery",
                        "rosén|rosen",
                    ],
                )
                .lacking(&[
                    "monday",
                    "26 Jan|26. Jan|Jan 26|January 26|26th|26.1|26.1.|26.01|26.01.|01-26|1/26|01/26|26/1|26/01",
                ]),
        )
        .note(
            "MRI scan",
            "health",
            "Monday 26 January at 7:50, in the basement of the clinic.\nNo metal, no jewellery\nThe referral is from \
             Dr Rosén.",
        )
        .note(
            "Cellar clear-out",
            "house",
            "Monday 26 January, the skip comes early. Same place as last time.",
        )
        .solved_by(&[Edit::Replace(
            "MRI scan",
            "Monday 26 January",
            "Thursday 22 January",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "short-film-ticks",
            "We've got our postman! And the storyboard is drawn too. So two more ticks for the short film please, the \
             casting and the storyboard.",
            Expected::default()
                .change(
                    "Short film",
                    &[
                        "[ ]&permit",
                        "[x]&tripod",
                        "[x]&postman",
                        "[ ]&costumes",
                        "[x]&storyboard",
                    ],
                )
                .lacking(&["[ ]&postman", "[ ]&storyboard"]),
        )
        .note(
            "Short film",
            "film",
            "- [ ] permit for the tram stop\n- [x] borrow a tripod\n- [ ] cast the postman\n- [ ] iron the costumes\n\
             - [ ] draw the storyboard",
        )
        .note(
            "Music video",
            "film",
            "- [ ] draw the storyboard\n- [ ] cast two dancers\n- [ ] dry ice",
        )
        .solved_by(&[
            Edit::Replace("Short film", "[ ] cast", "[x] cast"),
            Edit::Replace("Short film", "[ ] draw", "[x] draw"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "green-octavia-sold",
            "somebody else bought the green octavia this morning, grr. it can go from cars to look at",
            Expected::default()
                .change(
                    "Cars to look at",
                    &["blue fabia", "white jazz", "estate car"],
                )
                .lacking(&["octavia", "tow bar"]),
        )
        .note(
            "Cars to look at",
            "to buy",
            "- blue Fabia, 61,000 km\n- green Octavia, tow bar\n- white Jazz, one owner\n- the estate car Ludger is \
             selling",
        )
        .note(
            "Horse trailer",
            "riding",
            "The Octavia may pull 1200 kilos. Green strap, then the brown one.",
        )
        .solved_by(&[Edit::Replace(
            "Cars to look at",
            "- green Octavia, tow bar\n",
            "",
        )]),
        Task::strict(
            "no-more-lunges",
            "No more lunges for me, says the physiotherapist. Would you take the sentence about them out of my morning \
             routine?",
            Expected::default()
                .change(
                    "Morning routine",
                    &[
                        "ten shoulder rolls|10 shoulder rolls",
                        "40 sec|40 s",
                        "lukewarm water",
                    ],
                )
                .lacking(&["lunge", "15|fifteen"]),
        )
        .note(
            "Morning routine",
            "sport",
            "Ten shoulder rolls. Two sets of lunges, 15 on each side. Hold the plank for 40 seconds.\nA glass of \
             lukewarm water afterwards",
        )
        .note(
            "Warm-up for the juniors",
            "sport",
            "Skipping ropes first. Two sets of lunges, then they choose a game.",
        )
        .solved_by(&[Edit::Replace(
            "Morning routine",
            "Two sets of lunges, 15 on each side. ",
            "",
        )]),
    ]
}

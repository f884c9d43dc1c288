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
            "hamster-sawdust-typos",
            "ad sawdust an a new whel to teh hamstr lisst, teh old one sqeaks all nigth",
            Expected::default().change(
                "Hamster list",
                &["hay", "sunflower seeds", "sawdust", "wheel"],
            ),
        )
        .note(
            "Hamster list",
            "pets",
            "- hay\n- sunflower seeds, a small bag",
        )
        .note(
            "Wheel change",
            "car",
            "The nuts are in the ashtray. Tighten them crosswise.",
        )
        .solved_by(&[Edit::Append("Hamster list", "\n- sawdust\n- new wheel")]),
        Task::strict(
            "radiator-key",
            "Would you kindly write into the note about the radiators that the one \
             in the bathroom has to be bled twice a year, and that the key for it \
             hangs behind the boiler door?",
            Expected::default().change(
                "Radiators",
                &[
                    "spoon",
                    "zoltan",
                    "bathroom",
                    "twice|two times|2 times|2x|2×|every six months|every 6 months",
                    "key&boiler",
                ],
            ),
        )
        .note(
            "Radiators",
            "house",
            "Living room: the valve sticks, tap it with a spoon.\nFlushed by Zoltan \
             the year we moved in",
        )
        .note(
            "Boiler",
            "house",
            "Behind the folding door. Red lamp: press reset for three seconds.",
        )
        .solved_by(&[Edit::Append(
            "Radiators",
            "\nBathroom: bleed it twice a year, the key hangs behind the boiler door.",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "chia-pudding-cement",
            "chia pudding: its 30 grams of seeds to the glass NOT 80. it was like \
             cement. change it!!",
            Expected::default()
                .change(
                    "Chia pudding",
                    &[
                        "30|thirty",
                        "glass",
                        "almond milk",
                        "overnight",
                        "mango",
                        "sugar",
                    ],
                )
                .lacking(&["80|eighty"]),
        )
        .note(
            "Chia pudding",
            "breakfast",
            "80 g of seeds to a glass of almond milk, leave it overnight.\nMango on \
             top, no sugar",
        )
        .note(
            "Muesli",
            "breakfast",
            "80 g of hazelnuts to a kilo of oats. Toast them first.",
        )
        .solved_by(&[Edit::Replace("Chia pudding", "80 g", "30 g")]),
        Task::strict(
            "karate-kids-trainer",
            "I got the trainers muddled up. In karate the children have Iwona, it's \
             only us grown-ups who have Bartek. Can you put that right?",
            Expected::default()
                .change(
                    "Karate for children",
                    &["iwona", "thursday", "16:45", "barefoot", "22 euro"],
                )
                .lacking(&["bartek"]),
        )
        .note(
            "Karate for children",
            "sport",
            "Trainer: Bartek\nThursday 16:45, barefoot\nThe belt exam is 22 euros.",
        )
        .note(
            "Karate for adults",
            "sport",
            "Trainer: Bartek\nThursday 20:00\nMouth guard from blue belt on",
        )
        .solved_by(&[Edit::Replace("Karate for children", "Bartek", "Iwona")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "bonfire-too-windy",
            "bonfire's off on the 5th bc of the wind, theyre lighting it on 7 \
             november instead, same time same place",
            Expected::default()
                .change(
                    "Bonfire",
                    &[
                        "7 Nov|7. Nov|Nov 7|Nov. 7|November 7|7th|7.11|7.11.|07.11|07.11.|11-07|\
                         11/7|11/07|7/11|07/11|seventh",
                        "18:30|18.30|6:30|6.30|half past six|half past 6",
                        "cricket field",
                        "4b",
                        "sparklers",
                    ],
                )
                .lacking(&[
                    "5 Nov|5. Nov|Nov 5|Nov. 5|November 5|5th|5.11|5.11.|05.11|05.11.|11-05|\
                     11/5|11/05|5/11|05/11",
                ]),
        )
        .note(
            "Bonfire",
            "village",
            "5 November, 18:30 on the cricket field.\nClass 4b makes the \
             guy\nSparklers yes, bangers no",
        )
        .note(
            "Hedgehogs",
            "garden",
            "Turn the wood pile over before 5 November, they sleep in there.",
        )
        .solved_by(&[Edit::Replace("Bonfire", "5 November", "7 November")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "scooter-winter-ticks",
            "battery's out of the scooter and i've pumped the tyres up, tick them \
             off for me",
            Expected::default()
                .change(
                    "Scooter into winter",
                    &[
                        "[x]&battery",
                        "[x]&tyres",
                        "[x]&tank",
                        "[ ]&wash",
                        "[ ]&cover",
                    ],
                )
                .lacking(&["[ ]&battery", "[ ]&tyres"]),
        )
        .note(
            "Scooter into winter",
            "vehicles",
            "- [ ] take the battery out\n- [ ] wash and wax it\n- [x] fill up the \
             tank\n- [ ] pump up the tyres\n- [ ] fetch the cover from the loft",
        )
        .note(
            "Lawnmower into winter",
            "garden",
            "- [ ] take the battery out\n- [ ] have the blade ground\n- [ ] put it \
             on the pallet",
        )
        .solved_by(&[
            Edit::Replace("Scooter into winter", "[ ] take", "[x] take"),
            Edit::Replace("Scooter into winter", "[ ] pump", "[x] pump"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "gig-list-no-lead",
            "Gareth is bringing an extension lead of his own, so ours can come off \
             the list for the gig",
            Expected::default()
                .change("Gig list", &["merch box", "set lists", "two stools"])
                .lacking(&["extension"]),
        )
        .note(
            "Gig list",
            "band",
            "- merch box\n- extension lead, the long one\n- set lists\n- two stools",
        )
        .note(
            "Electric hedge",
            "garden",
            "Only with the orange extension lead, Gareth has cut through the other one.",
        )
        .solved_by(&[Edit::Replace(
            "Gig list",
            "- extension lead, the long one\n",
            "",
        )]),
        Task::strict(
            "laundry-room-first-come",
            "Hiya, you don't have to put your name on the door list for the laundry \
             room any longer, so that sentence can be taken out of the note. Ta!",
            Expected::default()
                .change(
                    "Laundry room",
                    &["2 euro", "left", "dryer", "number 9", "rugs"],
                )
                .lacking(&["your name", "door list"]),
        )
        .note(
            "Laundry room",
            "house",
            "The machine takes 2 euros, coins go in on the left. Put your name on \
             the door list. The dryer is shared with number 9.\nNo rugs",
        )
        .note(
            "Bike cellar",
            "house",
            "Put your name on the door list to get a hook. The light goes off after \
             a minute.",
        )
        .solved_by(&[Edit::Replace(
            "Laundry room",
            "Put your name on the door list. ",
            "",
        )]),
    ]
}

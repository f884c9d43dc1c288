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
            "ant-farm-mealworms",
            "we stil need 2 packs of mealwroms adn a test tube rack for teh ant farm, can yuo put those on",
            Expected::default().change(
                "Ant farm",
                &[
                    "sugar water",
                    "fine sand",
                    "2&mealworm|two&mealworm|2&meal worm|two&meal worm|2&mealwrom|two&mealwrom",
                    "test tube rack|test-tube rack|testtube rack",
                ],
            ),
        )
        .note("Ant farm", "pets", "- sugar water\n- fine sand")
        .note(
            "Ants in the kitchen",
            "house",
            "They come in under the sink. Cinnamon did nothing, 2 bait boxes are set up.",
        )
        .solved_by(&[Edit::Append(
            "Ant farm",
            "\n- 2 packs of mealworms\n- a test tube rack",
        )]),
        Task::strict(
            "chainsaw-chains",
            "In the chainsaw note I'd like it to say as well that the chain wants tightening after every 2 tanks, \
             and that spare chains are from Dufresne's by the weighbridge",
            Expected::default().change(
                "Chainsaw",
                &[
                    "1 to 50",
                    "size 52",
                    "tight|tension",
                    "2 tank|two tank|2nd tank|second tank|other tank",
                    "spare",
                    "dufresne",
                    "weighbridge",
                ],
            ),
        )
        .note(
            "Chainsaw",
            "tools",
            "Mix is 1 to 50, never leave it in over winter.\nTrousers with cut protection: size 52",
        )
        .note(
            "Hedge trimmer",
            "tools",
            "Sharpened at Dufresne's in spring. Two spare fuses are in the lid.",
        )
        .solved_by(&[Edit::Append(
            "Chainsaw",
            "\nTighten the chain after every 2 tanks\nSpare chains: Dufresne's by the weighbridge",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "ski-bindings-setting",
            "careful, the ski bindings note has me down with 7.5, the man in the shop set them to 6.5! change it \
             please",
            Expected::default()
                .change(
                    "Ski bindings",
                    &[
                        "6.5|6,5|six and a half|6 1/2|six point five",
                        "305",
                        "two seasons",
                        "brake",
                    ],
                )
                .lacking(&["7.5|7,5|seven and a half|7 1/2|seven point five"]),
        )
        .note(
            "Ski bindings",
            "winter",
            "Set to 7.5, soles 305 mm.\nCheck them again after two seasons\nThe brake on the left one sticks.",
        )
        .note(
            "Ski passes",
            "winter",
            "7.5 percent off with the blue card. Six days, five for Oma.",
        )
        .solved_by(&[Edit::Replace("Ski bindings", "7.5", "6.5")]),
        Task::strict(
            "mill-cottage-agent",
            "the agent who shows us the mill cottage spells himself Quennell, with an e.. i have him as Quinnell and \
             he's touchy about that. fix it for me?",
            Expected::default()
                .change(
                    "Viewing of the mill cottage",
                    &["quennell", "11:20", "the well", "rubber boots"],
                )
                .lacking(&["quinnell"]),
        )
        .note(
            "Viewing of the mill cottage",
            "moving",
            "Sunday at 11:20, Mr Quinnell shows us round.\nAsk about the well\nRubber boots for the meadow",
        )
        .note(
            "Agents to call back",
            "moving",
            "Mrs Ibbotson at Keyes, Mr Vandeput at Harrow and Son.",
        )
        .note(
            "Cottage cheese pancakes",
            "recipes",
            "250 g, two eggs, a spoon of semolina. Fry them on Sunday for the kids.",
        )
        .solved_by(&[Edit::Replace(
            "Viewing of the mill cottage",
            "Quinnell",
            "Quennell",
        )]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "planetarium-new-date",
            "planetarium can't take 4b on the 6th of march, they offered us the 13th at the same hour and i said yes. \
             so new date please",
            Expected::default()
                .change(
                    "Planetarium",
                    &[
                        "13 Mar|13. Mar|Mar 13|Mar. 13|March 13|13th|thirteenth|13.3|13.3.|13.03|13.03.|03-13|3/13|\
                         03/13|13/3|13/03",
                        "9:50|09:50|9.50|09.50|ten to ten|10 to 10",
                        "27",
                        "tanimoto",
                    ],
                )
                .lacking(&[
                    "6 Mar|6. Mar|06 Mar|06. Mar|Mar 6|Mar. 6|March 6|6th|6.3|6.3.|06.03|06.03.|03-06|3/6|03/06|\
                     6/3|06/03",
                ]),
        )
        .note(
            "Planetarium",
            "school",
            "Class 4b, Friday 6 March, the show is at 9:50.\n27 children and three grown-ups\nMs Tanimoto has the \
             bus tickets.",
        )
        .note(
            "Outing fund of 4b",
            "school",
            "6 euros a child by 13 March, Ms Tanimoto collects them in a jar.",
        )
        .solved_by(&[Edit::Replace("Planetarium", "6 March", "13 March")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "soapbox-axles",
            "axles are on and we got our start number from the town hall today, so those two can be marked as done for the \
             soapbox race",
            Expected::default()
                .change(
                    "Soapbox race",
                    &[
                        "[x]&axles",
                        "[x]&shell",
                        "[x]&start number",
                        "[ ]&brakes",
                        "[ ]&trailer",
                    ],
                )
                .lacking(&["[ ]&axles", "[ ]&start number"]),
        )
        .note(
            "Soapbox race",
            "kids",
            "- [ ] mount the axles\n- [x] paint the shell\n- [ ] fetch the start number\n- [ ] test the brakes on \
             Cobbler's Hill\n- [ ] borrow a trailer",
        )
        .note(
            "Town hall",
            "errands",
            "- [ ] fetch the dog tag\n- [ ] number for the new bin\n- [ ] ask about the axle load on Mill Bridge",
        )
        .solved_by(&[
            Edit::Replace("Soapbox race", "[ ] mount", "[x] mount"),
            Edit::Replace("Soapbox race", "[ ] fetch", "[x] fetch"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "bucket-list-bungee",
            "I've done the bungee jump and I'm never doing that again. Off the bucket list it goes please",
            Expected::default()
                .change("Bucket list", &["northern lights", "tractor", "oysters"])
                .lacking(&["bungee"]),
        )
        .note(
            "Bucket list",
            "",
            "- northern lights from a cabin\n- bungee jump at the dam\n- learn to drive a tractor\n- oysters in \
             Cancale",
        )
        .note(
            "Vouchers",
            "",
            "- bungee jump for two, valid until May\n- 15 euros for the cinema",
        )
        .solved_by(&[Edit::Replace(
            "Bucket list",
            "- bungee jump at the dam\n",
            "",
        )]),
        Task::strict(
            "evening-tray-iron",
            "Grandpa is finished with the iron drops, the doctor says he's got plenty now. So out with that sentence \
             in the evening tray note",
            Expected::default()
                .change(
                    "Grandpa's evening tray",
                    &[
                        "half a pear",
                        "white pill",
                        "radio",
                        "quietly",
                        "21:10",
                        "blue beaker",
                    ],
                )
                .lacking(&["iron", "orange juice"]),
        )
        .note(
            "Grandpa's evening tray",
            "care",
            "Half a pear and the white pill. 20 iron drops in a glass of orange juice. The radio on, \
             quietly.\nBlinds down by 21:10\nTeeth: in the blue beaker",
        )
        .note(
            "Evening surgery",
            "care",
            "Dr Malhotra, Tuesdays until 20:30. The iron tablets are on the repeat list.",
        )
        .solved_by(&[Edit::Replace(
            "Grandpa's evening tray",
            "20 iron drops in a glass of orange juice. ",
            "",
        )]),
    ]
}

//! New notes, nothing to note, and two steps or more in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        titled_note(),
        new_notes(),
        nothing_to_note(),
        change_and_new_note(),
        gone_and_added(),
    ]
    .concat()
}

fn titled_note() -> Vec<Task> {
    vec![
        Task::strict(
            "new-footplate-day",
            "make me a note called Footplate day: on 23 may, sign in at 8:15 in the engine shed, bring leather gloves, \
             265 pounds and i get to drive the loco for 40 minutes",
            Expected::default().new_titled(
                "Footplate day",
                &[
                    "23 May|23. May|May 23|23rd|twenty-third|23.5|23.5.|23.05|23.05.|05-23|5/23|05/23|23/5|23/05",
                    "8:15|8.15|08:15|08.15|8h15|0815|quarter past eight|quarter past 8",
                    "shed",
                    "leather",
                    "glove",
                    "265",
                    "40 min|40min|40-min|forty min|forty-min",
                ],
            ),
        )
        .note(
            "Tool shed",
            "house",
            "The bolt sticks, lift the door a little. Leather punch in the top drawer.",
        )
        .note(
            "Toy train",
            "children",
            "Runs on two AA batteries, the bridge is at Noor's.",
        )
        .solved_by(&[Edit::Create(
            "Footplate day",
            "23 May, sign in at 8:15 in the engine shed.\nLeather gloves\n265 pounds, I drive for 40 minutes.",
        )]),
    ]
}

fn new_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "remind-softener-salt",
            "dont let me forget: the water softener needs new salt by 3 february, 25 kg of tablets, and the builders \
             merchant sells them only on weekdays until 4pm",
            Expected::default().new_note(&[
                "softener",
                "salt",
                "3 Feb|3. Feb|03 Feb|Feb 3|Feb. 3|February 3|3rd|third|3.2|3.2.|03.02|03.02.|02-03|2/3|02/03|3/2|03/02",
                "25 kg|25kg|25 kilo|25-kg|25-kilo|twenty-five kilo",
                "tablet",
                "merchant",
                "weekday|week day|week-day|working day|monday to friday|monday-friday|mon-fri|mon to fri",
                "4pm|4 pm|4 p.m|4p.m|4:00|16:00|16.00|four|16h|4 o'clock",
            ]),
        )
        .note(
            "Salt lamp",
            "bedroom",
            "15 watt bulb, small thread. It weeps when the window is open.",
        )
        .note(
            "Bathroom scales",
            "house",
            "The zinc tablets lie beside them. Battery: a flat round one.",
        )
        .solved_by(&[Edit::Create(
            "Salt for the water softener",
            "Needed by 3 February: 25 kg of tablets.\nThe builders' merchant sells them on weekdays until 4pm.",
        )]),
        Task::strict(
            "new-swift-boxes",
            "What a nice visit that was, the lady from the bird people stayed for two hours and we chatted about \
             everything under the sun. Only this needs keeping: Ms Tregear hangs 3 swift boxes under our eaves on \
             12 April, they cost 54 euros apiece and she wants an 8 metre ladder from us.",
            Expected::default().new_note(&[
                "tregear",
                "swift",
                "3|three",
                "eaves",
                "12 Apr|12. Apr|Apr 12|Apr. 12|April 12|12th|twelfth|12.4|12.4.|12.04|12.04.|04-12|4/12|04/12|12/4|\
                 12/04",
                "54|fifty-four",
                "ladder",
                "8 m|8m|8-m|eight m|eight-m",
            ]),
        )
        .note(
            "Nesting box for the blue tits",
            "garden",
            "Clean it in October, hot water only. Hangs on the pear tree.",
        )
        .note(
            "Painter's trestles",
            "house",
            "Under the eaves, behind the sledge. One foot is wobbly.",
        )
        .solved_by(&[Edit::Create(
            "Swift boxes",
            "Ms Tregear hangs 3 of them under the eaves on 12 April.\n54 euros apiece\nShe needs a ladder of 8 metres.",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "static-shock",
            "ow!! zapped by that door handle again, this carpet is out to get me",
            Expected::default(),
        )
        .note(
            "Hall carpet",
            "house",
            "Sisal, 80 cm wide. The edge by the stairs is glued down.",
        )
        .note(
            "Door handles",
            "house",
            "Brushed brass, from the salvage yard. Two spare ones are in the chest.",
        ),
        Task::strict(
            "earworm-jingle",
            "La la laaa... that jingle from the sofa advert has been going round my head since lunch, I'm going mad",
            Expected::default(),
        )
        .note(
            "Sofa bed",
            "house",
            "Pull at both straps, the slats on the left go first.",
        )
        .note(
            "Lunch at the mill",
            "outings",
            "Closed on Tuesdays. The trout comes with dumplings.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "curling-sheet-and-slider",
            "Curling has been moved from sheet 2 to sheet 4, please fix that. And make a separate note that Brynja \
             lends me her sliding shoes, size 39, until the end of March",
            Expected::default()
                .change(
                    "Curling",
                    &[
                        "tuesday",
                        "19:30",
                        "sheet&4|sheet&four|4th sheet|fourth sheet",
                        "trousers",
                        "broom&locker",
                    ],
                )
                .lacking(&["sheet 2|sheet two", "brynja"])
                .new_note(&[
                    "brynja",
                    "shoe|slider",
                    "39|thirty-nine",
                    "end of March|March end|end-of-March|31 March|31. March|March 31|31st|31.3|31.3.|31.03|31.03.|\
                     03-31|3/31|03/31|31/3|31/03",
                ]),
        )
        .note(
            "Curling",
            "sport",
            "Tuesdays at 19:30, sheet 2.\nFlat soles, warm trousers\nThe brooms are in the locker by the stairs",
        )
        .note(
            "Baking sheets",
            "kitchen",
            "Sheet 2 is warped, good enough for rolls.",
        )
        .solved_by(&[
            Edit::Replace("Curling", "sheet 2", "sheet 4"),
            Edit::Create(
                "Sliding shoes",
                "Brynja lends me hers, size 39, until the end of March.",
            ),
        ]),
    ]
}

fn gone_and_added() -> Vec<Task> {
    vec![
        Task::strict(
            "hammock-and-lamp-oil",
            "the hammock went back to the shop so scrap that note. also put lamp oil on the boathouse list pls",
            Expected::default()
                .change(
                    "Boathouse list",
                    &["bailer", "bow line", "lamp oil|lamp-oil|oil for the lamp"],
                )
                .delete("Hammock"),
        )
        .note(
            "Hammock",
            "garden",
            "Cotton, holds 160 kg. 89 euros at Palmgarten, exchange within 30 days.",
        )
        .note(
            "Swing seat",
            "garden",
            "Cushions from Palmgarten, bring them in before the frost.",
        )
        .note("Boathouse list", "lake", "- bailer\n- 6 m of bow line")
        .note(
            "Summerhouse list",
            "garden",
            "- citronella candles\n- deck paint",
        )
        .solved_by(&[
            Edit::Delete("Hammock"),
            Edit::Append("Boathouse list", "\n- lamp oil"),
        ]),
    ]
}

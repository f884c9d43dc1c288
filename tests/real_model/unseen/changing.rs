//! Lists, corrections, boxes, removals, and lines that move to another note.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        days(),
        boxes(),
        removals(),
        elsewhere(),
        more_elsewhere(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "agri-store-typos",
            "add calf milk powdr and a head torch to the agri store list, im going there after \
             milkng",
            Expected::default().change(
                "Agri store",
                &[
                    "baler twine",
                    "rat bait",
                    "calf&milk",
                    "head torch|headtorch|head-torch|head lamp|headlamp",
                ],
            ),
        )
        .note("Agri store", "farm", "- baler twine, 2 rolls\n- rat bait")
        .note(
            "Feed order",
            "farm",
            "- calf nuts, 4 bags\n- hay for the pony",
        )
        .solved_by(&[Edit::Append(
            "Agri store",
            "\n- calf milk powder\n- head torch",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "hanse-essay-words",
            "prof just told us the hanse essay can be up to 3,500 words, so the 3,000 in my note \
             is wrong. pls fix",
            Expected::default()
                .change(
                    "Essay on the Hanse",
                    &[
                        "3,500|3500|3.500|3 500",
                        "words",
                        "footnotes",
                        "week 11",
                        "reserve shelf",
                    ],
                )
                .lacking(&["3,000|3000|3.000|3 000"]),
        )
        .note(
            "Essay on the Hanse",
            "uni",
            "Up to 3,000 words, footnotes don't count.\nDue in week 11\nBooks are on the reserve \
             shelf",
        )
        .note(
            "Essay on the Vikings",
            "uni",
            "Up to 3,000 words, due in week 9. One map at least.",
        )
        .solved_by(&[Edit::Replace("Essay on the Hanse", "3,000", "3,500")]),
        Task::strict(
            "hairdresser-lovelock",
            "My hairdresser got married in May, so she isn't Miss Pettifer any longer, she is Mrs \
             Lovelock. I should like that altered in the note about her, thank you kindly.",
            Expected::default()
                .change(
                    "Hairdresser",
                    &["lovelock", "first floor|1st floor", "bank", "perm", "cash"],
                )
                .lacking(&["pettifer"]),
        )
        .note(
            "Hairdresser",
            "town",
            "Miss Pettifer, first floor above the bank.\nA perm every eight weeks\nShe takes cash \
             only",
        )
        .note(
            "Manicure",
            "town",
            "Miss Petrie, next to the bank. On Tuesdays it is half price.",
        )
        .solved_by(&[Edit::Replace(
            "Hairdresser",
            "Miss Pettifer",
            "Mrs Lovelock",
        )]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "asthma-check-thursday",
            "surgery rang, they moved milo's asthma check from tues 10 feb to thurs 12 feb. still \
             9:20 and still room 4, just the day is different",
            Expected::default()
                .change(
                    "Asthma check Milo",
                    &[
                        "thu",
                        "12 Feb|12. Feb|Feb 12|Feb. 12|February 12|12th|twelfth|12.2|12.02|12/2|\
                         12/02|2/12|02/12|02-12",
                        "9:20|9.20|09:20|09.20",
                        "room 4|room four",
                        "peak flow",
                        "blue inhaler",
                        "school form",
                    ],
                )
                .lacking(&[
                    "tue",
                    "10 Feb|10. Feb|Feb 10|Feb. 10|February 10|10th|tenth|10.2|10.02|10/2|10/02|\
                     2/10|02/10|02-10",
                ]),
        )
        .note(
            "Asthma check Milo",
            "health",
            "Tuesday 10 February, 9:20, room 4.\nBring the peak flow diary and the blue \
             inhaler\nAsk about the school form",
        )
        .note(
            "Eye check Milo",
            "health",
            "Tuesday 10 February, 14:10, Dr Sundaram. No reading after the drops.",
        )
        .solved_by(&[Edit::Replace(
            "Asthma check Milo",
            "Tuesday 10 February",
            "Thursday 12 February",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "lambing-shed-ticks",
            "Iodine came with the vet this morning and the hurdles are hanging. So that's two \
             more you can tick off for the lambing shed.",
            Expected::default()
                .change(
                    "Lambing shed",
                    &[
                        "[x]&straw",
                        "[x]&iodine",
                        "[ ]&heat lamp",
                        "[x]&hurdles",
                        "[ ]&teats",
                    ],
                )
                .lacking(&["[ ]&iodine", "[ ]&hurdles"]),
        )
        .note(
            "Lambing shed",
            "farm",
            "- [x] straw down\n- [ ] iodine for the navels\n- [ ] heat lamp over the corner\n\
             - [ ] hang the hurdles\n- [ ] bottles and teats",
        )
        .note(
            "Calving pen",
            "farm",
            "- [ ] iodine for the navels\n- [ ] mend the gate",
        )
        .solved_by(&[
            Edit::Replace("Lambing shed", "[ ] iodine", "[x] iodine"),
            Edit::Replace("Lambing shed", "[ ] hang", "[x] hang"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "secret-santa-deepak",
            "Deepak's last day is the 12th, so there's no point having him in the Secret Santa. \
             Take him out please, everyone else stays in",
            Expected::default()
                .change("Secret Santa", &["maureen", "søren", "fatou"])
                .lacking(&["deepak", "chillies"]),
        )
        .note(
            "Secret Santa",
            "office",
            "- Maureen, likes tea\n- Deepak, anything with chillies\n- Søren, wool socks\n\
             - Fatou, no chocolate",
        )
        .note(
            "Card for Deepak",
            "office",
            "In the second drawer. Everyone signs, then it goes to Maureen.",
        )
        .solved_by(&[Edit::Replace(
            "Secret Santa",
            "- Deepak, anything with chillies\n",
            "",
        )]),
    ]
}

fn elsewhere() -> Vec<Task> {
    vec![
        Task::strict(
            "dressing-to-late-shift",
            "Mr Adeyemi's dressing can wait till the afternoon. Move it off the Early shift list \
             and onto Late shift",
            Expected::default()
                .change("Early shift", &["blood sugar", "linen"])
                .lacking(&["adeyemi", "dressing"])
                .change("Late shift", &["eye drops", "trolley", "adeyemi&dressing"]),
        )
        .note(
            "Early shift",
            "ward",
            "- bed 3: blood sugar before breakfast\n- Mr Adeyemi: change the dressing\n- order \
             clean linen",
        )
        .note(
            "Late shift",
            "ward",
            "- bed 8: eye drops at six\n- fill the trolley",
        )
        .note(
            "Night shift",
            "ward",
            "- Mr Adeyemi: turn him at two and at four\n- check the fridge",
        )
        .solved_by(&[
            Edit::Replace("Early shift", "- Mr Adeyemi: change the dressing\n", ""),
            Edit::Append("Late shift", "\n- Mr Adeyemi: change the dressing"),
        ]),
    ]
}

fn more_elsewhere() -> Vec<Task> {
    vec![
        Task::strict(
            "mildred-shortbread-split",
            "Aunt Mildred's shortbread recipe is sitting in the note with her birthday and all \
             that, silly place for it. Can it have a note of its own, called Shortbread? And out \
             of the Aunt Mildred one with it.",
            Expected::default()
                .new_titled("Shortbread", &["300", "200", "100", "35", "150"])
                .lacking(&["freesias", "naps"])
                .change(
                    "Aunt Mildred",
                    &["17 october", "freesias", "eleven", "naps"],
                )
                .lacking(&["300", "35"]),
        )
        .note(
            "Aunt Mildred",
            "family",
            "Birthday on 17 October, likes freesias\nShortbread: 300 g flour, 200 g butter, 100 g \
             sugar\nBake it for 35 minutes at 150 degrees\nPhone before eleven, she naps after \
             lunch",
        )
        .note(
            "Ginger nuts",
            "kitchen",
            "220 g flour, 100 g butter, a spoon of syrup. 12 minutes at 180 degrees.",
        )
        .note(
            "Uncle Percy",
            "family",
            "Birthday on 3 November, likes peppermints. His fudge is far too sweet.",
        )
        .solved_by(&[
            Edit::Create(
                "Shortbread",
                "300 g flour, 200 g butter, 100 g sugar\nBake it for 35 minutes at 150 degrees",
            ),
            Edit::Replace(
                "Aunt Mildred",
                "Shortbread: 300 g flour, 200 g butter, 100 g sugar\nBake it for 35 minutes at \
                 150 degrees\n",
                "",
            ),
        ]),
    ]
}

//! Lists, corrections, boxes, removals and moved lines in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        numbers(),
        days(),
        other_days(),
        boxes(),
        removals(),
        moved_lines(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "urban-sketching-typos",
            "cna you ad a foldign stool nad 2 kneadabel erasers to teh urban sketchign list thx",
            Expected::default().change(
                "Urban sketching",
                &[
                    "water brush",
                    "fineliner",
                    "clips",
                    "stool",
                    "2&eras|two&eras",
                ],
            ),
        )
        .note(
            "Urban sketching",
            "drawing",
            "- water brush\n- fineliner 0.3\n- clips",
        )
        .note(
            "Oil painting course",
            "drawing",
            "- turps\n- an old shirt\n- the folding easel",
        )
        .solved_by(&[Edit::Append(
            "Urban sketching",
            "\n- folding stool\n- 2 kneadable erasers",
        )]),
        Task::strict(
            "wrist-splint-night",
            "Back from the hand clinic. For the wrist splint note: it's for the night only, I'm \
             not to type with it on. And if the velcro gives up they replace it for free, I just \
             have to ask for a Mr Baptiste.",
            Expected::default().change(
                "Wrist splint",
                &[
                    "left hand",
                    "30 degrees",
                    "night|nights",
                    "type|typing|keyboard",
                    "velcro",
                    "free|no charge|no cost|gratis",
                    "baptiste",
                ],
            ),
        )
        .note(
            "Wrist splint",
            "health",
            "Left hand, size M.\nWash it at 30 degrees, no spin",
        )
        .note(
            "Tennis elbow strap",
            "health",
            "Only for sport, two fingers below the elbow. Hand clinic, room 12.",
        )
        .solved_by(&[Edit::Append(
            "Wrist splint",
            "\nOnly at night, not while typing\nThe velcro is replaced for free, ask for Mr \
             Baptiste.",
        )]),
    ]
}

fn numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "mobile-plan-gigs",
            "they've bumped up my mobile plan without even asking for more money?? 40 gigs a \
             month. the note still says 25",
            Expected::default()
                .change(
                    "Mobile plan",
                    &["40|forty", "gb|gig|gigs", "month|monthly", "14.99|14,99"],
                )
                .lacking(&["25|twenty-five"]),
        )
        .note(
            "Mobile plan",
            "contracts",
            "25 GB a month, 14.99 euros.\nThree months' notice\nNo roaming in Switzerland",
        )
        .note(
            "Work phone",
            "contracts",
            "25 GB a month, the company pays. Hand it in on the last day.",
        )
        .solved_by(&[Edit::Replace("Mobile plan", "25", "40")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "dermatologist-to-friday",
            "the dermatologist's receptionist rang, they've shifted me from the tuesday to the \
             friday, so that'll be the 14th, still the same time of day. amend it please dear",
            Expected::default()
                .change(
                    "Dermatologist",
                    &[
                        "velasquez",
                        "fri|friday",
                        "14 Mar|14. Mar|Mar 14|Mar. 14|March 14|14th|fourteenth|14.3|14.3.|14.03|\
                         14.03.|03-14|3/14|03/14|14/3|14/03",
                        "8:50|8.50|08:50|08.50|ten to nine",
                        "linden court",
                    ],
                )
                .lacking(&[
                    "tuesday|tue",
                    "11 Mar|11. Mar|Mar 11|Mar. 11|March 11|11th|eleventh|11.3|11.3.|11.03|11.03.|\
                     03-11|3/11|03/11|11/3|11/03",
                ]),
        )
        .note(
            "Dermatologist",
            "health",
            "Dr Velasquez, Tuesday 11 March at 8:50, Linden Court.\nNo cream on the arms \
             beforehand\nBring the plasters that itch",
        )
        .note(
            "Pedicure",
            "health",
            "Tuesday 11 March at 15:10, Linden Court. Take the flat shoes.",
        )
        .solved_by(&[Edit::Replace(
            "Dermatologist",
            "Tuesday 11 March",
            "Friday 14 March",
        )]),
    ]
}

fn other_days() -> Vec<Task> {
    vec![
        Task::strict(
            "open-call-extended",
            "Lucky me, slowest photographer in town: the Tunnel Gallery has extended its open \
             call. It closes on 9 May rather than 30 April, at the same hour. Would you see to the \
             note?",
            Expected::default()
                .change(
                    "Open call Tunnel Gallery",
                    &[
                        "9 May|09 May|9. May|May 9|May 09|9th|ninth|9.5|9.5.|09.05|09.05.|05-09|\
                         5/9|05/09|9/5|09/05",
                        "23:00|23.00|23h|11 pm|11pm|11 p.m.|eleven",
                        "upload|uploads",
                    ],
                )
                .lacking(&[
                    "30 Apr|30. Apr|Apr 30|Apr. 30|April 30|30th|thirtieth|30.4|30.4.|30.04|30.04.|\
                     04-30|4/30|04/30|30/4|30/04",
                ]),
        )
        .note(
            "Open call Tunnel Gallery",
            "photos",
            "Six prints, matt, 40 by 60\nDeadline 30 April at 23:00, upload only.\nFee: 18 euros \
             by bank transfer",
        )
        .note(
            "Open call Silo Gallery",
            "photos",
            "Deadline 30 April, by post. Three prints, unframed, no fee.",
        )
        .solved_by(&[Edit::Replace(
            "Open call Tunnel Gallery",
            "30 April",
            "9 May",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "going-freelance-ticks",
            "going freelance: tax number was in the post today and the business cards are printed \
             too. tick tick :)",
            Expected::default()
                .change(
                    "Going freelance",
                    &[
                        "[x]&bank account",
                        "[x]&tax number",
                        "[x]&cards",
                        "[ ]&insurance",
                        "[ ]&invoice",
                    ],
                )
                .lacking(&["[ ]&tax number", "[ ]&cards"]),
        )
        .note(
            "Going freelance",
            "work",
            "- [x] second bank account\n- [ ] get a tax number\n- [ ] liability insurance\n\
             - [ ] have business cards printed\n- [ ] invoice template",
        )
        .note(
            "Founding the tenants' club",
            "house",
            "- [ ] get a tax number\n- [ ] find a treasurer",
        )
        .solved_by(&[
            Edit::Replace("Going freelance", "[ ] get", "[x] get"),
            Edit::Replace("Going freelance", "[ ] have", "[x] have"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "futsal-emre-out",
            "Emre's done his ligament in, poor sod, no futsal for him this season. can you take \
             him out of the squad",
            Expected::default()
                .change("Futsal squad", &["benedikt", "juraj", "samir"])
                .lacking(&["emre", "left wing"]),
        )
        .note(
            "Futsal squad",
            "sport",
            "- Benedikt, in goal\n- Emre, left wing\n- Juraj\n- Samir, captain",
        )
        .note(
            "Futsal hall",
            "sport",
            "Emre and Samir know the caretaker. Light soles only, out by 22:00.",
        )
        .solved_by(&[Edit::Replace("Futsal squad", "- Emre, left wing\n", "")]),
    ]
}

fn moved_lines() -> Vec<Task> {
    vec![
        Task::strict(
            "tripod-to-suitcase",
            "They'll never let the tripod through security. It'll have to come off the hand \
             luggage list and go on the one for the suitcase.",
            Expected::default()
                .change("Hand luggage", &["passport", "camera", "ear plugs"])
                .lacking(&["tripod"])
                .change(
                    "Suitcase",
                    &["rain jacket", "sandals", "kettle", "carbon&tripod"],
                ),
        )
        .note(
            "Hand luggage",
            "travel",
            "- passport\n- carbon tripod\n- camera body\n- ear plugs",
        )
        .note(
            "Suitcase",
            "travel",
            "- rain jacket\n- sandals\n- travel kettle",
        )
        .note(
            "Camera insurance",
            "travel",
            "Covers the body and the tripod, up to 1,900 euros. Not on boats.",
        )
        .solved_by(&[
            Edit::Replace("Hand luggage", "- carbon tripod\n", ""),
            Edit::Append("Suitcase", "\n- carbon tripod"),
        ]),
    ]
}

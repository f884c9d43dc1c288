//! What a crowd of ordinary people wants added, put right, struck out and ticked.

use crate::expected::Expected;
use crate::task::{Edit, Task};

fn change(title: &str, facts: &[&str]) -> Expected {
    Expected::default().change(title, facts)
}

/// Returns additions, corrections, removals, ticks, and the end of a note.
pub(super) fn tasks() -> Vec<Task> {
    [
        more_people(),
        more_things(),
        more_prose(),
        figures(),
        times(),
        removals(),
        ticks(),
        whole_notes(),
    ]
    .concat()
}

fn more_people() -> Vec<Task> {
    vec![
        Task::strict(
            "g-add-coach",
            "put Mrs Demir and her sister Aylin on the coach list please",
            change("Coach list", &["demir", "aylin", "vogt", "ottilie"]),
        )
        .note(
            "Coach list",
            "",
            "- Mr Vogt\n- the Ames family (4)\n- Ottilie",
        )
        .note("Coach firm", "", "Reisen Blank, leaves at 8:15.")
        .note("Mrs Demir", "", "Sings alto, lives in Birch Road.")
        .solved_by(&[Edit::Append("Coach list", "\n- Mrs Demir\n- Aylin")]),
        Task::strict(
            "g-add-guests",
            "for neles party add leo r. and the twins from next door to the guests",
            change(
                "Party for Nele",
                &["leo r", "twins", "amira", "paul", "greta"],
            ),
        )
        .note(
            "Party for Nele",
            "",
            "Saturday 14 June, 15:00\nGuests: Amira, Paul, Greta",
        )
        .note("Presents for Nele", "", "Roller skates from Grandma")
        .note("Party for Opa", "", "Guests: Irmgard, Heinz")
        .solved_by(&[Edit::Append(
            "Party for Nele",
            ", Leo R., the twins from next door",
        )]),
    ]
}

fn more_things() -> Vec<Task> {
    vec![
        Task::strict(
            "g-add-order",
            "we need brake cleaner n 2 cans of wd40, put on the parts order",
            change(
                "Parts order",
                &[
                    "brake cleaner",
                    "2&wd40|2&wd-40|2&wd 40|two&wd40|two&wd-40|two&wd 40",
                    "wiper",
                ],
            ),
        )
        .note("Parts order", "", "- 5 l oil 5W-30\n- wiper blades")
        .note("Brakes", "", "Clean the discs before fitting the pads.")
        .solved_by(&[Edit::Append(
            "Parts order",
            "\n- brake cleaner\n- 2 cans of WD-40",
        )]),
        Task::strict(
            "g-add-hospital",
            "um for the hospital bag i also need slippers and a phone charger and earplugs no wait not \
             earplugs i have those",
            change(
                "Hospital bag",
                &["slippers", "charger", "pyjamas", "insurance card"],
            )
            .lacking(&["earplug", "ear plug"]),
        )
        .note(
            "Hospital bag",
            "",
            "- pyjamas\n- insurance card\n- toothbrush",
        )
        .note("Weekend bag", "", "- book\n- swimsuit")
        .note("Hospital", "", "Entrance B, visits from 14 to 19.")
        .solved_by(&[Edit::Append(
            "Hospital bag",
            "\n- slippers\n- phone charger",
        )]),
        Task::strict(
            "g-add-reading",
            "add habermas chapter 4 to this weeks readings",
            change("Readings this week", &["habermas&4|habermas&four"]),
        )
        .note(
            "Readings this week",
            "",
            "- Arendt, pages 20 to 58\n- Fraser, the whole essay",
        )
        .note("Readings next week", "", "- Habermas, chapter 5")
        .solved_by(&[Edit::Append(
            "Readings this week",
            "\n- Habermas, chapter 4",
        )]),
    ]
}

fn more_prose() -> Vec<Task> {
    vec![
        Task::strict(
            "g-add-quince",
            "the quince tree bore its first fruit this year, that should go in the note on it",
            change("Quince tree", &["first", "fruit", "2021"]),
        )
        .note(
            "Quince tree",
            "",
            "Planted in 2021 behind the shed. The variety is Konstantinopel.",
        )
        .note("Quince jelly", "", "1 kg of sugar for 1 litre of juice.")
        .note("Pear tree", "", "First fruit in 2019.")
        .solved_by(&[Edit::Append(
            "Quince tree",
            " It bore its first fruit this year.",
        )]),
        Task::strict(
            "g-add-cinnamon",
            "Dear, to my plum cake recipe you may add that a pinch of cinnamon does it good. Thank you",
            change("Plum cake", &["pinch&cinnamon", "plums", "45 minutes"]),
        )
        .note(
            "Plum cake",
            "recipe",
            "1 kg plums, yeast dough with 500 g flour.\nBake for 45 minutes at 190 degrees.",
        )
        .note(
            "Apple cake",
            "recipe",
            "Four apples, sugar and cinnamon on top.",
        )
        .solved_by(&[Edit::Append(
            "Plum cake",
            "\nA pinch of cinnamon does it good.",
        )]),
        Task::strict(
            "g-add-handover",
            "handover ward 3, add bed 12 slept badly and wants to talk to the doctor",
            change(
                "Handover ward 3",
                &[
                    "bed 12",
                    "badly|bad sleep|bad night|poor",
                    "doctor|dr.|dr ",
                    "bed 4",
                    "bed 9",
                ],
            ),
        )
        .note(
            "Handover ward 3",
            "",
            "Bed 4: drip changed at 2:30\nBed 9: no visitors",
        )
        .note("Handover ward 5", "", "Bed 12: goes home today")
        .solved_by(&[Edit::Append(
            "Handover ward 3",
            "\nBed 12: slept badly, wants to talk to the doctor",
        )]),
    ]
}

fn figures() -> Vec<Task> {
    vec![
        Task::strict(
            "g-fix-km",
            "red polo is at 84300 km now",
            change(
                "Red Polo",
                &["84300|84,300|84.300|84 300", "march", "2.3 bar"],
            )
            .lacking(&["79800", "79,800", "79 800"])
            .dictated(),
        )
        .note(
            "Red Polo",
            "",
            "Inspection: March\nMileage: 79800 km\nTyre pressure: 2.3 bar",
        )
        .note("Blue Polo", "", "Inspection: July\nMileage: 61200 km")
        .solved_by(&[Edit::Replace("Red Polo", "79800", "84300")]),
        Task::strict(
            "g-fix-kids-fee",
            "as decided on friday kids pay 18 from now on, adults stay at 30",
            change(
                "Membership",
                &["child&18|kid&18", "adults&30", "families&65"],
            )
            .lacking(&["15"]),
        )
        .note(
            "Membership",
            "club",
            "Adults: 30 euros\nChildren: 15 euros\nFamilies: 65 euros",
        )
        .note("Hall rent", "club", "15 euros an hour")
        .solved_by(&[Edit::Replace("Membership", "15", "18")]),
        Task::strict(
            "g-fix-sitter",
            "the number i wrote down for the babysitter is wrong, it is 0151 778899",
            change(
                "Babysitter",
                &[
                    "helen",
                    "0151 778899|0151778899|0151-778899|0151/778899",
                    "12 euros",
                ],
            )
            .lacking(&["778890", "0151778890"]),
        )
        .note(
            "Babysitter",
            "",
            "Helen, 0151 778890\n12 euros an hour\nOnly until 23:00",
        )
        .note("Neighbours", "", "Kowalski, 0151 445566")
        .solved_by(&[Edit::Replace("Babysitter", "778890", "778899")]),
    ]
}

fn times() -> Vec<Task> {
    vec![
        Task::strict(
            "g-fix-kant",
            "kant seminar moved to thursdays, same time",
            change(
                "Kant seminar",
                &["thursday", "10:15", "room 308", "6 May|May 6"],
            )
            .lacking(&["tuesday"]),
        )
        .note(
            "Kant seminar",
            "",
            "Tuesdays at 10:15, room 308. My talk is on 6 May.",
        )
        .note("Hume seminar", "", "Tuesdays at 14:15, room 112.")
        .solved_by(&[Edit::Replace("Kant seminar", "Tuesdays", "Thursdays")]),
        Task::strict(
            "g-fix-swim",
            "idas swim class starts 40 min later from now on so 16:10",
            change(
                "Swim class",
                &["16:10|16.10|4:10|4.10", "wednesday", "jorge", "goggles"],
            )
            .lacking(&["15:30", "15.30"]),
        )
        .note(
            "Swim class",
            "Ida",
            "Wednesdays, 15:30\nTrainer: Jorge\nBring goggles and 1 euro for the locker",
        )
        .note("Judo", "Ida", "Thursdays, 15:30")
        .note("Choir", "Ida", "Mondays, 16:00")
        .solved_by(&[Edit::Replace("Swim class", "15:30", "16:10")]),
        Task::strict(
            "g-fix-tablets",
            "The doctor says I am to take only half a bisoprolol in the morning now, please correct it",
            change(
                "My tablets",
                &[
                    "half&bisoprolol|1/2&bisoprolol|\u{bd}&bisoprolol|0.5&bisoprolol|0,5&bisoprolol",
                    "morning",
                    "1 pantoprazole",
                    "evening&1 simvastatin",
                ],
            )
            .lacking(&["1 bisoprolol"]),
        )
        .note(
            "My tablets",
            "",
            "Morning: 1 bisoprolol, 1 pantoprazole\nEvening: 1 simvastatin",
        )
        .note("Tablets of Werner", "", "Morning: 1 bisoprolol")
        .note("Doctor", "", "Dr Hamid, closed on Wednesday afternoons.")
        .solved_by(&[Edit::Replace(
            "My tablets",
            "1 bisoprolol",
            "half a bisoprolol",
        )]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "g-cut-dahlias",
            "frost got the dahlias :( take them off the front bed list",
            change("Front bed", &["asters", "sedum", "lavender"]).lacking(&["dahlia"]),
        )
        .note(
            "Front bed",
            "",
            "- asters\n- dahlias\n- sedum\n- lavender",
        )
        .note("Back bed", "", "- roses\n- dahlias")
        .note("Frost", "", "Cover the olive below minus 3 degrees.")
        .solved_by(&[Edit::Replace("Front bed", "- dahlias\n", "")]),
        Task::strict(
            "g-cut-visitors",
            "visitors dont need a guest card any more, take that out of the chess club note",
            change(
                "Chess club",
                &["monday", "19:30", "parish hall", "left cupboard", "40 euros"],
            )
            .lacking(&["guest card", "visitors need"]),
        )
        .note(
            "Chess club",
            "",
            "Mondays at 19:30 in the parish hall. Visitors need a guest card. The boards are in the left \
             cupboard. 40 euros a year.",
        )
        .note("Tennis club", "", "Visitors need a guest card, 6 euros.")
        .solved_by(&[Edit::Replace(
            "Chess club",
            " Visitors need a guest card.",
            "",
        )]),
    ]
}

fn ticks() -> Vec<Task> {
    vec![
        Task::strict(
            "g-tick-ferry",
            "ferry is booked yay",
            change(
                "Before the holidays",
                &["[x]&ferry", "[ ]&newspaper", "[x]&cat"],
            )
            .lacking(&["[ ]&ferry"]),
        )
        .note(
            "Before the holidays",
            "",
            "- [ ] cancel the newspaper\n- [ ] book the ferry\n- [x] somebody for the cat",
        )
        .note("Island", "", "The ferry takes 50 minutes.")
        .solved_by(&[Edit::Replace("Before the holidays", "[ ] book", "[x] book")]),
        Task::strict(
            "g-untick-bulb",
            "untick the bulb in the stairwell, its gone again",
            change("Handyman list", &["[ ]&bulb", "[ ]&gate", "[x]&tile"]).lacking(&["[x]&bulb"]),
        )
        .note(
            "Handyman list",
            "",
            "- [x] bulb in the stairwell\n- [ ] squeaky gate\n- [x] loose tile",
        )
        .note("Bulbs", "", "E14 in the stairwell, E27 everywhere else.")
        .solved_by(&[Edit::Replace("Handyman list", "[x] bulb", "[ ] bulb")]),
    ]
}

fn whole_notes() -> Vec<Task> {
    vec![
        Task::strict(
            "g-delete-caravan",
            "we sold the caravan, so the caravan checklist note can be deleted",
            Expected::default().delete("Caravan checklist"),
        )
        .note(
            "Caravan checklist",
            "",
            "- gas off\n- windows shut\n- steps in",
        )
        .note("Caravan club", "", "52 euros a year, runs until December.")
        .note("Car checklist", "", "- oil\n- wiper water")
        .solved_by(&[Edit::Delete("Caravan checklist")]),
    ]
}

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
            "haberdashery-binding",
            "ad 4 metrs of bias bindign an a zipp to teh haberdashry list",
            Expected::default().change(
                "Haberdashery list",
                &["black thread", "12 press studs", "4&bias|four&bias", "zip"],
            ),
        )
        .note(
            "Haberdashery list",
            "sewing",
            "- black thread\n- 12 press studs",
        )
        .note(
            "Carnival costumes",
            "sewing",
            "Ladybird for Runa, 2 metres of red felt. The wings hold with elastic.",
        )
        .solved_by(&[Edit::Append(
            "Haberdashery list",
            "\n- 4 metres of bias binding\n- a zip",
        )]),
        Task::strict(
            "allergy-shots-wait",
            "Could you add to the note on my allergy shots that I have to sit in the waiting room for 30 minutes \
             afterwards and that Nurse Oyelaran is the one who does it best",
            Expected::default().change(
                "Allergy shots",
                &[
                    "left arm",
                    "birch",
                    "30 min|thirty min|30-min|thirty-min|half an hour|half hour",
                    "oyelaran",
                ],
            ),
        )
        .note(
            "Allergy shots",
            "health",
            "Always the left arm, every sixth Monday.\nBirch and hazel",
        )
        .note(
            "Vaccinations of the dog",
            "health",
            "Kennel cough each year. Keep him off the lawn for 20 minutes.",
        )
        .solved_by(&[Edit::Append(
            "Allergy shots",
            "\nStay in the waiting room for 30 minutes afterwards\nNurse Oyelaran does it best",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "pedalo-load",
            "the pedalo only carries 4 grown-ups, not 7! please fix",
            Expected::default()
                .change(
                    "Pedalo",
                    &[
                        "boathouse",
                        "4|four",
                        "18 euro",
                        "rudder",
                        "life jacket|life-jacket",
                    ],
                )
                .lacking(&["7|seven"]),
        )
        .note(
            "Pedalo",
            "lake",
            "From the boathouse, carries 7 adults, 18 euros an hour.\nThe rudder pulls to the left\nLife jackets \
             are under the seat.",
        )
        .note(
            "Rowing boat",
            "lake",
            "Carries 7 adults or one piano, says Fergus. Bail it out first.",
        )
        .solved_by(&[Edit::Replace("Pedalo", "7", "4")]),
        Task::strict(
            "wrong-registrar",
            "I put the wrong registrar into our wedding note, it's Ms Lindqvist who marries us and not Mr Ahlgren.",
            Expected::default()
                .change(
                    "Registry office",
                    &["lindqvist", "room 3|room three", "14:50", "birth certificates", "35"],
                )
                .lacking(&["ahlgren"]),
        )
        .note(
            "Registry office",
            "wedding",
            "The wedding is in room 3 at 14:50, registrar: Mr Ahlgren.\nBring both birth certificates\nNot more \
             than 35 guests, no rice",
        )
        .note(
            "Thank-you cards",
            "",
            "One for Mr Ahlgren for the lift to the airport, one for Zuleika.",
        )
        .solved_by(&[Edit::Replace(
            "Registry office",
            "Mr Ahlgren",
            "Ms Lindqvist",
        )]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "communion-week-earlier",
            "matteos first communion is a week earlier now, sunday 19 april rather than the 26th, all the rest stays",
            Expected::default()
                .change(
                    "Matteo's first communion",
                    &[
                        "19 Apr|19. Apr|Apr 19|Apr. 19|April 19|19th|19.4|19.4.|19.04|19.04.|04-19|4/19|04/19|19/4|\
                         19/04",
                        "10:30|10.30|half past ten|half past 10|half ten",
                        "sunday|sun",
                        "hedwig",
                        "baranski",
                        "candle",
                    ],
                )
                .lacking(&[
                    "26 Apr|26. Apr|Apr 26|Apr. 26|April 26|26th|26.4|26.4.|26.04|26.04.|04-26|4/26|04/26|26/4|26/04",
                ]),
        )
        .note(
            "Matteo's first communion",
            "family",
            "Sunday 26 April, 10:30 at St Hedwig's.\nMrs Baranski bakes the lamb.\nHave the candle engraved",
        )
        .note(
            "Seed swap",
            "garden",
            "Sunday 26 April in the parish barn, write the year on every bag.",
        )
        .solved_by(&[Edit::Replace(
            "Matteo's first communion",
            "26 April",
            "19 April",
        )]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "changing-banks-ticks",
            "payroll knows about the new bank now and the insurance debit has moved over too, so tick those two",
            Expected::default()
                .change(
                    "Changing banks",
                    &[
                        "[x]&new account",
                        "[x]&payroll",
                        "[x]&insurance",
                        "[ ]&landlord",
                        "[ ]&old account",
                    ],
                )
                .lacking(&["[ ]&payroll", "[ ]&insurance"]),
        )
        .note(
            "Changing banks",
            "money",
            "- [x] open the new account\n- [ ] tell payroll\n- [ ] write to the landlord\n- [ ] move the insurance \
             debit\n- [ ] close the old account",
        )
        .note(
            "After the move to Graz",
            "money",
            "- [ ] tell payroll\n- [ ] insurance: new address\n- [ ] hand in the old keys",
        )
        .solved_by(&[
            Edit::Replace("Changing banks", "[ ] tell", "[x] tell"),
            Edit::Replace("Changing banks", "[ ] move", "[x] move"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "baby-names-ottilie",
            "My cousin has just gone and called her little one Ottilie, so please take that off our baby names",
            Expected::default()
                .change("Baby names", &["alma", "juno", "henrike"])
                .lacking(&["ottilie"]),
        )
        .note(
            "Baby names",
            "family",
            "- Alma, after my gran\n- Ottilie, Tilly for short\n- Juno\n- Henrike",
        )
        .note(
            "Great-aunt Ottilie",
            "family",
            "- turns 91 in March\n- no lilies\n- likes the seat by the tiled oven",
        )
        .solved_by(&[Edit::Replace(
            "Baby names",
            "- Ottilie, Tilly for short\n",
            "",
        )]),
        Task::strict(
            "angling-permit-photo",
            "they don't want a passport photo for the angling permit anymore so that bit can come out of the note",
            Expected::default()
                .change(
                    "Angling permit",
                    &[
                        "counter 5|counter five",
                        "32 euro",
                        "cash",
                        "size limits",
                    ],
                )
                .lacking(&["photo"]),
        )
        .note(
            "Angling permit",
            "river",
            "At counter 5, 32 euros for a year. Take a passport photo along. Only cash.\nThe size limits are on the \
             back, pike 60 cm.",
        )
        .note(
            "Ski pass",
            "winter",
            "Season ticket: take a passport photo along. 12 euros of deposit.",
        )
        .solved_by(&[Edit::Replace(
            "Angling permit",
            "Take a passport photo along. ",
            "",
        )]),
    ]
}

//! Lists, corrections, boxes and removals in notes that are there.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        additions(),
        names_and_numbers(),
        among_look_alikes(),
        days(),
        boxes(),
        removals(),
    ]
    .concat()
}

fn additions() -> Vec<Task> {
    vec![
        Task::strict(
            "zine-fair-folder",
            "cna you ad 6 glue stiks adn a bone foldr to teh list for the zine fair",
            Expected::default().change(
                "Zine fair",
                &[
                    "long-arm stapler",
                    "price tags",
                    "6&glue|six&glue",
                    "bone fold|bone-fold|bonefold",
                ],
            ),
        )
        .note("Zine fair", "crafts", "- long-arm stapler\n- price tags")
        .note(
            "Zine about Grandad",
            "crafts",
            "Sixteen pages, the cover in grey. The pictures are in the biscuit tin.",
        )
        .solved_by(&[Edit::Append(
            "Zine fair",
            "\n- 6 glue sticks\n- a bone folder",
        )]),
        Task::strict(
            "alpacas-minerals-nails",
            "Would you put two more things down about the alpacas? They're to have no more than 30 g of minerals \
             each a day, and it's Dr Mbatha who comes to cut their nails (a saint of a man).",
            Expected::default().change(
                "Alpacas",
                &[
                    "shorn",
                    "silage",
                    "30&mineral|thirty&mineral",
                    "mbatha",
                    "nail",
                ],
            ),
        )
        .note(
            "Alpacas",
            "farm",
            "Shorn in the last week of May.\nHay twice a day, never silage",
        )
        .note(
            "Shetland sheep",
            "farm",
            "Dr Mbatha vaccinates them in spring. Minerals from the red bucket only.",
        )
        .solved_by(&[Edit::Append(
            "Alpacas",
            "\nNo more than 30 g of minerals each a day\nDr Mbatha cuts their nails.",
        )]),
    ]
}

fn names_and_numbers() -> Vec<Task> {
    vec![
        Task::strict(
            "snow-chains-size",
            "just read it off the sidewall.. the snow chains have to be for 215 tyres, not 205, set that \
             right will you",
            Expected::default()
                .change(
                    "Snow chains",
                    &["215", "green box", "50 metres", "faster"],
                )
                .lacking(&["205"]),
        )
        .note(
            "Snow chains",
            "car",
            "For 205 tyres, in the green box.\nTighten them again after 50 metres\nNever faster than a bicycle",
        )
        .note(
            "Pallet truck",
            "work",
            "Lifts 205 kg at the most. The left wheel squeals.",
        )
        .solved_by(&[Edit::Replace("Snow chains", "205", "215")]),
        Task::strict(
            "boundary-surveyor",
            "I got the surveyor's name wrong in what I wrote about the boundary. She is Ms Vantongeren and not Ms \
             Vandermeulen. Would you correct it for me?",
            Expected::default()
                .change(
                    "Boundary",
                    &[
                        "vantongeren",
                        "8|8:00|8.00|08:00|08.00|eight",
                        "hazel",
                        "640",
                    ],
                )
                .lacking(&["vandermeulen"]),
        )
        .note(
            "Boundary",
            "house",
            "Surveyor: Ms Vandermeulen, on site from 8:00.\nThe third stone is under the hazel\n640 euros, half of \
             it from next door",
        )
        .note(
            "Recorder lesson",
            "music",
            "Ms Vandermeulen, Mondays at 15:25. The scores are in the blue folder.",
        )
        .solved_by(&[Edit::Replace(
            "Boundary",
            "Vandermeulen",
            "Vantongeren",
        )]),
    ]
}

fn among_look_alikes() -> Vec<Task> {
    vec![
        Task::strict(
            "power-company-number",
            "we've got a new customer number with the power company: 904417",
            Expected::default()
                .change("Power company", &["904417", "meter", "january", "tariff"])
                .lacking(&["318826"]),
        )
        .note(
            "Phone company",
            "contracts",
            "Customer number 552093\nCancel by the end of November",
        )
        .note(
            "Power company",
            "contracts",
            "Customer number 318826\nRead the meter on the first Sunday in January\nThe green tariff",
        )
        .note(
            "Power bank",
            "travel",
            "Not allowed in the hold. The short cable is in its side pocket.",
        )
        .solved_by(&[Edit::Replace("Power company", "318826", "904417")]),
    ]
}

fn days() -> Vec<Task> {
    vec![
        Task::strict(
            "viking-market-later",
            "viking market has been put back a week bc of the hay, so saturday 18 july now instead of the 11th. \
             times are the same",
            Expected::default()
                .change(
                    "Viking market",
                    &[
                        "18 Jul|18. Jul|Jul 18|Jul. 18|July 18|18th|eighteenth|18.7|18.7.|18.07|18.07.|07-18|7/18|\
                         07/18|18/7|18/07",
                        "saturday|sat",
                        "9:45|9.45|09:45|09.45|quarter to ten|quarter to 10",
                        "sigrun",
                        "plastic",
                    ],
                )
                .lacking(&[
                    "11 Jul|11. Jul|Jul 11|Jul. 11|July 11|11th|11.7|11.7.|11.07|11.07.|07-11|7/11|07/11|11/7|11/07",
                ]),
        )
        .note(
            "Viking market",
            "hobby",
            "Saturday 11 July, opens at 9:45.\nSigrun brings the tent poles.\nNo plastic on the tables",
        )
        .note(
            "Day at the blacksmith's",
            "hobby",
            "Saturday 11 July from ten. Leather aprons are there, no trainers.",
        )
        .solved_by(&[Edit::Replace("Viking market", "11 July", "18 July")]),
    ]
}

fn boxes() -> Vec<Task> {
    vec![
        Task::strict(
            "greyhound-adoption-ticks",
            "The home visit for the greyhound went ever so well, and the liability insurance is taken out as well. \
             Tick those two off, would you?",
            Expected::default()
                .change(
                    "Greyhound adoption",
                    &[
                        "[x]&questionnaire",
                        "[x]&home visit",
                        "[ ]&raised bowl",
                        "[x]&liability",
                        "[ ]&fee",
                    ],
                )
                .lacking(&["[ ]&home visit", "[ ]&liability"]),
        )
        .note(
            "Greyhound adoption",
            "dog",
            "- [x] send in the questionnaire\n- [ ] have the home visit\n- [ ] buy a raised bowl\n- [ ] take out \
             liability insurance\n- [ ] pay the fee",
        )
        .note(
            "Foster cat",
            "cat",
            "- [ ] have the home visit\n- [ ] sign the agreement",
        )
        .solved_by(&[
            Edit::Replace("Greyhound adoption", "[ ] have", "[x] have"),
            Edit::Replace("Greyhound adoption", "[ ] take", "[x] take"),
        ]),
    ]
}

fn removals() -> Vec<Task> {
    vec![
        Task::strict(
            "car-share-ebrahim",
            "ebrahim has got wheels of his own now so he's out of the car share, take him off there pls",
            Expected::default()
                .change("Car share", &["odalys", "nakagawa", "fearghal"])
                .lacking(&["ebrahim", "weekend"]),
        )
        .note(
            "Car share",
            "car",
            "- Odalys\n- Ebrahim, weekends only\n- the Nakagawas\n- Fearghal",
        )
        .note(
            "Snow clearing",
            "house",
            "Ebrahim does January, Odalys February. The grit is beside the bins.",
        )
        .solved_by(&[Edit::Replace(
            "Car share",
            "- Ebrahim, weekends only\n",
            "",
        )]),
        Task::strict(
            "punts-no-deposit",
            "I've just heard that they don't ask for a deposit on the punts any more. So please take the sentence \
             about the deposit out of there, all the rest is still right.",
            Expected::default()
                .change(
                    "Punts",
                    &[
                        "jetty",
                        "abbey mill",
                        "pole",
                        "mud",
                        "19:30|19.30|7:30|7.30",
                    ],
                )
                .lacking(&["deposit", "50|fifty"]),
        )
        .note(
            "Punts",
            "outings",
            "From the jetty below the abbey mill. Leave 50 euros as a deposit. Let go of the pole when it sticks in \
             the mud.\nAll boats back by 19:30",
        )
        .note(
            "Beach chairs",
            "holidays",
            "Leave 50 euros as a deposit at the kiosk. Row 3 is the quiet one.",
        )
        .solved_by(&[Edit::Replace(
            "Punts",
            "Leave 50 euros as a deposit. ",
            "",
        )]),
    ]
}

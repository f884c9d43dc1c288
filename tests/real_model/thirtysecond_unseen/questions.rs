//! Questions. An answer has to say the facts and where they stand, and no note is touched.

use super::crowd::crowd;
use super::long::courier_log;
use crate::expected::Expected;
use crate::task::{Edit, Task};

/// Returns questions that the notes answer.
pub(super) fn tasks() -> Vec<Task> {
    [
        from_one_note(),
        with_typos(),
        from_two(),
        in_languages(),
        from_much(),
    ]
    .concat()
}

fn from_one_note() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-iron-and-coffee",
            "swallowed my iron tablet just now, how long do i have to hold out until i can have a \
             coffee",
            Expected::default()
                .answer(&["2|two"], &["Iron tablets"])
                .lacking(&["45|forty-five|forty five"]),
        )
        .note(
            "Iron tablets",
            "health",
            "One every other day, with orange juice.\nCoffee only after two hours\nTwice the dose \
             doesn't help.",
        )
        .note(
            "Zinc tablets",
            "health",
            "Coffee only after 45 minutes. With food, never on an empty stomach.",
        )
        .solved_by(&[Edit::Answer("Two hours.", &["Iron tablets"])]),
        Task::strict(
            "ask-brightwell-order-number",
            "I have Brightwell's accounts department on the line. They refuse to pay unless I name \
             the order number. Which is it?",
            Expected::default()
                .answer(&["77-3140|773140|77 3140"], &["Brightwell"])
                .lacking(&["58-2206|582206|58 2206"]),
        )
        .note(
            "Brightwell",
            "clients",
            "Order number 77-3140, on every invoice\nPays after 30 days\nFemke does the accounts.",
        )
        .note(
            "Oakhurst",
            "clients",
            "Order number 58-2206, invoices as one file. Pays at once, bless them.",
        )
        .solved_by(&[Edit::Answer("77-3140.", &["Brightwell"])]),
    ]
}

fn with_typos() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-night-bus-airport",
            "waht time deos the nihgt bus go form teh airprot",
            Expected::default()
                .answer(
                    &["1:35|1.35|01:35|01.35|twenty-five to two|25 to 2|25 to two"],
                    &["Night bus"],
                )
                .lacking(&["0:50|0.50|00:50|00.50|ten to one", "23:40|23.40"]),
        )
        .note(
            "Night bus",
            "travel",
            "From the airport: 1:35, bay 7\nFrom the town hall: 0:50, across the road\nThe driver \
             only takes coins.",
        )
        .note(
            "Airport train",
            "travel",
            "The last one leaves the airport at 23:40. Stamp the ticket first.",
        )
        .solved_by(&[Edit::Answer("At 1:35, from bay 7.", &["Night bus"])]),
    ]
}

fn from_two() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-credits-ethics-micro",
            "Filling in the degree form, help me out. How many credits do I get for the ethics \
             seminar? And how many for microeconomics?",
            Expected::default()
                .answer(&["6|six", "9|nine"], &["Ethics seminar", "Microeconomics"])
                .lacking(&["5|five"]),
        )
        .note(
            "Ethics seminar",
            "uni",
            "6 credits, with an essay. Professor Nwosu hates footnotes.",
        )
        .note(
            "Microeconomics",
            "uni",
            "9 credits, exam in the sports hall. Calculator allowed, no phone.",
        )
        .note(
            "Formal logic",
            "uni",
            "5 credits, a sheet every week. Hand it in before the lecture.",
        )
        .solved_by(&[Edit::Answer(
            "The ethics seminar is worth 6 credits, microeconomics 9.",
            &["Ethics seminar", "Microeconomics"],
        )]),
    ]
}

fn in_languages() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-coach-luggage-german",
            "wie schwer darf der koffer im fernbus nach prag sein? steh grad mit der waage im flur",
            Expected::default()
                .answer(&["20|zwanzig"], &["Fernbus nach Prag"])
                .lacking(&["23|dreiundzwanzig"]),
        )
        .note(
            "Fernbus nach Prag",
            "reise",
            "Ein Koffer bis 20 kg, Rucksack auf den Schoß.\nHaltestelle hinter dem Kino\nSnacks \
             selbst mitbringen",
        )
        .note(
            "Flug nach Oslo",
            "reise",
            "Ein Koffer bis 23 kg, kostet extra. Einchecken per Handy.",
        )
        .solved_by(&[Edit::Answer(
            "Der Koffer darf bis 20 kg schwer sein.",
            &["Fernbus nach Prag"],
        )]),
        Task::strict(
            "ask-buzzer-french",
            "Je suis en bas de chez Yannick sous la pluie... c'est quel nom à l'interphone déjà ?",
            Expected::default()
                .answer(&["delacroix"], &["Yannick"])
                .lacking(&["mahjoub"]),
        )
        .note(
            "Yannick",
            "amis",
            "Interphone : Delacroix, cinquième à gauche.\nAllergique aux noix\nNe jamais appeler \
             avant onze heures",
        )
        .note(
            "Clotilde",
            "amis",
            "Interphone : Mahjoub, deuxième à droite. Le chat ne doit pas sortir.",
        )
        .solved_by(&[Edit::Answer("Delacroix.", &["Yannick"])]),
        Task::strict(
            "ask-coin-locker-japanese",
            "スーツケース預けたコインロッカー、何番だったっけ？",
            Expected::default()
                .answer(&["318|三百十八|三一八"], &["コインロッカー"])
                .lacking(&["52|五十二|五二"]),
        )
        .note(
            "コインロッカー",
            "旅行",
            "スーツケースと紙袋\n番号：318\n東口の階段の横、夜十一時半まで。",
        )
        .note(
            "プールのロッカー",
            "運動",
            "番号：52\n百円玉が要る、あとで戻ってくる。",
        )
        .solved_by(&[Edit::Answer("318番です。", &["コインロッカー"])]),
    ]
}

fn from_much() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-dropped-wedding-cake",
            "Remember that wedding cake I dropped on one of my courier runs? Who was it that \
             forgave me, and what did I have to give him?",
            Expected::default()
                .answer(&["hartwig", "grappa"], &["Courier log"])
                .lacking(&["rosamund", "truffles|truffle"]),
        )
        .note("Courier log", "work", &courier_log())
        .note(
            "Pastry round",
            "work",
            "Rosamund wants her boxes back. She forgave me the flat éclairs for a bag of truffles.",
        )
        .solved_by(&[Edit::Answer(
            "Hartwig, for a bottle of grappa.",
            &["Courier log"],
        )]),
        Task::strict(
            "ask-crowd-vpn",
            "new laptop, day one, bloody nothing works. which server do i put in for the vpn",
            Expected::default()
                .answer(&["curlew-west|curlew west"], &["VPN"])
                .lacking(&["osprey"]),
        )
        .note(
            "VPN",
            "office",
            "Server: curlew-west, port 4433\nThe user name is the staff number.\nDrops out on \
             trains",
        )
        .note(
            "Shared drive",
            "office",
            "Server: osprey-two, letter K. Nothing private on it, please.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("curlew-west, port 4433.", &["VPN"])]),
        Task::strict(
            "ask-crowd-travel-pass",
            "The conductor says I need another ticket out here. Up to which zone is my travel pass \
             good?",
            Expected::default()
                .answer(&["4|four"], &["Travel pass"])
                .lacking(&["6|six"]),
        )
        .note(
            "Travel pass",
            "city",
            "Good up to zone 4, nights included\nA second person rides along on Sundays.\nRenew it \
             at the kiosk",
        )
        .note(
            "Dad's travel pass",
            "city",
            "Good up to zone 6, not before nine. The photo is from 1998.",
        )
        .among(crowd())
        .solved_by(&[Edit::Answer("Up to zone 4.", &["Travel pass"])]),
    ]
}

/// Returns questions that the notes do not answer, though something like it stands there.
pub(super) fn without_answer() -> Vec<Task> {
    vec![
        Task::strict(
            "ask-improv-fee",
            "a colleague fancies coming along to the improv course. what do they charge for it?",
            Expected::default().no_answer(&["140|hundred and forty"]),
        )
        .note(
            "Improv course",
            "theatre",
            "Mondays in the back room of the Anchor, eight evenings. Socks or bare feet.",
        )
        .note(
            "Stand-up course",
            "theatre",
            "140 euros for six evenings. Three minutes on stage at the end.",
        )
        .solved_by(&[Edit::NotFound("That is not in the notes.")]),
        Task::strict(
            "ask-leander-move-in",
            "Have I got it written down anywhere which day Leander moves in?",
            Expected::default().no_answer(&[
                "28 Feb",
                "28. Feb",
                "Feb 28",
                "Feb. 28",
                "February 28",
                "28th",
                "28.2",
                "28.02",
                "28/2",
                "2/28",
                "02-28",
            ]),
        )
        .note(
            "Leander",
            "flat",
            "Takes the room to the yard, 410 euros with heating. Has a drum kit, alas.",
        )
        .note(
            "Saskia",
            "flat",
            "Moves out on 28 February. Her wardrobe stays, the sofa doesn't.",
        )
        .solved_by(&[Edit::NotFound("")]),
    ]
}

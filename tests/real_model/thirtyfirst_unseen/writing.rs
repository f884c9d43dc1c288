//! New notes, nothing to note, and two steps in one request.

use crate::expected::Expected;
use crate::task::{Edit, Task};

pub(super) fn tasks() -> Vec<Task> {
    [
        minutes_and_recipe(),
        idea_and_reminder(),
        dictated(),
        nothing_to_note(),
        change_and_new_note(),
    ]
    .concat()
}

fn minutes_and_recipe() -> Vec<Task> {
    vec![
        Task::strict(
            "minutes-ploughing-match",
            "Minutes for a new note. Ploughing match committee, Tuesday evening, present were \
             Hesketh, Bronwen and me. We're having the field behind Garrod's barn, entry stays at \
             12 pounds a tractor, Bronwen orders the portable loos. Next meeting on 3 September \
             at Hesketh's. That's all, and it took them two hours.",
            Expected::default().new_note(&[
                "ploughing|plowing",
                "tuesday",
                "hesketh",
                "bronwen",
                "garrod",
                "12|twelve",
                "loo|toilet",
                "3 Sep|3. Sep|3rd|Sep 3|Sep. 3|Sept 3|Sept. 3|September 3|third of Sep|3/9|03/09|\
                 9/3|09/03|3.9.|03.09|09-03",
            ]),
        )
        .note(
            "Plough",
            "farm",
            "Four furrows, bought from Garrod. The left share is worn down.",
        )
        .note(
            "Harvest loaf committee",
            "village",
            "Bronwen has the flour money, 84 pounds. Meets in the vestry.",
        )
        .solved_by(&[Edit::Create(
            "Minutes of the ploughing match committee",
            "Tuesday evening. Present: Hesketh, Bronwen and me.\n\
             - The field behind Garrod's barn\n- Entry stays at 12 pounds a tractor\n\
             - Bronwen orders the portable loos\n- Next meeting: 3 September at Hesketh's",
        )]),
        Task::strict(
            "recipe-welsh-cakes",
            "mum has given me her welsh cakes recipe, she finally gave in!!! save it: 225 g flour, \
             110 g butter, 75 g currants, an egg, half a teaspoon of mixed spice. roll out as \
             thick as your finger, 3 minutes a side on the bakestone and NOT longer",
            Expected::default().new_note(&[
                "welsh cake|welsh-cake|welshcake",
                "225",
                "110",
                "75",
                "currant",
                "egg",
                "spice",
                "finger",
                "3&min|three&min",
                "bakestone|bake stone|bake-stone",
            ]),
        )
        .note(
            "Bakestone",
            "kitchen",
            "Hangs in the pantry. Rub it with lard, no washing-up liquid.",
        )
        .note(
            "Bara brith",
            "kitchen",
            "Soak 300 g of currants in cold tea overnight. Keeps for two weeks.",
        )
        .solved_by(&[Edit::Create(
            "Mum's Welsh cakes",
            "- 225 g flour\n- 110 g butter\n- 75 g currants\n- 1 egg\n\
             - half a teaspoon of mixed spice\nRoll out as thick as your finger.\n\
             3 minutes a side on the bakestone, not longer.",
        )]),
    ]
}

fn idea_and_reminder() -> Vec<Task> {
    vec![
        Task::strict(
            "idea-weighbridge-hut",
            "thought of something on the way back from the quarry, jot it down as a note of its \
             own before it's gone again. the old weighbridge hut would do for people to wait for \
             the bus in. belongs to the parish as it is. wants a new window, and dilwyn's got a \
             stove he'd be glad to be shot of",
            Expected::default().new_note(&[
                "weighbridge|weigh-bridge|weigh bridge",
                "hut",
                "bus",
                "parish",
                "window",
                "dilwyn",
                "stove",
            ]),
        )
        .note(
            "Weighbridge at the quarry",
            "work",
            "Tickets until 16:30. The lorry weighs 9,140 kilos empty.",
        )
        .note(
            "Bus to the market town",
            "village",
            "Line 41, twice a day. Doesn't run on bank holidays.",
        )
        .solved_by(&[Edit::Create(
            "Idea: weighbridge hut",
            "The old weighbridge hut would do for waiting for the bus. It belongs to the parish.\n\
             It needs a new window. Dilwyn has a stove to give away.",
        )]),
        Task::strict(
            "remind-cattle-test",
            "remind me tb test for the cattle wednesday 14th half past seven vet is miss okonjo \
             all of em in the crush pen by then and the passports ready at the gate",
            Expected::default().new_note(&[
                "tb|t.b.|tuberculosis",
                "wed",
                "14",
                "7:30|7.30|07:30|07.30|half past seven|half past 7|half seven|7h30",
                "okonjo",
                "crush",
                "passport",
                "gate",
            ]),
        )
        .note(
            "Cattle passports",
            "farm",
            "In the green folder in the dairy. Two of them lack a stamp.",
        )
        .note(
            "Hoof trimmer",
            "farm",
            "Every other Wednesday at half past nine, he wants the cows dry.",
        )
        .solved_by(&[Edit::Create(
            "TB test for the cattle",
            "Wednesday 14th, 7:30, the vet is Miss Okonjo.\n\
             All of them in the crush pen by then, passports ready at the gate.",
        )]),
    ]
}

fn dictated() -> Vec<Task> {
    vec![
        Task::strict(
            "dictate-shop-door",
            "Would you take down the notice for the shop door, word for word, as a new note? Here \
             it is: We are closed from Monday to Thursday, the floor is being tiled. Milk and \
             papers are at the Dun Cow. Bread again on Friday. Sorry! Mair and Tom",
            Expected::default().new_note(&[
                "closed from monday to thursday",
                "the floor is being tiled",
                "milk and papers are at the dun cow",
                "bread again on friday",
                "sorry",
                "mair and tom",
            ]),
        )
        .note(
            "Shop rota",
            "shop",
            "Mair in the mornings, Tom from two. Thursdays the niece helps out.",
        )
        .note(
            "Floor tiles",
            "shop",
            "18 boxes in sand from Pritchard, two of them to spare.",
        )
        .solved_by(&[Edit::Create(
            "Notice for the shop door",
            "We are closed from Monday to Thursday, the floor is being tiled. Milk and papers are \
             at the Dun Cow. Bread again on Friday. Sorry! Mair and Tom",
        )]),
    ]
}

fn nothing_to_note() -> Vec<Task> {
    vec![
        Task::strict(
            "talking-to-bess",
            "Who's a good girl then, who's my good girl! Oh for heaven's sake, now it's typing \
             what I say to Bess.",
            Expected::default(),
        )
        .note(
            "Bess",
            "dog",
            "Worming tablet on the first of the month, wrapped in liver sausage.",
        )
        .note(
            "Typing course",
            "evening school",
            "Room 3, the adult education place. Bring a cushion.",
        ),
    ]
}

fn change_and_new_note() -> Vec<Task> {
    vec![
        Task::strict(
            "forest-school-and-welly-swap",
            "Isla has gone up to the Badgers at forest school, so change that please. I'd also \
             like a new note on the welly swap: Kasia does it in her garage, Saturdays from ten to \
             twelve, and only pairs without holes!",
            Expected::default()
                .change(
                    "Forest school",
                    &["isla", "badger", "thursday", "waterproof", "plaster"],
                )
                .lacking(&["fox", "kasia", "welly|wellies|wellington"])
                .new_note(&[
                    "welly|wellies|wellington",
                    "kasia",
                    "garage",
                    "saturday",
                    "10|ten",
                    "12|twelve|noon",
                    "hole",
                ]),
        )
        .note(
            "Forest school",
            "children",
            "Isla is in the Foxes.\nThursdays until two, waterproof trousers\n\
             Plasters in the side pocket",
        )
        .note(
            "Holiday club",
            "children",
            "Isla in the Foxes, Ted in the Otters. They bring their own lunch.",
        )
        .solved_by(&[
            Edit::Replace("Forest school", "Foxes", "Badgers"),
            Edit::Create(
                "Welly swap",
                "In Kasia's garage, Saturdays from ten to twelve. Only pairs without holes.",
            ),
        ]),
    ]
}

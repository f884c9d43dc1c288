//! More for lists and notes that are there, as people type it.

use super::fresh_crowd::crowd;
use crate::expected::Expected;
use crate::task::{Edit, Task};

fn change(title: &str, facts: &[&str]) -> Expected {
    Expected::default().change(title, facts)
}

/// Returns additions to notes that are there.
pub(super) fn tasks() -> Vec<Task> {
    [lists(), further_lists(), lines(), sentences()].concat()
}

fn lists() -> Vec<Task> {
    vec![
        Task::strict(
            "f-add-shop",
            "need cat litter n bread from the shop",
            change(
                "Shopping list",
                &["apples", "yoghurt", "cat litter", "bread"],
            ),
        )
        .note("Shopping list", "", "- apples\n- yoghurt")
        .note(
            "Spelt bread",
            "recipe",
            "500 g spelt flour, 10 g salt, bake for 50 minutes.",
        )
        .solved_by(&[Edit::Append("Shopping list", "\n- cat litter\n- bread")]),
        Task::strict(
            "f-add-amounts",
            "onto the hardware list: 12 dowels 8mm, wood glue, sandpaper grit 120 pls",
            change(
                "Hardware list",
                &[
                    "wall plugs",
                    "dowel&12",
                    "8 mm|8mm",
                    "wood glue",
                    "sandpaper&120",
                ],
            ),
        )
        .note("Hardware list", "", "- wall plugs 6 mm")
        .note("Workshop", "", "The router is lent to Enzo.")
        .solved_by(&[Edit::Append(
            "Hardware list",
            "\n- 12 dowels 8 mm\n- wood glue\n- sandpaper grit 120",
        )]),
        Task::strict(
            "f-add-there",
            "put milk on the shopping list",
            Expected::default(),
        )
        .note("Shopping list", "", "- eggs\n- milk\n- rice")
        .note("Rice pudding", "recipe", "1 litre of milk, 250 g of rice."),
    ]
}

fn further_lists() -> Vec<Task> {
    vec![
        Task::strict(
            "f-add-cheese",
            "Gubbeen should go on the list of cheeses to try",
            change(
                "Cheeses to try",
                &["comté", "appenzeller", "manchego", "gubbeen"],
            ),
        )
        .note(
            "Cheeses to try",
            "",
            "1. Comté\n2. Appenzeller\n3. Manchego",
        )
        .note(
            "Cheese fondue",
            "recipe",
            "400 g of Gruyère, 200 ml of wine.",
        )
        .solved_by(&[Edit::Append("Cheeses to try", "\n4. Gubbeen")]),
        Task::strict(
            "f-add-snacks",
            "ad tortila chips n salsa to the film nite snaks",
            change(
                "Film night",
                &["noor", "popcorn", "olives", "tortilla|tortila", "salsa"],
            ),
        )
        .note(
            "Film night",
            "",
            "Friday at Noor's.\nSnacks: popcorn, olives",
        )
        .note("Films to see", "", "- Paterson\n- Tampopo")
        .solved_by(&[Edit::Append("Film night", ", tortilla chips, salsa")]),
    ]
}

fn lines() -> Vec<Task> {
    vec![
        Task::strict(
            "f-add-contact",
            "put Yusuf into contacts, 0151 2233445",
            change(
                "Contacts",
                &[
                    "ayse&7788990",
                    "marlon&1112223",
                    "yusuf&0151 2233445|yusuf&01512233445|yusuf&0151-2233445|yusuf&0151/2233445",
                ],
            ),
        )
        .note(
            "Contacts",
            "",
            "Ayse: 0151 7788990\nMarlon: 0160 1112223",
        )
        .note("Contact lenses", "", "Left -2.25, right -1.75.")
        .solved_by(&[Edit::Append("Contacts", "\nYusuf: 0151 2233445")]),
        Task::strict(
            "f-add-run",
            "7.4 km on the 14th of june, put that in the running log",
            change(
                "Running log",
                &[
                    "9 June&6.1",
                    "11 June&8.3",
                    "14 June&7.4|June 14&7.4|14th&June&7.4|14.6&7.4|14.06&7.4|06-14&7.4|14/6&7.4|14/06&7.4",
                ],
            ),
        )
        .note("Running log", "", "9 June: 6.1 km\n11 June: 8.3 km")
        .note("Running shoes", "", "Bought on 2 May, 410 km so far.")
        .solved_by(&[Edit::Append("Running log", "\n14 June: 7.4 km")]),
        Task::strict(
            "f-add-gift",
            "add a head torch to the gift ideas for nils",
            change(
                "Gift ideas",
                &[
                    "nils&climbing gloves",
                    "hanna&teapot",
                    "nils&head torch|nils&headtorch|nils&head-torch|nils&headlamp",
                ],
            ),
        )
        .note("Gift ideas", "", "Nils: climbing gloves\nHanna: teapot")
        .note("Nils", "", "Shoe size 43, allergic to nuts.")
        .solved_by(&[Edit::Append("Gift ideas", "\nNils: head torch")]),
    ]
}

fn sentences() -> Vec<Task> {
    vec![
        Task::strict(
            "f-add-polite",
            "Hi! Could you please add to the note about feeding Minka that she only gets the dry food in \
             the evening? Thank you so much :)",
            change(
                "Feeding Minka",
                &["half a tin", "balcony", "dry food", "evening"],
            ),
        )
        .note(
            "Feeding Minka",
            "",
            "Minka gets half a tin in the morning. Her water bowl is on the balcony.",
        )
        .note("Minka's vet", "", "Dr Sommer, open in the evening on Mondays.")
        .solved_by(&[Edit::Append(
            "Feeding Minka",
            " She gets the dry food only in the evening.",
        )]),
        Task::strict(
            "f-add-crowd",
            "add to cold frame: the left hinge is loose",
            change("Cold frame", &["120", "south wall", "left", "hinge", "loose"]),
        )
        .note(
            "Cold frame",
            "garden",
            "The cold frame is 120 centimetres wide and stands at the south wall.",
        )
        .among(crowd())
        .solved_by(&[Edit::Append("Cold frame", " The left hinge is loose.")]),
    ]
}

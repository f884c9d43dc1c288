//! The codes of what comes of a request: why a run that changed something is no success. They stand behind
//! those of the main table.

macro_rules! codes_with_those_of_requests {
    ($($others:tt)*) => {
        super::list::codes! {
            $($others)*
            NotShown "NOT_SHOWN" Failed false {
                "What was done does not show what was asked for."
                "A number, a name, a quotation or an address of the request stands nowhere in what was changed, or what was to be changed was not found. What was changed stays."
                "`runs show` lists what is missing; ask for just that, or take the run back with `runs undo`."
            }
            NotAnswered "NOT_ANSWERED" Failed false {
                "The notes do not answer the question."
                "An answer counts only where its words and numbers stand in the notes that were looked into."
                "`notes search` shows what the notes say; name the note in the question if you know it."
            }
            TextLost "TEXT_LOST" Failed false {
                "A new text of a note would have lost most of the old one."
                "The model wrote a whole text again and left out what nobody spoke of. Nothing was changed."
                "The model is told to add or to change a line. To shorten a note, use `notes edit`."
            }
            ExampleCopied "EXAMPLE_COPIED" Failed true {
                "The model repeated an example of the prompt file in place of doing what was asked."
                "Small models do that with examples that are near to the request. Nothing was changed."
                "Say it in other words, or change the example in `data/agent-prompt.json`."
            }
        }
    };
}

pub(super) use codes_with_those_of_requests;

//! The sets of tasks. A number is of one of them, and every table says of which.

use crate::task::Task;
use crate::{
    eighteenth_unseen, eighth_unseen, eleventh_unseen, everyday, fifteenth_unseen, fifth_unseen,
    first_certainty, first_unseen, fourteenth_unseen, fourth_unseen, nineteenth_unseen,
    ninth_unseen, practice, second_certainty, second_unseen, seventeenth_unseen, seventh_unseen,
    sixteenth_unseen, sixth_unseen, tasks, tenth_unseen, third_unseen, thirteenth_unseen,
    thirtieth_unseen, thirtyfirst_unseen, thirtysecond_unseen, twelfth_unseen, twentieth_unseen,
    twentyeighth_unseen, twentyfifth_unseen, twentyfirst_unseen, twentyfourth_unseen,
    twentyninth_unseen, twentysecond_unseen, twentyseventh_unseen, twentysixth_unseen,
    twentythird_unseen, unseen,
};
use serde::{Deserialize, Serialize};

/// A set of tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Set {
    /// What the program was made better with.
    #[default]
    Tuned,
    /// What it is made better with, in finer checks.
    Practice,
    /// What it was not made better with.
    Unseen,
    /// Requests of a person, one after another on one root.
    Everyday,
}

impl Set {
    pub(crate) const ALL: [Self; 4] = [Self::Tuned, Self::Practice, Self::Unseen, Self::Everyday];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Tuned => "tuned",
            Self::Practice => "practice",
            Self::Unseen => "unseen",
            Self::Everyday => "everyday",
        }
    }

    /// Returns the set of a name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }

    /// Returns the tasks that have a root of their own.
    pub(crate) fn tasks(self) -> Vec<Task> {
        match self {
            Self::Tuned => tasks::all(),
            Self::Practice => [
                practice::all(),
                first_certainty::all(),
                second_certainty::all(),
                first_unseen::all(),
                second_unseen::all(),
                third_unseen::all(),
                fourth_unseen::all(),
                fifth_unseen::all(),
                sixth_unseen::all(),
                seventh_unseen::all(),
                eighth_unseen::all(),
                ninth_unseen::all(),
                tenth_unseen::all(),
                eleventh_unseen::all(),
                twelfth_unseen::all(),
                thirteenth_unseen::all(),
                fourteenth_unseen::all(),
                fifteenth_unseen::all(),
                sixteenth_unseen::all(),
                seventeenth_unseen::all(),
                eighteenth_unseen::all(),
                nineteenth_unseen::all(),
                twentieth_unseen::all(),
                twentyfirst_unseen::all(),
                twentysecond_unseen::all(),
                twentythird_unseen::all(),
                twentyfourth_unseen::all(),
                twentyfifth_unseen::all(),
                twentysixth_unseen::all(),
                twentyseventh_unseen::all(),
                twentyeighth_unseen::all(),
                twentyninth_unseen::all(),
                thirtieth_unseen::all(),
                thirtyfirst_unseen::all(),
                thirtysecond_unseen::all(),
            ]
            .concat(),
            Self::Unseen => unseen::all(),
            Self::Everyday => Vec::new(),
        }
    }

    /// Fails if a check holds before anything was done, or does not hold when it was done.
    pub(crate) fn verify(self) {
        for task in self.tasks() {
            task.verify();
        }
        if self == Self::Everyday {
            everyday::verify();
        }
    }
}

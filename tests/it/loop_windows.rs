//! The short form of the certificate for small windows; the long one is a campaign.

use crate::windows::{Report, WINDOWS, live, lives};

/// Loops of one life: long enough for RAM to fill, to be paged, and for a restart.
const LOOPS: u64 = 60;

/// Lives at each window: half of them have tools and blocks.
const LIVES: u64 = 4;

async fn certify(window: u32) -> Report {
    let mut report = Report::default();
    for life in lives(window, LIVES * LOOPS, LOOPS, 1) {
        report.add(live(life).await);
    }
    report
}

#[tokio::test]
async fn no_prompt_overflows_a_small_window_and_no_value_is_lost() {
    for window in WINDOWS {
        let report = certify(window).await;
        assert_eq!(report.violations(), Vec::<&String>::new());
        // What would make it hard was there.
        assert_eq!(report.loops, LIVES * LOOPS);
        assert!(report.written > 50, "{} values written", report.written);
        assert!(report.prompts_cut > 50, "{} cut", report.prompts_cut);
        let (by_model, by_rule) = report.paged_in(0..LOOPS);
        assert!(by_model > 0, "the model pages nothing");
        assert!(by_rule > 0, "the rule pages nothing");
        assert!(report.brought_back > 0, "nothing is brought back");
    }
}

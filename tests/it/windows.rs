//! Small windows, certified: the real loop lives for thousands of iterations on a real folder beside a
//! scripted model that writes long notes and long thoughts and fills RAM, in five sorts of text, every other one with tools and blocks. The
//! model's server counts tokens in ways of its own and takes no prompt that does not fit. Afterwards
//! every value that was ever written must still be there, byte for byte.
//!
//! A life is drawn from a seed; several lives make a certificate.

#![expect(clippy::unwrap_used, reason = "a certificate may stop at once")]

mod life;
mod model;
mod report;
mod server;
mod text;
mod tokenizer;

pub(crate) use life::{Life, live};
pub(crate) use report::Report;

use tokenizer::Tokenizer;

/// The windows that are certified, in tokens.
pub(crate) const WINDOWS: [u32; 2] = [4096, 8192];

/// The lives of a certificate of so many loops for one window, each of them so long at most.
pub(crate) fn lives(window: u32, loops: u64, life_loops: u64, seed: u64) -> Vec<Life> {
    let mut left = loops;
    let mut lives = Vec::new();
    let mut tokenizers = Tokenizer::ALL.iter().cycle();
    while left > 0 {
        let number = u64::try_from(lives.len()).unwrap();
        let part = left.min(life_loops);
        lives.push(Life {
            window,
            tokenizer: *tokenizers.next().unwrap(),
            has_blocks: number % 2 == 1,
            seed: seed + number,
            loops: part,
        });
        left -= part;
    }
    lives
}

//! A streamed answer: wherever its bytes are cut into pieces, the same answer or the same refusal.

use crate::random::Random;
use kjxlkj_agent::core::protocol::AllowedTags;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::REPLY_TEXT_BYTES_MAX;
use kjxlkj_agent::provider::{LlmReply, read_stream};

pub(super) fn run(input: &[u8]) {
    let read = |pieces: &[&[u8]]| -> Result<LlmReply, Code> {
        read_stream(pieces.iter().copied(), AllowedTags::shipped())
    };
    let whole = read(&[input]);
    if let Ok(reply) = &whole {
        let reasoning = reply.reasoning.as_ref().map_or(0, String::len);
        assert!(reasoning <= REPLY_TEXT_BYTES_MAX);
        assert!(reply.text.len() <= input.len(), "it says more than arrived");
    }
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    assert_eq!(read(&bytes), whole, "byte by byte");
    let sum = input.iter().fold(0_u64, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u64::from(*byte))
    });
    let mut random = Random(sum);
    let mut pieces = Vec::new();
    let mut rest = input;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(random.between(1, rest.len().min(200)));
        pieces.push(piece);
        rest = after;
    }
    assert_eq!(read(&pieces), whole, "in {} pieces", pieces.len());
}

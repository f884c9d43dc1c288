//! The delays between repeats of a call.

/// The `retry` section in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The maximum number of repeats after the first call.
    pub max_retries: u32,
    /// The pause before the first repeat, in milliseconds.
    pub base_delay_ms: u64,
    /// The longest pause, in milliseconds.
    pub max_delay_ms: u64,
}

impl RetryPolicy {
    /// Returns the pause before repeat `attempt` (from 0), in milliseconds.
    /// It is `base * 2^attempt`, never above the maximum and never overflowing.
    pub const fn delay_ms(&self, attempt: u32) -> u64 {
        let factor = match 1_u64.checked_shl(attempt) {
            Some(factor) => factor,
            None => u64::MAX,
        };
        let delay = self.base_delay_ms.saturating_mul(factor);
        if delay < self.max_delay_ms {
            delay
        } else {
            self.max_delay_ms
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RetryPolicy;

    #[test]
    fn delays_double_up_to_the_maximum_and_never_overflow() {
        let policy = RetryPolicy {
            max_retries: 3,
            base_delay_ms: 100,
            max_delay_ms: 5000,
        };
        let delays: Vec<u64> = (0..8).map(|attempt| policy.delay_ms(attempt)).collect();
        assert_eq!(delays, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(policy.delay_ms(100), 5000);
        assert_eq!(policy.delay_ms(u32::MAX), 5000);
    }
}

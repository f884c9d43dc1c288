//! The journal as a stream: each commit once, in order, and none before it is durable.

use crate::sim_disk::SimDisk;
use crate::store_lab::{at, by_agent, options, set, try_open};
use kjxlkj_agent::store::Feed;

#[test]
fn a_commit_is_told_when_it_is_durable_and_once() {
    let disk = SimDisk::new(1);
    let (mut store, _) = try_open(&disk, &options(), at(0)).unwrap();
    for value in 0..6 {
        let mut draft = by_agent(vec![set("a", value)]);
        store.try_commit(&mut draft).unwrap();
    }
    let head = store.head().seq;
    let mut disk = disk;
    let (mut feed, first) = Feed::after(&mut disk, 0).unwrap();
    assert_eq!(first, 1);
    let mut next = |durable| -> Vec<u64> {
        let fed = feed.next(&mut disk, durable).unwrap();
        fed.iter().map(|fed| fed.seq).collect()
    };
    // The lines behind stand in the file already.
    assert_eq!(next(0), Vec::<u64>::new());
    assert_eq!(next(2), [1, 2]);
    assert_eq!(next(2), Vec::<u64>::new());
    assert_eq!(next(3), [3]);
    assert_eq!(next(head), (4..=head).collect::<Vec<_>>());
    assert_eq!(next(head), Vec::<u64>::new());
}

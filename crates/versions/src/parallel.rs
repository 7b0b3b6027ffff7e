//! One function for many things, on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads at most. More were not seen to help: the disk and the memory are shared.
const MAX_THREADS: usize = 8;

/// Applies a function to each thing; the results come in the order of the things.
pub fn map<'a, T: Sync, R: Send>(things: &'a [T], function: impl Fn(&'a T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(MAX_THREADS).min(things.len());
    if threads < 2 {
        return things.iter().map(function).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(at) else { break };
            done.push((at, function(thing)));
        }
        done
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, Vec<(usize, R)>>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().flat_map(join).collect()
    });
    results.sort_unstable_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_order() {
        let things: Vec<u32> = (0..1000).collect();
        let squares: Vec<u32> = things.iter().map(|thing| thing * thing).collect();
        assert_eq!(super::map(&things, |thing| thing * thing), squares);
    }
}

//! Measures what the launcher costs: the same short program through `std::process` and through a
//! launcher, alternating, so that other load on the machine hits both alike. The processor time is
//! ours and the launchers', without the program's.
//!
//! `cargo run --release -p whodunit --example spawn_rate -- [tests] [program [args]]`

#![allow(clippy::print_stdout)] // Its numbers are what it is for.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use whodunit::process::{
    Invocation, Launcher, Limits, NetworkAccess, Sandbox, Settings, Ticket, launcher,
};

fn main() {
    launcher::run_if_asked();
    let mut args = std::env::args_os().skip(1);
    let tests = args.next().and_then(|tests| tests.to_str()?.parse().ok()).unwrap_or(2000);
    let program = args.next().unwrap_or_else(|| "/bin/true".into());
    let args: Vec<OsString> = args.collect();

    let scratch = std::env::temp_dir().join(format!("spawn-rate-{}", std::process::id()));
    std::fs::create_dir(&scratch).expect("the temporary folder is writable");
    let settings = |sandbox| Settings {
        program: "/proc/self/exe".into(),
        scratch: scratch.clone(),
        sandbox,
        file_size: None,
    };
    let network = NetworkAccess::Loopback;
    let sandbox = Sandbox { writes_below: scratch.clone(), network };
    let mut free = Launcher::start(&settings(None)).expect("a launcher starts");
    let mut boxed = Launcher::start(&settings(Some(sandbox))).expect("a launcher starts");
    let invocation = Invocation {
        program: program.clone(),
        args: args.clone(),
        folder: "/".into(),
        env: vec![("TMPDIR".into(), "/tmp".into())],
        stdin: None,
    };

    let mut bare = Command::new(&program);
    bare.args(&args).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null());
    let run = |launcher: &mut Launcher| {
        launcher.run(Ticket(0), &invocation, &limits()).expect("the program runs");
    };
    measure(
        tests,
        &mut [
            ("std::process", &mut || drop(bare.spawn().expect("it starts").wait())),
            ("launcher", &mut || run(&mut free)),
            ("launcher with sandbox", &mut || run(&mut boxed)),
        ],
    );
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(10), memory: None, output: 1 << 20, processes: 100 }
}

type Way<'a> = (&'a str, &'a mut dyn FnMut());

fn measure(tests: usize, ways: &mut [Way<'_>]) {
    let mut times = vec![Vec::with_capacity(tests); ways.len()];
    let mut processor = vec![Duration::ZERO; ways.len()];
    for _ in 0..tests {
        for (number, (_, way)) in ways.iter_mut().enumerate() {
            let used = processor_time();
            let begun = Instant::now();
            way();
            times[number].push(begun.elapsed());
            processor[number] += processor_time() - used;
        }
    }
    let medians: Vec<Duration> = times.iter_mut().map(|times| median(times)).collect();
    for (number, (name, _)) in ways.iter().enumerate() {
        let ratio = medians[number].as_secs_f64() / medians[0].as_secs_f64();
        let tests = u32::try_from(tests).unwrap_or(u32::MAX);
        let mean = times[number].iter().sum::<Duration>() / tests;
        let (least, median) = (times[number][0], medians[number]);
        let processor = processor[number] / tests;
        println!(
            "{name:22} least {least:>7.1?}  median {median:>7.1?} ({ratio:.2})  mean {mean:>7.1?}  \
             processor {processor:>7.1?}"
        );
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Returns the processor time of this process and its children, which are the launchers.
fn processor_time() -> Duration {
    let me = std::process::id();
    let children = std::fs::read_to_string(format!("/proc/{me}/task/{me}/children"));
    let children = children.unwrap_or_default();
    let pids = children.split_whitespace().map(str::to_owned).chain([me.to_string()]);
    pids.filter_map(|pid| {
        let times = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
        Some(Duration::from_nanos(times.split(' ').next()?.parse().ok()?))
    })
    .sum()
}

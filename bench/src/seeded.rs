//! whodunit on real releases with an inserted fault: the truth is known, the difference is real.
//!
//! Of half of the packages only totals are ever shown, so that nothing can be tuned to them.

mod difference;
mod mutate;
mod packages;
mod ran_lines;
mod result;
mod seed;
mod totals;
mod trial;

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use crate::changes::run::{Runner, Task};
use crate::page::{self, Table, say};
use crate::run_args::{RunArgs, WithArgs};
use packages::{Ecosystem, Half, Package};
use result::{COLUMNS, Found};
use seed::{Seeded, Soil};
use totals::Totals;
use trial::Trial;

/// Puts faults into real releases, runs whodunit on them, and prints a table.
#[derive(clap::Parser)]
#[command(name = "bench seeded", no_binary_name = true)]
struct SeededArgs {
    /// Take both releases of each package from this folder; what is not there is fetched into it
    #[arg(long, value_name = "DIR")]
    fetched: Option<PathBuf>,

    /// Choose the faults by this seed. Can be repeated
    #[arg(long, value_name = "N", default_values_t = SEEDS)]
    seed: Vec<u64>,

    /// Run this half of the packages only
    #[arg(long)]
    half: Option<Half>,

    /// Run packages of this ecosystem only. Can be repeated
    #[arg(long, value_name = "NAME")]
    ecosystem: Vec<Ecosystem>,

    /// Only write the cases of the development half into this folder, as `bench changes` takes them
    #[arg(long, value_name = "DIR")]
    lay_out: Option<PathBuf>,

    #[command(flatten)]
    with: WithArgs,

    #[command(flatten)]
    run: RunArgs,
}

const SEEDS: [u64; 3] = [1, 2, 3];

/// Runs whodunit on the chosen packages and returns the table of these runs.
pub(crate) fn measure(words: impl Iterator<Item = OsString>) -> Result<String, Box<dyn Error>> {
    let args = SeededArgs::parse_from(words);
    let table_file = args.run.write_to("seeded.md");
    let runner = Runner::new(&args.run, args.run.cap())?;
    let mut rows = Table::new(COLUMNS);
    let mut kept = Totals::default();
    for package in chosen(&args)? {
        for (seed, found) in results(&args, &runner, &package)? {
            match (package.half, found) {
                (Half::Dev, Some(found)) => rows.put(found.row(&package, seed)),
                (Half::Dev, None) => rows.put(result::lacking_row(&package, seed)),
                (Half::Kept, Some(found)) => kept.of(package.ecosystem).add(&found),
                (Half::Kept, None) => kept.of(package.ecosystem).lacking += 1,
            }
        }
        if package.half == Half::Kept {
            say(&format!("{} cases that are kept so far", kept.cases()));
        }
        // Written after each package, so that an interrupted bench keeps its rows.
        if let Some(path) = &table_file {
            page::update(path, |old| totals::page(old, &rows, &Totals::default()))?;
        }
    }
    if args.lay_out.is_some() {
        return Ok(String::new());
    }
    let is_whole = args.run.only.is_empty() && args.ecosystem.is_empty() && args.seed == SEEDS;
    if let Some(path) = table_file.filter(|_| is_whole) {
        page::update(&path, |old| totals::page(old, &rows, &kept))?;
    }
    totals::page("", &rows, &kept).map_err(Into::into)
}

fn chosen(args: &SeededArgs) -> Result<Vec<Package>, Box<dyn Error>> {
    let mut packages = packages::all()?;
    for name in &args.run.only {
        match packages.iter().find(|package| package.to_string() == *name) {
            Some(package) if package.half == Half::Kept => {
                return Err(format!("of `{name}` only totals are looked at").into());
            }
            Some(_) => {}
            None => return Err(format!("there is no package `{name}`").into()),
        }
    }
    packages.retain(|package| {
        (args.lay_out.is_none() || package.half == Half::Dev)
            && (args.run.only.is_empty() || args.run.only.contains(&package.to_string()))
            && (args.ecosystem.is_empty() || args.ecosystem.contains(&package.ecosystem))
            && args.half.is_none_or(|half| half == package.half)
    });
    Ok(packages)
}

/// The result of each seed; `None` if no case could be made.
type Results = Vec<(u64, Option<Found>)>;

/// Runs whodunit on the cases of a package; the inner error tells why there are none.
fn results(
    args: &SeededArgs,
    runner: &Runner,
    package: &Package,
) -> Result<Results, Box<dyn Error>> {
    let none = || Ok(args.seed.iter().map(|seed| (*seed, None)).collect());
    let fetched = match package.fetch(args.fetched.as_deref())? {
        Ok(fetched) => fetched,
        Err(trouble) => {
            say(&format!("{package}: PASSED OVER, it cannot be fetched: {trouble}"));
            return none();
        }
    };
    let trial = Trial::of(package, &runner.interrupted);
    let soil = match Soil::of(package, &trial, &fetched)? {
        Ok(soil) => soil,
        Err(trouble) => {
            say(&format!("{package}: PASSED OVER, {trouble}"));
            return none();
        }
    };
    let mut results = Results::new();
    for &seed in &args.seed {
        let Some(seeded) = soil.seeded(seed)? else {
            say(&format!("{package}, {seed}: NO CASE, none of {} faults does it", soil.faults()));
            results.push((seed, None));
            continue;
        };
        if let Some(folder) = &args.lay_out {
            let name = format!("{package}-{seed}");
            seeded.lay_out(&fetched.good, &trial, &folder.join(&name))?;
            say(&name);
            continue;
        }
        let task = Task {
            good: fetched.good.clone(),
            bad: seeded.bad(),
            checkout: None,
            build: trial.build.clone(),
            test: trial.test.clone(),
        };
        let found = Found::of(&seeded, runner.run(&task, &args.with.options)?);
        if package.half == Half::Dev {
            let Seeded { file, fault, seen, .. } = &seeded;
            let place = format!("{file}:{}", fault.line);
            say(&format!("{package}, {seed}: {} in {place}: {}", fault.mutation, seen.last_line));
            say(&format!("{package}, {seed}: {found}"));
        }
        results.push((seed, Some(found)));
    }
    Ok(results)
}

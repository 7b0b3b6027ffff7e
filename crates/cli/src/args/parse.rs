//! Turns words into values.

use std::time::Duration;

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    let duration = duration.ok_or("not a time like 90s, 10m or 1h 30m")?;
    if duration.is_zero() { Err("must be greater than zero".into()) } else { Ok(duration) }
}

/// The most workers; each is a process with a folder of its own.
const MOST_JOBS: u16 = 1000;

pub(super) fn jobs(text: &str) -> Result<u16, String> {
    match text.parse::<u16>() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(jobs) if jobs <= MOST_JOBS => Ok(jobs),
        _ => Err(format!("not a number from 1 to {MOST_JOBS}")),
    }
}

pub(super) fn tests(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(tests) => Ok(tests),
        Err(_) => Err("not a number of tests".into()),
    }
}

pub(super) fn size(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let number = upper.trim_end_matches("IB").trim_end_matches('B');
    let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let unit = units.iter().find(|(unit, _)| number.ends_with(*unit));
    let (number, shift) =
        unit.map_or((number, 0), |&(unit, shift)| (number.trim_end_matches(unit), shift));
    let number: f64 = number.trim().parse().map_err(|_| "not a size like 512M or 2G")?;
    let bytes = number * (1u64 << shift) as f64;
    if (1.0..=u64::MAX as f64).contains(&bytes) {
        Ok(bytes as u64)
    } else {
        Err("a size must be at least one byte, and fit a machine".into())
    }
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| "not a number like 0.99")?;
    match number > 0.5 && number < 1.0 {
        true => Ok(number),
        false => Err("a confidence lies between 0.5 and 1".into()),
    }
}

/// Reads the rate at which a test fails.
pub(super) fn rate(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| "not a number like 0.5")?;
    match number > 0.0 && number < 1.0 {
        true => Ok(number),
        false => Err("a rate lies between 0 and 1".into()),
    }
}

pub(super) fn signal(text: &str) -> Result<i32, String> {
    let number = whodunit_run::judge::signal_number(text);
    number.ok_or_else(|| "not a signal like SIGSEGV, segv or 11".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_or_are_seconds() {
        assert_eq!(duration("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("2.5"), Ok(Duration::from_millis(2500)));
        for bad in ["", "0", "-1", "5 parsecs", "nan"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn no_worker_and_no_test_are_too_few() {
        assert_eq!((jobs("1"), jobs("1000")), (Ok(1), Ok(1000)));
        assert_eq!(tests("1"), Ok(1));
        for bad in ["0", "-1", "1001", "many", ""] {
            assert!(jobs(bad).is_err(), "{bad}");
        }
        for bad in ["0", "-1", "1.5", "many", ""] {
            assert!(tests(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn nothing_is_certain() {
        assert_eq!(probability("0.99"), Ok(0.99));
        for bad in ["", "0.5", "1", "99", "nan", "-0.9"] {
            assert!(probability(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_have_units_or_are_bytes() {
        assert_eq!(size("512"), Ok(512));
        assert_eq!(size("2k"), Ok(2048));
        assert_eq!(size("1.5G"), Ok(3 << 29));
        assert_eq!(size("64 MiB"), Ok(64 << 20));
        for bad in ["", "0", "-1", "G", "1X", "nan", "99999999T"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}

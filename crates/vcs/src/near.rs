//! Finds names like one that does not exist.

/// Names suggested at most, the nearest first. Chosen by hand.
const MAX_SUGGESTIONS: usize = 3;

/// Returns the names that are near another one, best first.
///
/// Two names are near if they differ by few letters for their length, or if one is part of the
/// other (`1.5` and `v1.5`).
pub(crate) fn suggest(name: &str, names: &[String]) -> Vec<String> {
    let wanted = name.to_lowercase();
    let allowed = (wanted.chars().count() / 2).clamp(1, 3);
    let mut near: Vec<(usize, &String)> = Vec::new();
    for known in names {
        let plain = known.to_lowercase();
        let is_part =
            wanted.chars().count() > 1 && (plain.contains(&wanted) || wanted.contains(&plain));
        let distance = strsim::levenshtein(&wanted, &plain);
        if distance <= allowed || is_part {
            near.push((distance, known));
        }
    }
    near.sort();
    near.truncate(MAX_SUGGESTIONS);
    near.into_iter().map(|(_, name)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &[&str]) {
        let names = ["main", "v1.4", "v1.5", "v1.5-rc1", "feature/parser", "origin/main"];
        let names: Vec<String> = names.map(String::from).into();
        assert_eq!(suggest(name, &names), expected);
    }

    #[test]
    fn slips_of_the_finger_are_understood() {
        check("mian", &["main"]);
        check("man", &["main"]);
        check("feature/praser", &["feature/parser"]);
    }

    #[test]
    fn a_part_of_a_name_is_near() {
        check("1.5", &["v1.5", "v1.5-rc1"]);
        check("V1.5", &["v1.5", "v1.4", "v1.5-rc1"]);
    }

    #[test]
    fn nothing_is_near_to_what_is_quite_different() {
        check("release-2026", &[]);
    }
}

//! The new version of a program: many harmless changes, some of which need each other, and two
//! that cause the failure together.

use super::grow::Grower;
use super::model::{Constant, Function, Module, Step};
use super::words::{FIELDS, PARAMETERS};

/// The most that the test accepts as the charge.
const MOST: u32 = 500;
/// The argument of the tested function.
const GIVEN: u32 = 800;
/// The name of the limit.
const HIGHEST: &str = "HIGHEST_LOAD";
/// The limit of the old version, which keeps the charge low, and that of the new one, which does
/// not.
const LIMITS: [u32; 2] = [90, 900];

/// Both versions, and the test, which is the same for both.
pub(super) struct Evolution {
    pub(super) old: Vec<Module>,
    pub(super) new: Vec<Module>,
    pub(super) main: Vec<Step>,
    /// The module and the name of both culprits.
    pub(super) culprits: [(&'static str, &'static str); 2],
}

impl Evolution {
    /// Counts the functions, constants and types that differ between the versions; a renamed one
    /// counts twice.
    pub(super) fn changes(&self) -> usize {
        let count = |(old, new): (&Module, &Module)| {
            differing(&old.functions, &new.functions, |function| &function.name)
                + differing(&old.constants, &new.constants, |constant| &constant.name)
                + differing(&old.records, &new.records, |record| &record.name)
        };
        self.old.iter().zip(&self.new).map(count).sum()
    }
}

fn differing<T: PartialEq>(old: &[T], new: &[T], name: impl Fn(&T) -> &String) -> usize {
    let gone = old.iter().filter(|one| new.iter().all(|other| name(other) != name(one)));
    gone.count() + new.iter().filter(|one| !old.contains(one)).count()
}

/// Makes both versions.
pub(super) fn evolve(seed: u64, functions: usize) -> Evolution {
    let mut grower = Grower::new(seed);
    let mut old = grower.modules(functions);
    let pipeline = Pipeline::lay(&mut grower, &mut old);
    let main = pipeline.test(&old);
    let mut new = old.clone();
    for place in 0..new.len() {
        changed_bodies(&mut grower, &mut new[place]);
        changed_constant(&mut grower, &mut new[place]);
        added_function(&mut grower, &mut new, place);
        match place % 3 {
            0 => renamed_function(&mut grower, &mut new, place),
            1 => replaced_function(&mut new, place),
            _ => added_constant(&mut grower, &mut new[place]),
        }
        if place % 4 == 0 {
            added_field(&mut grower, &mut new[place]);
        }
    }
    pipeline.break_it(&mut new);
    Evolution { old, new, main, culprits: pipeline.culprits() }
}

/// The tested functions: a limit in one module, a check in another one, and a user of both.
struct Pipeline {
    /// The place and the name of the module with the limit.
    limit: (usize, &'static str),
    /// The same for the check, and the function that has it.
    check: (usize, &'static str, &'static str),
    settle: (&'static str, &'static str),
}

impl Pipeline {
    /// Adds its functions to the modules.
    fn lay(grower: &mut Grower, modules: &mut [Module]) -> Self {
        let last = modules.len() - 1;
        let limit_in = grower.number(0, 5) as usize;
        let check_in = grower.number(5, 11) as usize;
        let parameters = PARAMETERS[0];
        let [weight, zone] = parameters;
        let [limited, checked, settled] = ["limit_load", "charge_load", "settle_load"];

        let module = &mut modules[limit_in];
        let constant = format!("@{}.{HIGHEST}", module.name);
        module.constants.push(Constant { name: HIGHEST.to_owned(), value: LIMITS[0] });
        let capped = vec![Step::Return(constant.clone())];
        let body = vec![
            Step::If(format!("{weight} > {constant}"), capped),
            Step::Return(weight.to_owned()),
        ];
        put(module, grower, Function { name: limited.to_owned(), parameters, body });
        let limited = format!("@{}.{limited}({weight}, {zone})", module.name);
        let limit = (limit_in, module.name);

        let module = &mut modules[check_in];
        let body = vec![
            Step::Let("charge", weight.to_owned()),
            Step::If(format!("charge > {MOST}"), vec![Step::Set("charge", MOST.to_string())]),
            Step::Return("charge".to_owned()),
        ];
        put(module, grower, Function { name: checked.to_owned(), parameters, body });
        let charged = format!("@{}.{checked}(load, {zone})", module.name);
        let check = (check_in, module.name, checked);

        let module = &mut modules[last];
        let body = vec![
            Step::Let("load", limited),
            Step::Let("charge", charged),
            Step::Return("charge".to_owned()),
        ];
        put(module, grower, Function { name: settled.to_owned(), parameters, body });
        Pipeline { limit, check, settle: (module.name, settled) }
    }

    /// Returns the test: it also calls a function of every other module.
    fn test(&self, modules: &[Module]) -> Vec<Step> {
        let mut steps = vec![Step::Let("trace", "0".to_owned())];
        for (place, module) in modules.iter().enumerate().filter(|(place, _)| place % 2 == 0) {
            let called = &module.functions[0].name;
            let call = format!("trace + @{}.{called}({}, {})", module.name, 17 + place, 5);
            steps.push(Step::Set("trace", call));
        }
        let (module, settle) = self.settle;
        steps.push(Step::Refuse { condition: "trace < 0".to_owned(), variable: "trace" });
        steps.push(Step::Let("charge", format!("@{module}.{settle}({GIVEN}, 3)")));
        steps.push(Step::Refuse { condition: format!("charge > {MOST}"), variable: "charge" });
        steps
    }

    /// Raises the limit and drops the check; either of them alone is harmless.
    fn break_it(&self, modules: &mut [Module]) {
        let mut constants = modules[self.limit.0].constants.iter_mut();
        if let Some(constant) = constants.find(|constant| constant.name == HIGHEST) {
            constant.value = LIMITS[1];
        }
        let (place, _, check) = self.check;
        if let Some(function) = modules[place].function(check) {
            function.body.retain(|step| !matches!(step, Step::If(..)));
        }
    }

    fn culprits(&self) -> [(&'static str, &'static str); 2] {
        [(self.limit.1, HIGHEST), (self.check.1, self.check.2)]
    }
}

/// The functions of a module by their kind of change, so that each has at most one.
mod fate {
    use std::ops::Range;

    pub(super) const BODIES: Range<usize> = 0..4;
    pub(super) const CALLER: usize = 4;
    pub(super) const RENAMED: usize = 5;
    pub(super) const REPLACED: usize = 6;
    pub(super) const CONSTANT_USER: usize = 7;
    /// Functions from here on stay, except for changes of the functions that they call; the
    /// tested functions are put among them.
    pub(super) const KEPT: usize = 8;
}

/// Puts a function at a place where no other change touches it.
fn put(module: &mut Module, grower: &mut Grower, function: Function) {
    let length = u32::try_from(module.functions.len()).expect("modules are small");
    let kept = u32::try_from(fate::KEPT).expect("it is small");
    let place = grower.number(kept, length + 1) as usize;
    module.functions.insert(place, function);
}

fn changed_bodies(grower: &mut Grower, module: &mut Module) {
    for function in &mut module.functions[fate::BODIES] {
        let [first, second] = function.parameters;
        let number = grower.number(2, 40);
        match grower.random.below(4) {
            0 => {
                let guard = Step::Return(format!("{second} % {number}"));
                let condition = format!("{first} > {}", grower.number(2_000, 9_000));
                function.body.insert(0, Step::If(condition, vec![guard]));
            }
            1 => {
                let whole = returned(function);
                function.body.push(Step::Let("adjusted", whole));
                function.body.push(Step::Return(format!("adjusted + {number}")));
            }
            2 => {
                let whole = returned(function);
                function.body.push(Step::Return(format!("{whole} + {number}")));
            }
            _ => {
                let whole = returned(function);
                function.body.push(Step::Let("spare", format!("{second} % {number}")));
                function.body.push(Step::Return(format!("{whole} + spare")));
            }
        }
    }
}

/// Removes the final return and returns its value.
fn returned(function: &mut Function) -> String {
    match function.body.pop() {
        Some(Step::Return(value)) => value,
        last => unreachable!("functions end with a return, not with {last:?}"),
    }
}

fn changed_constant(grower: &mut Grower, module: &mut Module) {
    module.constants[0].value += grower.number(1, 30);
}

/// Adds a function, and lets another one of the module use it.
fn added_function(grower: &mut Grower, modules: &mut [Module], place: usize) {
    let (earlier, rest) = modules.split_at_mut(place);
    let module = &mut rest[0];
    let added = grower.function(earlier, module);
    let caller = &mut module.functions[fate::CALLER];
    let [first, second] = caller.parameters;
    let whole = returned(caller);
    let call = format!("@{}.{}({first}, {second})", module.name, added.name);
    caller.body.push(Step::Let("refined", call));
    caller.body.push(Step::Return(format!("{whole} + refined")));
    module.functions.push(added);
}

/// Renames a function, and its calls.
fn renamed_function(grower: &mut Grower, modules: &mut [Module], place: usize) {
    let module = &mut modules[place];
    let name = grower.name();
    let function = &mut module.functions[fate::RENAMED];
    let before = format!("@{}.{}(", module.name, function.name);
    let after = format!("@{}.{name}(", module.name);
    function.name = name;
    everywhere(modules, &before, &after);
}

/// Deletes a function; its callers call another one.
fn replaced_function(modules: &mut [Module], place: usize) {
    let module = &mut modules[place];
    let deleted = module.functions.remove(fate::REPLACED);
    let before = format!("@{}.{}(", module.name, deleted.name);
    let after = format!("@{}.{}(", module.name, module.functions[0].name);
    everywhere(modules, &before, &after);
}

fn everywhere(modules: &mut [Module], before: &str, after: &str) {
    let mut edit = |expression: &mut String| *expression = expression.replace(before, after);
    modules.iter_mut().for_each(|module| module.each_expression(&mut edit));
}

/// Adds a constant, and lets a function use it.
fn added_constant(grower: &mut Grower, module: &mut Module) {
    let constant = grower.constant();
    let user = &mut module.functions[fate::CONSTANT_USER];
    let whole = returned(user);
    user.body.push(Step::Return(format!("{whole} + @{}.{}", module.name, constant.name)));
    module.constants.push(constant);
}

/// Adds a field to a type, and to the code that makes and reads its values.
fn added_field(grower: &mut Grower, module: &mut Module) {
    let Some(record) = module.records.first_mut() else { return };
    let field = FIELDS[record.fields.len()];
    record.fields.push(field);
    for function in &mut module.functions {
        let [_, second] = function.parameters;
        let value = format!("{second} % {}", grower.number(3, 30));
        let made = function.body.iter_mut().find_map(|step| match step {
            Step::Make { fields, .. } => Some(fields),
            _ => None,
        });
        let Some(fields) = made else { continue };
        fields.push((field, value));
        if let Some(Step::Return(whole)) = function.body.last_mut() {
            *whole += &format!(" + made.{field}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grow::FUNCTIONS;
    use super::*;

    #[test]
    fn a_record_is_made_with_all_its_fields_in_both_versions() {
        for evolution in (0..50).map(|seed| evolve(seed, FUNCTIONS)) {
            for module in evolution.old.iter().chain(&evolution.new) {
                for step in module.functions.iter().flat_map(|function| &function.body) {
                    let Step::Make { record, fields, .. } = step else { continue };
                    let record = module.records.iter().find(|one| one.name == *record).unwrap();
                    let fields: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
                    assert_eq!(record.fields, fields);
                }
            }
        }
    }
}

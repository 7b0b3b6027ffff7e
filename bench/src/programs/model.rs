//! A program without a language: modules of functions over whole numbers.
//!
//! Expressions are text, since all the languages write them alike; only a function or a
//! constant differs, and is written `@module.name`.

/// One file, or two where a language has headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Module {
    pub(super) name: &'static str,
    pub(super) records: Vec<Record>,
    pub(super) constants: Vec<Constant>,
    pub(super) functions: Vec<Function>,
}

/// A type with fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) fields: Vec<&'static str>,
}

/// A named number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    pub(super) name: String,
    pub(super) value: u32,
}

/// A function from two numbers to one, none of them negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: [&'static str; 2],
    pub(super) body: Vec<Step>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A new variable.
    Let(&'static str, String),
    /// A variable gets another value.
    Set(&'static str, String),
    /// A new variable that holds a record, with a value for each field.
    Make {
        variable: &'static str,
        record: String,
        fields: Vec<(&'static str, String)>,
    },
    If(String, Vec<Step>),
    /// For `variable` from 0 to below a bound.
    Loop {
        variable: &'static str,
        bound: String,
        body: Vec<Step>,
    },
    Return(String),
    /// The test ends with a failure that shows `variable` if the condition holds.
    Refuse {
        condition: String,
        variable: &'static str,
    },
}

impl Step {
    /// Calls `edit` on each expression of the step and of those inside.
    pub(super) fn each_expression(&mut self, edit: &mut impl FnMut(&mut String)) {
        match self {
            Step::Let(_, value) | Step::Set(_, value) | Step::Return(value) => edit(value),
            Step::Make { fields, .. } => fields.iter_mut().for_each(|(_, value)| edit(value)),
            Step::If(condition, body) => {
                edit(condition);
                body.iter_mut().for_each(|step| step.each_expression(edit));
            }
            Step::Loop { bound, body, .. } => {
                edit(bound);
                body.iter_mut().for_each(|step| step.each_expression(edit));
            }
            Step::Refuse { condition, .. } => edit(condition),
        }
    }
}

impl Module {
    /// Calls `edit` on each expression of the functions.
    pub(super) fn each_expression(&mut self, edit: &mut impl FnMut(&mut String)) {
        let steps = self.functions.iter_mut().flat_map(|function| &mut function.body);
        steps.for_each(|step| step.each_expression(edit));
    }

    /// Returns the function of this name, if the module has it.
    pub(super) fn function(&mut self, name: &str) -> Option<&mut Function> {
        self.functions.iter_mut().find(|function| function.name == name)
    }
}

//! What defines, calls and names something, as kinds of nodes: one table a language.
//!
//! A new language is a new table. Names of nodes and fields are those of its grammar.

use super::member::MemberKind::{
    self, Class, Constructor, EnumConstant, Function, Implementation, Import, Initializer, Macro,
    Module, Type, Variable,
};

/// What a language's grammar calls things.
pub(super) struct Table {
    /// The languages that it is for, by name.
    pub(super) languages: &'static [&'static str],
    pub(super) rows: &'static [Row],
    /// Nodes whose children are taken as if they stood in their place.
    pub(super) transparent: &'static [&'static str],
    /// Nodes that belong to the definition in them: decorators, `export`, `template`.
    pub(super) wrappers: &'static [&'static str],
    /// Nodes that belong to the definition that follows them.
    pub(super) leading: &'static [&'static str],
    pub(super) calls: &'static [Call],
    pub(super) accesses: &'static [Access],
    pub(super) locals: &'static [Local],
    /// Fields and kinds of what names the supertypes of a class.
    pub(super) supers: &'static [&'static str],
    /// Values that make a variable a function.
    pub(super) functions: &'static [&'static str],
    /// Classes that have a constructor even if none is written.
    pub(super) made: &'static [&'static str],
    /// Fields that hold the type of a result.
    pub(super) results: &'static [&'static str],
    /// Whether several functions of one name differ by the types of their parameters.
    pub(super) overloads: bool,
    /// Whether a call has to have as many arguments as there are parameters.
    pub(super) counts_arguments: bool,
}

/// A node that defines something.
pub(super) struct Row {
    pub(super) node: &'static str,
    pub(super) kind: MemberKind,
    /// Fields that lead to the name, tried in order again and again.
    pub(super) name: &'static [&'static str],
    pub(super) each: Each,
    pub(super) inside: Inside,
}

/// What of a node is one definition.
pub(super) enum Each {
    Whole,
    /// Each child of this field.
    Field(&'static str),
    /// Each child or grandchild of one of these kinds; if there is none, it is no definition.
    Kind(&'static [&'static str]),
}

/// What is in a definition, by the field that it is in.
pub(super) enum Inside {
    Nothing,
    /// Other definitions.
    Members(&'static str),
    /// Code in brackets, or indented.
    Code(&'static str),
    /// An expression.
    Value(&'static [&'static str]),
    /// Code in a child of this kind.
    Block(&'static str),
}

/// A node that calls something.
pub(super) struct Call {
    pub(super) node: &'static str,
    /// The field of what is called: a name, or an access.
    pub(super) callee: &'static str,
    pub(super) arguments: &'static str,
    /// The field of what it is called on, if that is not part of the callee.
    pub(super) object: &'static str,
    pub(super) creates: bool,
}

/// A node that takes something out of something else: `a.b`.
pub(super) struct Access {
    pub(super) node: &'static str,
    pub(super) object: &'static str,
    pub(super) name: &'static str,
}

/// A node that defines a local name.
pub(super) struct Local {
    pub(super) node: &'static str,
    pub(super) of: &'static str,
    pub(super) name: &'static [&'static str],
}

const fn row(
    node: &'static str,
    kind: MemberKind,
    name: &'static [&'static str],
    inside: Inside,
) -> Row {
    Row { node, kind, name, each: Each::Whole, inside }
}

const fn each(
    node: &'static str,
    kind: MemberKind,
    each: Each,
    name: &'static [&'static str],
    inside: Inside,
) -> Row {
    Row { node, kind, name, each, inside }
}

const fn call(node: &'static str, callee: &'static str, arguments: &'static str) -> Call {
    Call { node, callee, arguments, object: "", creates: false }
}

const fn creation(node: &'static str, callee: &'static str, arguments: &'static str) -> Call {
    Call { node, callee, arguments, object: "", creates: true }
}

const fn access(node: &'static str, object: &'static str, name: &'static str) -> Access {
    Access { node, object, name }
}

const fn local(node: &'static str, of: &'static str, name: &'static [&'static str]) -> Local {
    Local { node, of, name }
}

const NAME: &[&str] = &["name"];
const DECLARED: &[&str] = &["declarator", "name"];
const BODY: Inside = Inside::Code("body");
const MEMBERS: Inside = Inside::Members("body");
const VALUE: Inside = Inside::Value(&["value", "default_value"]);
const DECLARATOR: Each = Each::Field("declarator");

/// All tables.
pub(super) const TABLES: &[Table] = &[JAVA, C, PYTHON, JAVASCRIPT, RUST, GO];

const JAVA: Table = Table {
    languages: &["java"],
    rows: &[
        row("class_declaration", Class, NAME, MEMBERS),
        row("interface_declaration", Class, NAME, MEMBERS),
        row("enum_declaration", Class, NAME, MEMBERS),
        row("record_declaration", Class, NAME, MEMBERS),
        row("annotation_type_declaration", Class, NAME, MEMBERS),
        row("method_declaration", Function, NAME, BODY),
        row("constructor_declaration", Constructor, NAME, BODY),
        row("compact_constructor_declaration", Constructor, NAME, BODY),
        row("annotation_type_element_declaration", Function, NAME, VALUE),
        each("field_declaration", Variable, DECLARATOR, NAME, VALUE),
        each("constant_declaration", Variable, DECLARATOR, NAME, VALUE),
        row("enum_constant", EnumConstant, NAME, Inside::Value(&["arguments", "body"])),
        row("static_initializer", Initializer, &[], Inside::Block("block")),
        row("block", Initializer, &[], Inside::Block("")),
        row("import_declaration", Import, &[], Inside::Nothing),
    ],
    transparent: &["enum_body_declarations"],
    wrappers: &[],
    leading: &[],
    calls: &[
        Call {
            node: "method_invocation",
            callee: "name",
            arguments: "arguments",
            object: "object",
            creates: false,
        },
        creation("object_creation_expression", "type", "arguments"),
        creation("explicit_constructor_invocation", "constructor", "arguments"),
    ],
    accesses: &[access("field_access", "object", "field")],
    locals: &[
        local("local_variable_declaration", "type", DECLARED),
        local("formal_parameter", "type", NAME),
        local("spread_parameter", "type", NAME),
        local("catch_formal_parameter", "type", NAME),
        local("enhanced_for_statement", "type", NAME),
        local("resource", "type", NAME),
        local("instanceof_expression", "right", NAME),
        local("inferred_parameters", "", &[]),
        local("lambda_expression", "", &["parameters"]),
    ],
    supers: &["superclass", "interfaces", "extends_interfaces"],
    functions: &[],
    made: &["class_declaration"],
    results: &["type"],
    overloads: true,
    counts_arguments: true,
};

const C: Table = Table {
    languages: &["c", "cpp"],
    rows: &[
        row("function_definition", Function, DECLARED, BODY),
        each("declaration", Variable, DECLARATOR, DECLARED, VALUE),
        each("field_declaration", Variable, DECLARATOR, DECLARED, VALUE),
        row("type_definition", Type, DECLARED, Inside::Nothing),
        row("struct_specifier", Type, NAME, MEMBERS),
        row("union_specifier", Type, NAME, MEMBERS),
        row("class_specifier", Class, NAME, MEMBERS),
        row("enum_specifier", Type, NAME, MEMBERS),
        row("enumerator", EnumConstant, NAME, VALUE),
        row("namespace_definition", Module, NAME, MEMBERS),
        row("alias_declaration", Type, NAME, Inside::Nothing),
        row("preproc_def", Macro, NAME, VALUE),
        row("preproc_function_def", Macro, NAME, VALUE),
        row("preproc_include", Import, &[], Inside::Nothing),
        row("using_declaration", Import, &[], Inside::Nothing),
    ],
    transparent: &[
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "linkage_specification",
        "declaration_list",
    ],
    wrappers: &["template_declaration"],
    leading: &["attribute_declaration"],
    calls: &[
        call("call_expression", "function", "arguments"),
        creation("new_expression", "type", "arguments"),
    ],
    accesses: &[
        access("field_expression", "argument", "field"),
        access("qualified_identifier", "scope", "name"),
    ],
    locals: &[
        local("parameter_declaration", "type", DECLARED),
        local("optional_parameter_declaration", "type", DECLARED),
        local("declaration", "type", DECLARED),
        local("for_range_loop", "type", DECLARED),
    ],
    supers: &["base_class_clause"],
    functions: &[],
    made: &[],
    results: &["type"],
    overloads: false,
    counts_arguments: false,
};

const PYTHON: Table = Table {
    languages: &["python"],
    rows: &[
        row("class_definition", Class, NAME, MEMBERS),
        row("function_definition", Function, NAME, BODY),
        each(
            "expression_statement",
            Variable,
            Each::Kind(&["assignment"]),
            &["left"],
            Inside::Value(&["right"]),
        ),
        row("import_statement", Import, &[], Inside::Nothing),
        row("import_from_statement", Import, &[], Inside::Nothing),
        row("future_import_statement", Import, &[], Inside::Nothing),
    ],
    transparent: &[],
    wrappers: &["decorated_definition"],
    leading: &[],
    calls: &[call("call", "function", "arguments")],
    accesses: &[access("attribute", "object", "attribute")],
    locals: &[
        local("parameters", "", &[]),
        local("default_parameter", "", NAME),
        local("typed_parameter", "type", &[]),
        local("typed_default_parameter", "type", NAME),
        local("lambda_parameters", "", &[]),
        local("assignment", "", &["left"]),
        local("for_statement", "", &["left"]),
        local("for_in_clause", "", &["left"]),
    ],
    supers: &["superclasses"],
    functions: &["lambda"],
    made: &[],
    results: &[],
    overloads: false,
    counts_arguments: false,
};

const JAVASCRIPT: Table = Table {
    languages: &["javascript", "typescript", "tsx"],
    rows: &[
        row("class_declaration", Class, NAME, MEMBERS),
        row("abstract_class_declaration", Class, NAME, MEMBERS),
        row("interface_declaration", Class, NAME, MEMBERS),
        row("enum_declaration", Type, NAME, Inside::Value(&["body"])),
        row("type_alias_declaration", Type, NAME, Inside::Nothing),
        row("function_declaration", Function, NAME, BODY),
        row("generator_function_declaration", Function, NAME, BODY),
        row("function_signature", Function, NAME, Inside::Nothing),
        row("method_definition", Function, NAME, BODY),
        row("method_signature", Function, NAME, Inside::Nothing),
        row("abstract_method_signature", Function, NAME, Inside::Nothing),
        row("field_definition", Variable, &["property"], VALUE),
        row("public_field_definition", Variable, NAME, VALUE),
        row("property_signature", Variable, NAME, Inside::Nothing),
        each("lexical_declaration", Variable, Each::Kind(&["variable_declarator"]), NAME, VALUE),
        each("variable_declaration", Variable, Each::Kind(&["variable_declarator"]), NAME, VALUE),
        row("internal_module", Module, NAME, MEMBERS),
        row("module", Module, NAME, MEMBERS),
        row("class_static_block", Initializer, &[], BODY),
        row("import_statement", Import, &[], Inside::Nothing),
    ],
    transparent: &[],
    wrappers: &["export_statement", "ambient_declaration"],
    leading: &["decorator"],
    calls: &[
        call("call_expression", "function", "arguments"),
        creation("new_expression", "constructor", "arguments"),
    ],
    accesses: &[access("member_expression", "object", "property")],
    locals: &[
        local("formal_parameters", "", &[]),
        local("required_parameter", "", &["pattern"]),
        local("optional_parameter", "", &["pattern"]),
        local("variable_declarator", "", NAME),
        local("arrow_function", "", &["parameter"]),
        local("for_in_statement", "", &["left"]),
        local("catch_clause", "", &["parameter"]),
    ],
    supers: &["class_heritage", "extends_type_clause"],
    functions: &["arrow_function", "function_expression", "generator_function"],
    made: &[],
    results: &[],
    overloads: false,
    counts_arguments: false,
};

const RUST: Table = Table {
    languages: &["rust"],
    rows: &[
        row("function_item", Function, NAME, BODY),
        row("function_signature_item", Function, NAME, Inside::Nothing),
        row("struct_item", Type, NAME, MEMBERS),
        row("union_item", Type, NAME, MEMBERS),
        row("enum_item", Type, NAME, MEMBERS),
        row("trait_item", Class, NAME, MEMBERS),
        row("impl_item", Implementation, &[], MEMBERS),
        row("mod_item", Module, NAME, MEMBERS),
        row("const_item", Variable, NAME, VALUE),
        row("static_item", Variable, NAME, VALUE),
        row("type_item", Type, NAME, Inside::Nothing),
        row("associated_type", Type, NAME, Inside::Nothing),
        row("field_declaration", Variable, NAME, Inside::Nothing),
        row("enum_variant", EnumConstant, NAME, VALUE),
        row("macro_definition", Macro, NAME, Inside::Nothing),
        row("use_declaration", Import, &[], Inside::Nothing),
        row("extern_crate_declaration", Import, &[], Inside::Nothing),
    ],
    transparent: &["foreign_mod_item", "declaration_list"],
    wrappers: &[],
    leading: &["attribute_item"],
    calls: &[call("call_expression", "function", "arguments")],
    accesses: &[
        access("field_expression", "value", "field"),
        access("scoped_identifier", "path", "name"),
        access("scoped_type_identifier", "path", "name"),
        access("generic_function", "", "function"),
    ],
    locals: &[
        local("parameter", "type", &["pattern"]),
        local("closure_parameters", "", &[]),
        local("let_declaration", "type", &["pattern"]),
        local("for_expression", "", &["pattern"]),
    ],
    supers: &["trait", "bounds"],
    functions: &[],
    made: &[],
    results: &["return_type"],
    overloads: false,
    counts_arguments: false,
};

const GO: Table = Table {
    languages: &["go"],
    rows: &[
        row("function_declaration", Function, NAME, BODY),
        row("method_declaration", Function, NAME, BODY),
        each(
            "type_declaration",
            Type,
            Each::Kind(&["type_spec", "type_alias"]),
            NAME,
            Inside::Members("type"),
        ),
        each("const_declaration", Variable, Each::Kind(&["const_spec"]), NAME, VALUE),
        each("var_declaration", Variable, Each::Kind(&["var_spec"]), NAME, VALUE),
        row("field_declaration", Variable, NAME, Inside::Nothing),
        row("method_elem", Function, NAME, Inside::Nothing),
        each(
            "import_declaration",
            Import,
            Each::Kind(&["import_spec"]),
            &["path"],
            Inside::Nothing,
        ),
    ],
    transparent: &["field_declaration_list"],
    wrappers: &[],
    leading: &[],
    calls: &[call("call_expression", "function", "arguments")],
    accesses: &[
        access("selector_expression", "operand", "field"),
        access("qualified_type", "package", "name"),
    ],
    locals: &[
        local("parameter_declaration", "type", NAME),
        local("short_var_declaration", "", &["left"]),
        local("var_spec", "type", NAME),
        local("range_clause", "", &["left"]),
    ],
    supers: &[],
    functions: &[],
    made: &[],
    results: &["result"],
    overloads: false,
    counts_arguments: false,
};

#[cfg(test)]
mod tests {
    use crate::language::Language;

    use super::*;

    #[test]
    fn every_kind_of_node_in_a_table_is_in_one_of_its_grammars() {
        for table in TABLES {
            let languages: Vec<Language> =
                table.languages.iter().filter_map(|name| Language::by_name(name).ok()).collect();
            let is_known = |node: &str| {
                languages.iter().any(|known| known.kinds().any(|it| known.kind_name(it) == node))
            };
            let rows = table.rows.iter().map(|row| row.node);
            let others = [table.transparent, table.wrappers, table.leading, table.functions];
            let nodes = rows
                .chain(others.into_iter().flatten().copied())
                .chain(table.calls.iter().map(|call| call.node))
                .chain(table.accesses.iter().map(|access| access.node))
                .chain(table.locals.iter().map(|local| local.node));
            for node in nodes {
                assert!(is_known(node), "no grammar of {:?} has `{node}`", table.languages);
            }
        }
    }
}

use heck::{
    ToKebabCase, ToLowerCamelCase, ToShoutyKebabCase, ToShoutySnakeCase, ToSnakeCase, ToTitleCase,
    ToUpperCamelCase,
};

fn main() {
    assert_eq!("CamelCase".to_snake_case(), "camel_case");
    assert_eq!("XMLHttpRequest".to_snake_case(), "xml_http_request");
    assert_eq!("aB-c d".to_kebab_case(), "a-b-c-d");
    assert_eq!("some_words here".to_upper_camel_case(), "SomeWordsHere");
    assert_eq!("some_words HERE".to_lower_camel_case(), "someWordsHere");
    assert_eq!("FOO_bar2Baz".to_title_case(), "Foo Bar2 Baz");
    assert_eq!("one two".to_shouty_snake_case(), "ONE_TWO");
    assert_eq!("one two".to_shouty_kebab_case(), "ONE-TWO");
    assert_eq!("ABC123DEF456".to_snake_case(), "abc123def456");
    assert_eq!("__a__B__".to_snake_case(), "a_b");
    assert_eq!("aaa|bbb,ccc".to_kebab_case(), "aaa-bbb-ccc");
}

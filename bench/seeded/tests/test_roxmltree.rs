use roxmltree::{Document, NodeType, ParsingOptions};

const TEXT: &str = "<?xml version='1.0'?>
<!-- note -->
<shop xmlns='urn:a' xmlns:b='urn:b' name='T&amp;T &#65;'>
  <item id='1' b:price='3'>tea<![CDATA[ <b> ]]></item>
  <b:item id='2'/>
  <?php echo?>
</shop>";

fn error(text: &str) -> String {
    Document::parse(text).unwrap_err().to_string()
}

fn main() {
    let document = Document::parse(TEXT).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "shop");
    assert_eq!(root.tag_name().namespace(), Some("urn:a"));
    assert_eq!(root.attribute("name"), Some("T&T A"));
    let items: Vec<_> = root.children().filter(|node| node.is_element()).collect();
    assert_eq!(items.len(), 2);
    assert_eq!(items[0].text(), Some("tea <b> "));
    assert_eq!(items[0].attribute(("urn:b", "price")), Some("3"));
    assert_eq!(items[0].attribute("price"), None);
    assert!(items[1].has_tag_name(("urn:b", "item")));
    assert_eq!(items[1].lookup_prefix("urn:b"), Some("b"));
    assert_eq!(items[0].next_sibling_element(), Some(items[1]));
    assert_eq!(items[1].prev_sibling_element(), Some(items[0]));
    assert_eq!(items[1].parent_element(), Some(root));
    assert_eq!(document.text_pos_at(items[0].range().start).to_string(), "4:3");
    assert_eq!(root.descendants().filter(|node| node.is_pi()).count(), 1);
    assert_eq!(document.root().first_child().unwrap().node_type(), NodeType::Comment);
    assert_eq!(root.ancestors().count(), 2);
    assert_eq!(root.namespaces().len(), 2);
    assert_eq!(items[0].attributes().map(|it| it.value()).collect::<String>(), "13");
    assert_eq!(items[0].default_namespace(), Some("urn:a"));
    assert_eq!(root.last_element_child().unwrap().attribute("id"), Some("2"));
    assert_eq!(error("<a><b></a>"), "expected 'b' tag, not 'a' at 1:7");
    assert_eq!(error("<a x='1' x='2'/>"), "attribute 'x' at 1:10 is already defined");
    assert_eq!(error(""), "the document does not have a root node");
    assert!(error("<a>&x;</a>").starts_with("unknown entity reference 'x'"));
    assert!(error("<!DOCTYPE a><a/>").contains("DTD"));
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let text = "<!DOCTYPE a [<!ENTITY x 'y<b/>z'>]><a>1&x;2</a>";
    let document = Document::parse_with_options(text, options).unwrap();
    assert_eq!(document.root_element().children().count(), 3);
    assert_eq!(document.root_element().text(), Some("1y"));
    let windows = Document::parse("<a b='x\r\ny'>p\r\nq\rr</a>").unwrap();
    assert_eq!(windows.root_element().text(), Some("p\nq\nr"));
    assert_eq!(windows.root_element().attribute("b"), Some("x y"));
}

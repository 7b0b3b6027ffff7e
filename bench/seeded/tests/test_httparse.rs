use httparse::{EMPTY_HEADER, Error, Request, Response, Status, parse_chunk_size, parse_headers};

fn request(text: &str) -> Result<Status<usize>, Error> {
    let mut headers = [EMPTY_HEADER; 4];
    Request::new(&mut headers).parse(text.as_bytes())
}

fn response(text: &str) -> Result<Status<usize>, Error> {
    let mut headers = [EMPTY_HEADER; 4];
    Response::new(&mut headers).parse(text.as_bytes())
}

fn main() {
    let text = "GET /a/b?c=d HTTP/1.1\r\nHost: example\r\nAccept:  */* \r\n\r\nbody";
    let mut headers = [EMPTY_HEADER; 4];
    let mut parsed = Request::new(&mut headers);
    assert_eq!(parsed.parse(text.as_bytes()), Ok(Status::Complete(text.len() - 4)));
    assert_eq!((parsed.method, parsed.path), (Some("GET"), Some("/a/b?c=d")));
    assert_eq!(parsed.version, Some(1));
    let fields: Vec<_> = parsed.headers.iter().map(|it| (it.name, it.value)).collect();
    assert_eq!(fields, [("Host", &b"example"[..]), ("Accept", b"*/*")]);
    assert_eq!(request("\r\n\nPOST / HTTP/1.0\n\n"), Ok(Status::Complete(20)));
    assert_eq!(request("GET / HTTP/1.1\r\nHost: a"), Ok(Status::Partial));
    assert_eq!(request("GET"), Ok(Status::Partial));
    assert_eq!(request("GET / HTTP/2.1\r\n\r\n"), Err(Error::Version));
    assert_eq!(request("G\u{1}T / HTTP/1.1\r\n\r\n"), Err(Error::Token));
    assert_eq!(request("GET / HTTP/1.1\r\nA b: c\r\n\r\n"), Err(Error::HeaderName));
    assert_eq!(request("GET / HTTP/1.1\r\nA: b\u{0}c\r\n\r\n"), Err(Error::HeaderValue));
    assert_eq!(request("GET / HTTP/1.1\r\nA: b\rc\r\n\r\n"), Err(Error::HeaderValue));
    assert_eq!(request("GET / HTTP/1.1\rX\n\n"), Err(Error::NewLine));
    let many = "GET / HTTP/1.1\r\na: 1\r\nb: 2\r\nc: 3\r\nd: 4\r\ne: 5\r\n\r\n";
    assert_eq!(request(many), Err(Error::TooManyHeaders));
    let mut headers = [EMPTY_HEADER; 4];
    let mut parsed = Response::new(&mut headers);
    let text = b"HTTP/1.1 404 Not Found\r\nServer: a, b\r\nEmpty:\r\n\r\n";
    assert_eq!(parsed.parse(text), Ok(Status::Complete(text.len())));
    assert_eq!((parsed.code, parsed.reason), (Some(404), Some("Not Found")));
    assert_eq!(parsed.headers[1].value, b"");
    assert_eq!(response("HTTP/1.0 200\r\n\r\n"), Ok(Status::Complete(16)));
    assert_eq!(response("HTTP/1.1 20x OK\r\n\r\n"), Err(Error::Status));
    assert_eq!(response("HTTP/1.1 200 O\u{1}\r\n\r\n"), Err(Error::Status));
    assert_eq!(response("HTTP/1.1 200 OK\r\nA"), Ok(Status::Partial));
    let mut headers = [EMPTY_HEADER; 2];
    let (length, found) = parse_headers(b"A: b\r\n\r\n", &mut headers).unwrap().unwrap();
    assert_eq!((length, found.len(), found[0].name), (8, 1, "A"));
    assert_eq!(parse_chunk_size(b"4a; x=y\r\nrest"), Ok(Status::Complete((9, 74))));
    assert_eq!(parse_chunk_size(b"4"), Ok(Status::Partial));
    assert!(parse_chunk_size(b"g\r\n").is_err());
    let long = format!("GET /{} HTTP/1.1\r\nx-{}: {}\r\n\r\n", "p".repeat(90), "n".repeat(70), "v".repeat(130));
    assert_eq!(request(&long), Ok(Status::Complete(long.len())));
}

//! Small files of binary formats.

/// A tree of named chunks.
#[derive(Clone, Debug)]
pub(crate) enum Chunk {
    Data(&'static [u8; 4], Vec<u8>),
    List(Vec<Chunk>),
}

pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
pub(crate) const WASM: &[u8] = b"\0asm\x01\0\0\0";

/// Returns how files begin, and nothing.
pub(crate) fn magics() -> Vec<Vec<u8>> {
    let wav = b"RIFF\x30\0\0\0WAVE".to_vec();
    let mp4 = b"\0\0\0\x08ftyp".to_vec();
    vec![vec![], PNG.to_vec(), wav, mp4, WASM.to_vec(), b"PK\x03\x04".to_vec()]
}

pub(crate) fn png(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = PNG.to_vec();
    for (name, data) in chunks {
        file.extend((data.len() as u32).to_be_bytes());
        let named = [&name[..], data].concat();
        file.extend(&named);
        file.extend(crc32fast::hash(&named).to_be_bytes());
    }
    file
}

/// Returns a file of chunks as in WAV; lists are few levels deep here.
pub(crate) fn riff(chunks: &[Chunk]) -> Vec<u8> {
    riff_list(b"RIFF", chunks)
}

fn riff_list(name: &[u8; 4], chunks: &[Chunk]) -> Vec<u8> {
    let mut content = b"WAVE".to_vec();
    for chunk in chunks {
        content.extend(match chunk {
            Chunk::Data(name, data) => riff_chunk(name, data),
            Chunk::List(chunks) => riff_list(b"LIST", chunks),
        });
    }
    riff_chunk(name, &content)
}

fn riff_chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u32).to_le_bytes();
    let pad = vec![0; data.len() % 2];
    [&name[..], &length, data, &pad].concat()
}

/// Returns a file of boxes; every second list has its length in eight bytes.
pub(crate) fn mp4(boxes: &[Chunk]) -> Vec<u8> {
    let mut file = iso_box(b"ftyp", b"isom");
    for (number, chunk) in boxes.iter().enumerate() {
        file.extend(match chunk {
            Chunk::Data(name, data) => iso_box(name, data),
            Chunk::List(chunks) => {
                let content = mp4(chunks);
                let length = (content.len() as u64 + 16).to_be_bytes();
                match number % 2 {
                    0 => iso_box(b"moov", &content),
                    _ => [b"\0\0\0\x01moov", &length[..], &content].concat(),
                }
            }
        });
    }
    file
}

fn iso_box(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u32 + 8).to_be_bytes();
    [&length, &name[..], data].concat()
}

/// Returns a module with one type, functions with these bodies, and custom sections.
pub(crate) fn wasm(bodies: &[Vec<u8>], custom: &[Vec<u8>]) -> Vec<u8> {
    let mut file = WASM.to_vec();
    file.extend(section(1, b"\x01\x60\x02\x7f\x7f\x01\x7f"));
    let count = leb128(bodies.len());
    file.extend(section(3, &[count.clone(), vec![0; bodies.len()]].concat()));
    file.extend(section(7, b"\x01\x01f\x00\x00"));
    let sized = bodies.iter().map(|body| [leb128(body.len()), body.clone()].concat());
    file.extend(section(10, &[count, sized.collect::<Vec<_>>().concat()].concat()));
    custom.iter().for_each(|custom| file.extend(section(0, custom)));
    file
}

fn section(kind: u8, content: &[u8]) -> Vec<u8> {
    [&[kind], &leb128(content.len())[..], content].concat()
}

pub(crate) fn leb128(mut value: usize) -> Vec<u8> {
    let mut written = Vec::new();
    while value >= 0x80 {
        written.push(value as u8 | 0x80);
        value >>= 7;
    }
    written.push(value as u8);
    written
}

/// Returns an archive of files that are not compressed.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in files {
        let size = (data.len() as u32).to_le_bytes();
        let sum = crc32fast::hash(data).to_le_bytes();
        let name_size = (name.len() as u16).to_le_bytes();
        let shared = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0], &sum[..], &size, &size, &name_size];
        let shared = [&shared.concat()[..], &[0, 0]].concat();
        directory.extend([b"PK\x01\x02\x14\0", &shared[..], &[0; 10]].concat());
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        file.extend([b"PK\x03\x04", &shared[..], name.as_bytes(), data].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let size = (directory.len() as u32).to_le_bytes();
    let offset = (file.len() as u32).to_le_bytes();
    let end = [b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &offset, b"\x03\0end"].concat();
    [file, directory, end].concat()
}

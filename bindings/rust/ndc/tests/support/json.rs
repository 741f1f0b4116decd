//! Enough of a reader of JSON for the cases that all languages run, without a crate that would have to be fetched.
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Panics where the text is no JSON, or has a name twice in one object.
    pub fn parse(text: &str) -> Json {
        let mut parser = Parser { bytes: text.as_bytes(), at: 0 };
        let value = parser.value();
        parser.blanks();
        assert_eq!(parser.at, parser.bytes.len(), "JSON goes on behind its end");
        value
    }

    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            other => panic!("no text: {:?}", other),
        }
    }

    pub fn number(&self) -> f64 {
        match self {
            Json::Number(number) => *number,
            other => panic!("no number: {:?}", other),
        }
    }

    pub fn list(&self) -> &[Json] {
        match self {
            Json::List(list) => list,
            other => panic!("no list: {:?}", other),
        }
    }

    pub fn object(&self) -> &BTreeMap<String, Json> {
        match self {
            Json::Object(members) => members,
            other => panic!("no object: {:?}", other),
        }
    }

    pub fn texts(&self) -> Vec<&str> {
        self.list().iter().map(Json::text).collect()
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        while self.bytes.get(self.at).map_or(false, u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn take(&mut self, byte: u8) {
        let found = self.next();
        assert_eq!(found, byte, "JSON at byte {}", self.at);
    }

    fn word(&mut self, word: &str, value: Json) -> Json {
        word.bytes().for_each(|byte| self.take(byte));
        value
    }

    fn value(&mut self) -> Json {
        self.blanks();
        match self.bytes[self.at] {
            b'n' => self.word("null", Json::Null),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'"' => Json::Text(self.string()),
            b'[' => {
                let mut list = Vec::new();
                self.items(b']', |parser| list.push(parser.value()));
                Json::List(list)
            }
            b'{' => {
                let mut members = BTreeMap::new();
                self.items(b'}', |parser| {
                    let key = parser.string();
                    parser.blanks();
                    parser.take(b':');
                    let value = parser.value();
                    assert!(members.insert(key, value).is_none(), "a name twice before byte {}", parser.at);
                });
                Json::Object(members)
            }
            _ => {
                let begin = self.at;
                let of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                while self.bytes.get(self.at).map_or(false, of_number) {
                    self.at += 1;
                }
                let digits = std::str::from_utf8(&self.bytes[begin..self.at]).unwrap();
                Json::Number(digits.parse().unwrap_or_else(|_| panic!("no number at byte {}: {:?}", begin, digits)))
            }
        }
    }

    fn items(&mut self, end: u8, mut item: impl FnMut(&mut Self)) {
        self.at += 1;
        self.blanks();
        if self.bytes[self.at] == end {
            self.at += 1;
            return;
        }
        loop {
            self.blanks();
            item(self);
            self.blanks();
            match self.next() {
                b',' => (),
                other => {
                    assert_eq!(other, end, "JSON at byte {}", self.at);
                    return;
                }
            }
        }
    }

    fn string(&mut self) -> String {
        self.take(b'"');
        let mut out = Vec::new();
        loop {
            match self.next() {
                b'"' => return String::from_utf8(out).unwrap(),
                b'\\' => {
                    let escaped = match self.next() {
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'u' => self.escape(),
                        other => other as char,
                    };
                    out.extend(escaped.to_string().bytes());
                }
                other => out.push(other),
            }
        }
    }

    fn escape(&mut self) -> char {
        let unit = self.four_digits();
        if !(0xd800..0xdc00).contains(&unit) {
            return char::from_u32(unit).expect("half of a character");
        }
        self.take(b'\\');
        self.take(b'u');
        let low = self.four_digits();
        char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).expect("half of a character")
    }

    fn four_digits(&mut self) -> u32 {
        (0..4).fold(0, |value, _| value * 16 + (self.next() as char).to_digit(16).expect("a hexadecimal digit"))
    }
}

/// The bytes of standard base64 with padding.
pub fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = ALPHABET.iter().position(|of| *of == byte).expect("base64");
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

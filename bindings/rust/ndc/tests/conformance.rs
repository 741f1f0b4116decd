//! The cases of tests/conformance/cases.json, which every language runs; case_runner.hpp describes the format. The file
//! is that of the repository; a part of the cases is run by NDC_CASE, a part of their names.
#[path = "support/json.rs"]
mod json;

use json::{base64, Json};
use ndc::{CheckResult, Engine, Error, EventKind, Features, Options, Page, Reader, Signature, SiteModel};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

type Faults = Rc<RefCell<Vec<String>>>;

/// An object of a case; what nobody has asked for is a fault.
struct Record<'a> {
    members: &'a BTreeMap<String, Json>,
    place: String,
    read: RefCell<BTreeSet<String>>,
    faults: Faults,
}

impl<'a> Record<'a> {
    fn new(json: &'a Json, place: String, faults: &Faults) -> Self {
        Record { members: json.object(), place, read: RefCell::default(), faults: Rc::clone(faults) }
    }

    fn find(&self, key: &str) -> Option<&'a Json> {
        self.read.borrow_mut().insert(key.to_owned());
        self.members.get(key)
    }

    fn at(&self, key: &str) -> &'a Json {
        self.find(key).unwrap_or_else(|| panic!("{}: no {}", self.place, key))
    }

    fn fail(&self, sentence: String) {
        self.faults.borrow_mut().push(format!("{}: {}", self.place, sentence));
    }

    fn compare(&self, key: &str, actual: impl Into<Json>) {
        let actual = actual.into();
        if let Some(wanted) = self.find(key).filter(|wanted| **wanted != actual) {
            self.fail(format!("{} is {:?}, not {:?}", key, actual, wanted));
        }
    }

    fn compare_set<'b>(&self, key: &str, actual: impl Iterator<Item = &'b str>) {
        let actual: BTreeSet<_> = actual.collect();
        if let Some(wanted) = self.find(key) {
            if wanted.texts().into_iter().collect::<BTreeSet<_>>() != actual {
                self.fail(format!("{} are {:?}, not {:?}", key, actual, wanted));
            }
        }
    }

    fn compare_range(&self, key: &str, actual: f64) {
        if let Some(range) = self.find(key) {
            let (low, high) = (range.list()[0].number(), range.list()[1].number());
            if !(low <= actual && actual <= high) {
                self.fail(format!("{} is {}, not {} to {}", key, actual, low, high));
            }
        }
    }

    fn compare_hashes(&self, key: &str, actual: &[u64]) {
        let words = actual.iter().map(|number| Json::Text(format!("{:016x}", number)));
        self.compare(key, Json::List(words.collect()));
    }

    /// A name that stands for an id; null for none.
    fn compare_id(&self, key: &str, ids: &BTreeMap<String, u64>, actual: Option<u64>) {
        if let Some(name) = self.find(key) {
            let wanted = if *name == Json::Null { Some(None) } else { ids.get(name.text()).map(|id| Some(*id)) };
            if wanted != Some(actual) {
                self.fail(format!("{} is {:?}, not {:?} of {:?}", key, actual, name, ids));
            }
        }
    }

    fn finish(&self) {
        for key in self.members.keys().filter(|key| !self.read.borrow().contains(*key)) {
            self.fail(format!("\"{}\" is not known here", key));
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Json {
        Json::Number(value as f64)
    }
}

impl From<SystemTime> for Json {
    fn from(time: SystemTime) -> Json {
        Json::Number(time.duration_since(UNIX_EPOCH).unwrap().as_millis() as f64)
    }
}

fn name_of(error: &Error) -> &'static str {
    match error {
        Error::InvalidArgument(_) => "INVALID_ARGUMENT",
        Error::NoMemory(_) => "NO_MEMORY",
        Error::Io(_) => "IO",
        Error::Corrupt(_) => "CORRUPT",
        Error::UnsupportedVersion(_) => "UNSUPPORTED_VERSION",
        Error::Locked(_) => "LOCKED",
        Error::ReadOnly(_) => "READ_ONLY",
        Error::NotFound(_) => "NOT_FOUND",
        Error::Limit(_) => "LIMIT",
        _ => "INTERNAL",
    }
}

struct CasePage {
    url: String,
    body: Vec<u8>,
    content_type: String,
    truncated: bool,
    fetched_at: SystemTime,
}

impl CasePage {
    fn read(record: &Record) -> Self {
        let mut bodies = Vec::new();
        if let Some(body) = record.find("body") {
            bodies.push(body.text().as_bytes().to_vec());
        }
        if let Some(body) = record.find("body_base64") {
            bodies.push(base64(body.text()));
        }
        if let Some(body) = record.find("body_repeat") {
            let repeat = Record::new(body, record.place.clone() + " body_repeat", &record.faults);
            let part = |key| repeat.find(key).map_or("", Json::text);
            let text = repeat.at("text").text().repeat(repeat.at("count").number() as usize);
            bodies.push((part("before").to_owned() + &text + part("after")).into_bytes());
            repeat.finish();
        }
        assert_eq!(bodies.len(), 1, "{} has not one body", record.place);
        let milliseconds = record.find("fetched_at_ms").map_or(1_700_000_000_000.0, Json::number);
        let page = CasePage {
            url: record.at("url").text().to_owned(),
            body: bodies.remove(0),
            content_type: record.find("content_type").map_or("", Json::text).to_owned(),
            truncated: record.find("truncated") == Some(&Json::Bool(true)),
            fetched_at: UNIX_EPOCH + Duration::from_millis(milliseconds as u64),
        };
        record.finish();
        page
    }

    fn page(&self) -> Page<'_> {
        let page = Page::new(&self.url, &self.body).content_type(&self.content_type);
        page.truncated(self.truncated).fetched_at(self.fetched_at)
    }
}

/// One case and what its steps have found.
struct Run {
    engine: Engine,
    reader: Result<Reader, Error>,
    options: Options,
    pages: BTreeMap<String, CasePage>,
    used: BTreeSet<String>,
    checked: BTreeMap<String, u64>,
    founded: BTreeMap<String, u64>,
}

impl Run {
    fn page(&mut self, step: &Record, key: &str) -> String {
        let name = step.at(key).text().to_owned();
        assert!(self.pages.contains_key(&name), "no page {}", name);
        self.used.insert(name.clone());
        name
    }

    /// None if it failed; whether it was to fail is compared here.
    fn answer<T>(&self, expect: &Record, answer: Result<T, Error>) -> Option<T> {
        if let Err(failure) = &answer {
            if failure.message().is_empty() {
                expect.fail("an error without a sentence".to_owned());
            }
        }
        match (answer, expect.find("error").map(Json::text)) {
            (Ok(value), None) => return Some(value),
            (Ok(_), Some(wanted)) => expect.fail(format!("no error, not {}", wanted)),
            (Err(failure), wanted) if wanted == Some(name_of(&failure)) => (),
            (Err(failure), wanted) => expect.fail(format!("{:?}, not {:?}", failure, wanted)),
        }
        None
    }

    fn compare_ratios(&self, expect: &Record, result: &CheckResult) {
        expect.compare("verdict", result.verdict.as_str().replace('-', "_").as_str());
        expect.compare_set("flags", result.flags.words());
        expect.compare_range("resemblance", result.resemblance);
        expect.compare_range("containment", result.containment);
        expect.compare_range("page_coverage", result.page_coverage);
        expect.compare_range("matched_coverage", result.matched_coverage);
        expect.compare_range("probability", result.probability);
    }

    fn decided(&mut self, name: &str, expect: &Record, remember: bool, answer: Result<CheckResult, Error>) {
        let result = match self.answer(expect, answer) {
            Some(result) => result,
            None => return,
        };
        self.compare_ratios(expect, &result);
        expect.compare("page_id", result.page_id.unwrap_or(0));
        expect.compare("group_id", result.group_id.unwrap_or(0));
        expect.compare_id("matched", &self.checked, result.matched_page_id);
        if remember {
            let id = result.page_id.expect("a page that was checked has an id");
            self.checked.insert(name.to_owned(), id);
            if result.is_founder() {
                self.founded.insert(name.to_owned(), id);
            }
        }
        expect.compare_id("group", &self.founded, result.group_id);
        expect.compare_id("related", &self.founded, result.related_group_id);
    }

    fn reader(&self) -> Result<&Reader, Error> {
        self.reader.as_ref().map_err(Error::clone)
    }

    fn features(&self, name: &str) -> Result<Features, Error> {
        self.reader()?.features(&self.pages[name].page())
    }

    fn signature(&self, name: &str) -> Result<Signature, Error> {
        self.reader()?.signature(&self.pages[name].page())
    }

    /// The features with what their site knows, if the step names the pages that it has learned.
    fn with_site(&mut self, step: &Record, features: Features) -> Result<Features, Error> {
        let learned = match step.find("site_pages") {
            Some(pages) => pages.texts(),
            None => return Ok(features),
        };
        let mut site = SiteModel::new()?;
        for name in learned {
            self.used.insert(name.to_owned());
            site.learn(&self.features(name)?)?;
        }
        features.with_site(&site)
    }

    fn features_of_step(&mut self, step: &Record) -> Result<(Features, Vec<u64>, Vec<u64>), Error> {
        let features = match step.find("bytes_base64") {
            Some(bytes) => Features::from_bytes(base64(bytes.text())),
            None => {
                let name = self.page(step, "page");
                self.features(&name)?
            }
        };
        let features = self.with_site(step, features)?;
        let mut bytes = features.as_bytes().to_vec();
        let cut = step.find("cut_bytes").map_or(0, |count| count.number() as usize);
        bytes.truncate(bytes.len().saturating_sub(cut));
        if let Some(offset) = step.find("flip_byte") {
            bytes[offset.number() as usize] ^= 1;
        }
        let features = Features::from_bytes(bytes);
        let (keys, parts) = (features.keys()?, features.parts()?);
        Ok((features, keys, parts))
    }

    fn step(&mut self, step: &Record, expect: &Record) {
        match step.at("call").text() {
            "check" => {
                let name = self.page(step, "page");
                let answer = self.engine.check(&self.pages[&name].page());
                self.decided(&name, expect, true, answer);
            }
            "query" => {
                let name = self.page(step, "page");
                let answer = self.engine.query(&self.pages[&name].page());
                self.decided(&name, expect, false, answer);
            }
            "check_features" => {
                let name = self.page(step, "page");
                let answer = self.features(&name).and_then(|features| self.engine.check_features(&features));
                self.decided(&name, expect, true, answer);
            }
            "check_with_text" => {
                let name = self.page(step, "page");
                let answer = self.engine.check_with_text(&self.pages[&name].page());
                let answer = answer.map(|(result, text)| {
                    expect.compare("own_text", text.as_str());
                    result
                });
                self.decided(&name, expect, true, answer);
            }
            "own_text" => {
                let name = self.page(step, "page");
                if let Some(text) = self.answer(expect, self.engine.own_text(&self.pages[&name].page())) {
                    expect.compare("own_text", text.as_str());
                }
            }
            "open" => {
                self.answer(expect, Engine::in_memory(&options_of(Some(step.at("options")))));
            }
            "remove" => {
                if let Some(found) = self.answer(expect, self.engine.remove(step.at("url").text())) {
                    expect.compare("found", found);
                }
            }
            "find" => {
                if let Some(info) = self.answer(expect, self.engine.find(step.at("url").text())) {
                    expect.compare("found", info.is_some());
                    if let Some(info) = info {
                        expect.compare("verdict", info.verdict.as_str().replace('-', "_").as_str());
                        expect.compare_set("flags", info.flags.words());
                        expect.compare("page_id", info.page_id);
                        expect.compare("text_width", info.text_width);
                        expect.compare("first_fetched_at_ms", info.first_fetched_at);
                        expect.compare("last_fetched_at_ms", info.last_fetched_at);
                        expect.compare_id("group", &self.founded, Some(info.group_id));
                    }
                }
            }
            "members" => {
                let group = self.founded[step.at("group").text()];
                if let Some(members) = self.answer(expect, self.engine.members(group)) {
                    let found: Vec<u64> = members.map(|page| page.page_id).collect();
                    let wanted = expect.find("pages").map(Json::texts).unwrap_or_default();
                    if found != wanted.iter().map(|name| self.checked[*name]).collect::<Vec<_>>() {
                        expect.fail(format!("pages are {:?}, not {:?}", found, wanted));
                    }
                }
            }
            "events" => {
                if let Some(events) = self.answer(expect, self.engine.events(0)) {
                    let wanted = expect.at("events").list();
                    if events.len() != wanted.len() {
                        expect.fail(format!("{:?} are not {:?}", events, wanted));
                    }
                    for (number, (event, members)) in events.zip(wanted).enumerate() {
                        let record = Record::new(members, format!("event {}", number + 1), &expect.faults);
                        let kind = match event.kind {
                            EventKind::Regrouped => "regrouped",
                            EventKind::Removed => "removed",
                            EventKind::Reelected => "reelected",
                            EventKind::Limit => "limit",
                            _ => "unknown",
                        };
                        record.compare("kind", kind);
                        record.compare_id("page", &self.checked, event.page_id);
                        record.compare_id("old_group", &self.founded, event.old_group_id);
                        record.compare_id("new_group", &self.founded, event.new_group_id);
                        record.finish();
                    }
                }
            }
            "explain" => {
                let (a, b) = (self.checked[step.at("a").text()], self.checked[step.at("b").text()]);
                if let Some(report) = self.answer(expect, self.engine.explain(a, b)) {
                    let report = Json::parse(&report);
                    for key in ["verdict", "rule"] {
                        expect.compare(key, report.object()[key].clone());
                    }
                    for key in ["resemblance", "containment", "page_coverage", "matched_coverage", "probability"] {
                        expect.compare_range(key, report.object()[key].number());
                    }
                }
            }
            "stats" => {
                for (name, value) in self.answer(expect, self.engine.stats()).expect("counts").fields() {
                    expect.compare(name, value);
                }
            }
            "features" => {
                let found = self.features_of_step(step);
                if let Some((_, keys, parts)) = self.answer(expect, found) {
                    expect.compare_hashes("keys", &keys);
                    expect.compare_hashes("parts", &parts);
                    expect.compare("key_count", keys.len() as u64);
                    expect.compare("part_count", parts.len() as u64);
                }
            }
            "decide" => {
                let (a, b) = (self.page(step, "a"), self.page(step, "b"));
                // The options are those of the decision, which a reader would refuse.
                let defaults = Reader::new(&Options::new()).unwrap();
                let mut with_site = |name: &str| {
                    let features = defaults.features(&self.pages[name].page())?;
                    self.with_site(step, features)
                };
                let pair = with_site(&a).and_then(|a| Ok((a, with_site(&b)?)));
                let decided = pair.and_then(|(a, b)| a.decide(&b, &self.options));
                if let Some(result) = self.answer(expect, decided) {
                    self.compare_ratios(expect, &result);
                    if (result.page_id, result.group_id, result.matched_page_id) != (None, None, None) {
                        expect.fail("a comparison without an engine has ids".to_owned());
                    }
                }
            }
            "signature" => {
                let name = self.page(step, "page");
                let found = self.signature(&name).and_then(|signature| Ok((signature.keys()?, signature)));
                if let Some((keys, signature)) = self.answer(expect, found) {
                    let hex: String = signature.as_bytes().iter().map(|byte| format!("{:02x}", byte)).collect();
                    expect.compare("hex", hex.as_str());
                    expect.compare_hashes("keys", &keys);
                    expect.compare_range("size", signature.as_bytes().len() as f64);
                    expect.compare_range("key_count", keys.len() as f64);
                }
            }
            "signature_compare" => {
                let (a, b) = (self.page(step, "a"), self.page(step, "b"));
                let pair = self.signature(&a).and_then(|a| Ok((a, self.signature(&b)?)));
                if let Some(similarity) = self.answer(expect, pair.and_then(|(a, b)| a.similarity(&b))) {
                    expect.compare_range("similarity", similarity);
                }
            }
            other => panic!("no call {}", other),
        }
    }
}

fn options_of(json: Option<&Json>) -> Options {
    let mut options = Options::new();
    if let Some(json) = json {
        for (key, value) in json.object() {
            options = options.set(key, value.text());
        }
    }
    options
}

/// What was not as the case says.
fn faults_of(case: &Json) -> Vec<String> {
    let faults = Faults::default();
    let record = Record::new(case, "case".to_owned(), &faults);
    record.at("name");
    assert!(!record.at("why").text().is_empty());
    let options = options_of(record.find("options"));
    let mut pages = BTreeMap::new();
    for (name, page) in record.find("pages").into_iter().flat_map(Json::object) {
        pages.insert(name.clone(), CasePage::read(&Record::new(page, format!("page {}", name), &faults)));
    }
    let steps = record.at("steps").list();
    assert!(!steps.is_empty());
    record.finish();
    let mut run = Run {
        engine: Engine::in_memory(&options).unwrap(),
        reader: Reader::new(&options),
        options,
        pages,
        used: BTreeSet::new(),
        checked: BTreeMap::new(),
        founded: BTreeMap::new(),
    };
    for (number, members) in steps.iter().enumerate() {
        let step = Record::new(members, format!("step {}", number + 1), &faults);
        let place = format!("step {} ({})", number + 1, step.at("call").text());
        let expect = Record::new(step.at("expect"), place, &faults);
        run.step(&step, &expect);
        step.finish();
        expect.finish();
    }
    for name in run.pages.keys().filter(|name| !run.used.contains(*name)) {
        record.fail(format!("page {} is in no step", name));
    }
    let found = faults.borrow().clone();
    found
}

fn cases() -> Vec<Json> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/conformance/cases.json");
    let file = Json::parse(&std::fs::read_to_string(path).unwrap());
    assert_eq!(file.object()["format"], Json::Number(1.0));
    file.object()["cases"].list().to_vec()
}

#[test]
fn every_case_holds() {
    let part = std::env::var("NDC_CASE").unwrap_or_default();
    let mut count = 0;
    for case in cases().iter().filter(|case| case.object()["name"].text().contains(&part)) {
        let faults = faults_of(case);
        assert!(faults.is_empty(), "{}: {:#?}", case.object()["name"].text(), faults);
        count += 1;
    }
    assert!(count >= 60 || !part.is_empty() && count > 0, "{} cases", count);
}

/// A runner that compares nothing would find all cases true.
#[test]
fn a_case_that_is_changed_fails() {
    let all = cases();
    let find = |name: &str| all.iter().find(|case| case.object()["name"].text() == name).unwrap();
    let mut case = find("a-new-page-founds-a-group").clone();
    let first_expect = |case: &mut Json, key: &str, value: Json| {
        if let Json::Object(case) = case {
            if let Some(Json::List(steps)) = case.get_mut("steps") {
                if let Json::Object(step) = &mut steps[0] {
                    if let Some(Json::Object(expect)) = step.get_mut("expect") {
                        expect.insert(key.to_owned(), value);
                    }
                }
            }
        }
    };
    for (key, value) in [
        ("verdict", Json::Text("near".to_owned())),
        ("page_id", Json::Number(2.0)),
        ("flags", Json::List(vec![Json::Text("limit".to_owned())])),
        ("resemblance", Json::List(vec![Json::Number(0.5), Json::Number(1.0)])),
        ("error", Json::Text("LIMIT".to_owned())),
        ("nobody_knows_this", Json::Null),
    ] {
        let mut changed = case.clone();
        first_expect(&mut changed, key, value);
        assert!(!faults_of(&changed).is_empty(), "{}", key);
    }
    first_expect(&mut case, "verdict", Json::Text("new".to_owned()));
    assert!(faults_of(&case).is_empty());
}

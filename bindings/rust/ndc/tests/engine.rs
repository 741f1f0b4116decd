//! Every method of the engine and of what works without one, on a few pages whose answers are known.
mod support;

use ndc::options::{Decide, Detector, Durability};
use ndc::{verify, Signature, Verdict};
use ndc::{Engine, Error, EventKind, Features, Flags, Keep, Level, Options, Page, Reader, RemovalFilter, SiteModel};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};
use support::{text, Folder, STORY};

fn memory() -> Engine {
    Engine::in_memory(&Options::new()).unwrap()
}

/// With three pages: two of one group, one of another.
fn three() -> Engine {
    let engine = memory();
    let near = STORY.to_owned() + "<p>A vote is expected at the end of the month.</p>";
    for (url, body) in [("http://a.example/", STORY), ("http://b.example/longer", &near)] {
        engine.check(&Page::new(url, body)).unwrap();
    }
    engine.check(&Page::new("http://c.example/", &text(3, 200)).content_type("text/plain")).unwrap();
    engine
}

#[test]
fn a_page_is_new_then_unchanged_and_a_copy_is_exact_or_near() {
    let engine = memory();
    let page = Page::new("http://a.example/", STORY).content_type("text/html");
    let first = engine.check(&page).unwrap();
    assert_eq!((first.verdict, first.page_id, first.group_id), (Verdict::New, Some(1), Some(1)));
    assert!(first.is_founder() && !first.is_duplicate() && first.matched_page_id.is_none());
    let again = engine.check(&page).unwrap();
    assert_eq!((again.verdict, again.flags.contains(Flags::RECRAWL)), (Verdict::Unchanged, true));
    let copy = engine.check(&Page::new("http://b.example/", STORY)).unwrap();
    assert_eq!((copy.verdict, copy.matched_page_id, copy.resemblance), (Verdict::Exact, Some(1), 1.0));
    assert!(copy.is_duplicate() && copy.is_copy() && !copy.is_founder());
    let near = STORY.to_owned() + "<p>A vote is expected at the end of the month.</p>";
    let near = engine.check(&Page::new("http://c.example/", &near)).unwrap();
    assert_eq!((near.verdict, near.group_id), (Verdict::Near, Some(1)));
    assert!(near.resemblance > 0.5 && near.resemblance < 1.0 && near.probability > 0.5);
    assert_eq!(engine.check(&Page::new("http://d.example/", "")).unwrap().verdict, Verdict::NoText);
}

#[test]
fn a_query_changes_nothing() {
    let engine = memory();
    let page = Page::new("http://a.example/", STORY);
    let asked = engine.query(&page).unwrap();
    assert_eq!((asked.verdict, asked.page_id, asked.group_id), (Verdict::New, None, None));
    assert_eq!(engine.find("http://a.example/").unwrap(), None);
    assert_eq!(engine.stats().unwrap().queries, 1);
}

#[test]
fn what_is_known_of_pages_groups_and_events() {
    let engine = three();
    let groups: Vec<_> = engine.groups().unwrap().map(|group| (group.group_id, group.page_count)).collect();
    assert_eq!(groups, [(1, 2), (3, 1)]);
    let mut seen = 0;
    engine
        .each_group(|group| {
            seen += engine.members(group.group_id).unwrap().len();
            ControlFlow::Break(())
        })
        .unwrap();
    assert_eq!(seen, 2);
    let members: Vec<_> = engine.members(1).unwrap().collect();
    assert_eq!(members[1].url, b"http://b.example/longer");
    assert_eq!(engine.page(2).unwrap().as_ref(), Some(&members[1]));
    assert_eq!(engine.find(&members[1].url).unwrap().as_ref(), Some(&members[1]));
    assert_eq!(engine.kept(1, Keep::Longest).unwrap(), members[1]);
    assert_eq!(engine.kept(1, Keep::First).unwrap().url_text(), "http://a.example/");
    assert_eq!(engine.page(99).unwrap(), None);
    assert!(matches!(engine.members(99), Err(Error::NotFound(_))));
    assert!(matches!(engine.kept(99, Keep::First), Err(Error::NotFound(_))));
    let similar: Vec<_> = engine.similar(1, 10).unwrap().collect();
    assert_eq!((similar.len(), similar[0].page_id), (1, 2));
    let compared = engine.compare(1, 2).unwrap();
    assert_eq!((compared.verdict, compared.page_id, compared.matched_page_id), (Verdict::Near, Some(2), Some(1)));
    assert!(engine.explain(1, 2).unwrap().contains("\"verdict\":\"near\""));

    assert_eq!(engine.events(0).unwrap().len(), 0);
    assert!(engine.remove("http://b.example/longer").unwrap());
    assert!(!engine.remove("http://b.example/longer").unwrap());
    let events: Vec<_> = engine.events(0).unwrap().collect();
    assert_eq!((events.len(), events[0].kind, events[0].page_id), (1, EventKind::Removed, Some(2)));
    assert_eq!(engine.events(events[0].sequence).unwrap().len(), 0);
    assert_eq!(engine.remove_matching(&RemovalFilter::new().url_prefix("http://c.")).unwrap(), 1);
    assert!(matches!(engine.remove_matching(&RemovalFilter::new()), Err(Error::InvalidArgument(_))));
    let stats = engine.stats().unwrap();
    assert_eq!((stats.pages, stats.groups, stats.checks, stats.removed), (1, 1, 3, 2));
    assert!(stats.fields().contains(&("verdict_near", 1)));
    assert!(engine.metrics().unwrap().lines().any(|line| line == "ndc_pages 1"));
}

#[test]
fn long_urls_come_back_whole() {
    let engine = memory();
    let url = "http://a.example/".to_owned() + &"x".repeat(100_000);
    let page = engine.check(&Page::new(&url, STORY)).unwrap().page_id.unwrap();
    assert_eq!(engine.page(page).unwrap().unwrap().url, url.as_bytes());
    for size in [511, 512, 513] {
        let url = "x".repeat(size);
        let page = engine.check(&Page::new(&url, "<p>other")).unwrap();
        assert_eq!(engine.page(page.page_id.unwrap()).unwrap().unwrap().url.len(), size);
    }
}

#[test]
fn times_and_truncation() {
    let engine = memory();
    let time = UNIX_EPOCH + Duration::from_millis(1_700_000_000_123);
    let before = UNIX_EPOCH - Duration::from_millis(5);
    let truncated = engine.check(&Page::new("a", STORY).fetched_at(time).truncated(true)).unwrap();
    assert!(truncated.flags.contains(Flags::TRUNCATED) && !truncated.flags.intersects(Flags::LIMIT));
    assert_eq!(engine.find("a").unwrap().unwrap().first_fetched_at, time);
    let body = text(1, 100);
    let page = Page::new("b", &body);
    assert!(matches!(engine.check(&page.fetched_at(before)), Err(Error::InvalidArgument(_))));
    for early in [before, UNIX_EPOCH, UNIX_EPOCH + Duration::from_micros(999)] {
        let filter = RemovalFilter::new().url_prefix("a").fetched_before(early);
        assert!(matches!(engine.remove_matching(&filter), Err(Error::InvalidArgument(_))));
    }
    assert!(engine.find("a").unwrap().is_some());
    let early = UNIX_EPOCH + Duration::from_millis(1);
    assert_eq!(engine.remove_matching(&RemovalFilter::new().url_prefix("a").fetched_before(early)).unwrap(), 0);
    let before = time - Duration::from_millis(1);
    engine.check(&page.fetched_at(before)).unwrap();
    assert_eq!(engine.find("b").unwrap().unwrap().last_fetched_at, before);
    assert_eq!(engine.remove_matching(&RemovalFilter::new().fetched_before(time)).unwrap(), 1);
    assert_eq!(engine.find("b").unwrap(), None);
}

#[test]
fn own_text_leaves_out_what_the_site_repeats() {
    let mut engine = memory();
    let menu = "<div>All about the harbour, its ships and the people who work there every day of the year</div>";
    let page = |number: u64| format!("{}<p>{}</p>", menu, text(number, 80));
    for number in 0..6 {
        engine.check(&Page::new(&format!("http://a.example/{}", number), &page(number))).unwrap();
    }
    let body = page(7);
    let next = Page::new("http://a.example/7", &body);
    let text = engine.own_text(&next).unwrap();
    assert!(!text.contains("harbour") && text.split_whitespace().count() == 80, "{}", text);
    let (result, same) = engine.check_with_text(&next).unwrap();
    assert_eq!((result.verdict, same), (Verdict::New, text));
    let settled: Vec<_> = engine.settle().unwrap().collect();
    assert_eq!(settled.len(), 7);
    assert_eq!((&settled[6].0[..], settled[6].1.page_id), (&b"http://a.example/7"[..], result.page_id));
}

#[test]
fn a_store_is_kept_has_one_writer_and_readers() {
    let folder = Folder::new();
    let path = folder.path("store");
    let options = Options::new().durability(Durability::Sync);
    let engine = Engine::open(&path, &options).unwrap();
    engine.check(&Page::new("http://a.example/", STORY)).unwrap();
    assert!(matches!(Engine::open(&path, &options), Err(Error::Locked(_))));
    engine.snapshot().unwrap();
    let reader = Engine::open(&path, &Options::new().read_only(true)).unwrap();
    assert!(matches!(reader.check(&Page::new("x", STORY)), Err(Error::ReadOnly(_))));
    assert_eq!(reader.query(&Page::new("x", STORY)).unwrap().verdict, Verdict::Exact);
    engine.check(&Page::new("http://b.example/", STORY)).unwrap();
    engine.compact().unwrap();
    assert_eq!(reader.stats().unwrap().pages, 1);
    reader.refresh().unwrap();
    assert_eq!(reader.stats().unwrap().pages, 2);
    engine.close().unwrap();
    assert_eq!(verify(&path).unwrap(), []);
    let again = Engine::open(&path, &Options::new()).unwrap();
    assert_eq!(again.stats().unwrap().pages, 2);
    drop(again);
    assert!(matches!(Engine::open(&path, &Options::new().decide(Decide::Method)), Err(Error::InvalidArgument(_))));
    assert!(matches!(verify(folder.path("none")), Err(Error::NotFound(_))));
}

#[test]
fn damage_is_found() {
    let folder = Folder::new();
    let path = folder.path("store");
    let engine = Engine::open(&path, &Options::new()).unwrap();
    engine.check(&Page::new("http://a.example/", STORY)).unwrap();
    engine.close().unwrap();
    let largest = std::fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .max_by_key(|path| path.metadata().unwrap().len())
        .unwrap();
    let mut bytes = std::fs::read(&largest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&largest, bytes).unwrap();
    let faults = verify(&path).unwrap();
    assert_eq!(faults[0].file.as_str(), largest.file_name().unwrap().to_str().unwrap());
    assert!(!faults[0].sentence.is_empty());
}

#[test]
fn options_are_checked_where_they_are_used() {
    let options = Options::new().detector(Detector::Simhash64).set("x_trustable", "off");
    assert_eq!(options.get("detector").unwrap(), "simhash64");
    assert_eq!(options.get("mmap").unwrap(), "true");
    assert!(options.get("no such").is_err());
    assert!(Engine::in_memory(&options).is_ok());
    let closest = Engine::in_memory(&Options::new().set("detectr", "lcs")).unwrap_err();
    assert!(matches!(closest, Error::InvalidArgument(_)) && closest.to_string().contains("detector"), "{}", closest);
    let io: std::io::Error = closest.into();
    assert_eq!(io.kind(), std::io::ErrorKind::InvalidInput);
    assert_eq!(format!("{:?}", Options::new().mmap(true)), "{\"mmap\": \"true\"}");
}

#[test]
fn a_logger_gets_what_open_reports() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let options = Options::new()
        .durability(Durability::Sync) // without effect in memory, which is a warning
        .logger(move |level, line| kept.lock().unwrap().push((level, line.to_owned())));
    let engine = Engine::in_memory(&options).unwrap();
    drop(options);
    drop(engine);
    let lines = Arc::try_unwrap(lines).expect("the logger is freed with the engine").into_inner().unwrap();
    assert!(lines.iter().any(|(level, line)| *level == Level::Warning && line.contains("durability")), "{:?}", lines);
}

#[test]
fn features_and_signatures_work_without_an_engine() {
    let reader = Reader::new(&Options::new()).unwrap();
    let near = STORY.to_owned() + "<p>A vote is expected at the end of the month.</p>";
    let a = reader.features(&Page::new("http://a.example/", STORY)).unwrap();
    let b = reader.features(&Page::new("http://b.example/", &near)).unwrap();
    let decided = a.decide(&b, &Options::new()).unwrap();
    assert_eq!((decided.verdict, decided.page_id), (Verdict::Near, None));
    assert!(a.keys().unwrap().iter().any(|key| b.keys().unwrap().contains(key)));
    let sent = Features::from_bytes(a.as_bytes());
    assert_eq!(sent, a);
    assert_eq!(memory().check_features(&sent).unwrap().verdict, Verdict::New);
    assert!(matches!(Features::from_bytes(&b"no features"[..]).keys(), Err(Error::Corrupt(_))));

    let mut site = SiteModel::new().unwrap();
    site.learn(&a).unwrap();
    let mut other = SiteModel::new().unwrap();
    other.merge(&site.save().unwrap()).unwrap();
    assert_eq!(other.save().unwrap(), site.save().unwrap());
    assert_eq!(other.weights(&a).unwrap(), [1.0]);
    assert!(a.with_site(&other).unwrap().as_bytes().len() > a.as_bytes().len());
    site.forget(&a).unwrap();
    assert_ne!(other.save().unwrap(), site.save().unwrap());
    assert!(matches!(site.merge(b"x"), Err(Error::Corrupt(_))));

    let a = reader.signature(&Page::new("http://a.example/", STORY)).unwrap();
    let b = reader.signature(&Page::new("http://b.example/", &near)).unwrap();
    assert_eq!(Signature::from_bytes(a.as_bytes()).similarity(&a).unwrap(), 1.0);
    assert!(a.similarity(&b).unwrap() > 0.3 && !a.keys().unwrap().is_empty());
    assert!(reader.signature(&Page::new("", "")).unwrap().as_bytes().is_empty());
    assert!(reader.extract(&Page::new("", STORY)).unwrap().contains("\"kind\":\"html\""));
    assert!(reader.describe(&Page::new("", STORY)).unwrap().contains("\"fingerprints\""));
    let moz = Reader::new(&Options::new().detector(Detector::MozVector)).unwrap();
    assert!(moz.describe(&Page::new("", STORY)).unwrap().contains("\"vector\""));
}

#[test]
fn threads_share_an_engine_and_find_the_same_groups() {
    let engine = memory();
    let pages: Vec<String> = (0..40).map(|seed| text(seed, 60)).collect();
    let exact = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|name| {
                let (engine, pages) = (&engine, &pages);
                scope.spawn(move || {
                    let check = |(number, page): (usize, &String)| {
                        engine.groups().unwrap();
                        let url = format!("http://{}.example/{}", name, number);
                        engine.check(&Page::new(&url, page).content_type("text/plain")).unwrap()
                    };
                    pages.iter().enumerate().map(check).filter(|result| result.verdict == Verdict::Exact).count()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
    });
    assert_eq!(exact, 120);
    assert!(engine.groups().unwrap().all(|group| group.page_count == 4));
    assert_eq!(engine.groups().unwrap().len(), 40);
}

#[test]
fn the_version_is_that_of_the_header() {
    let header =
        format!("{}.{}.{}", ndc::sys::ND_VERSION_MAJOR, ndc::sys::ND_VERSION_MINOR, ndc::sys::ND_VERSION_PATCH);
    assert_eq!(ndc::version(), header);
    assert_eq!(env!("CARGO_PKG_VERSION"), header);
}

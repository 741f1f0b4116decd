//! Crawls a site on the loopback whose copies are known: all are found, also by later runs and after a kill.
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

const ARTICLES: usize = 12;
const COPIES: usize = 5; // of the first articles
const KILL_AFTER: usize = 7;

/// Words that differ from article to article.
fn words(seed: usize) -> String {
    let mut state = seed as u64 + 1;
    let mut out = String::new();
    for _ in 0..150 {
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            out.push(b"bdfgklmnprstvz"[(state >> 33) as usize % 14] as char);
            out.push(b"aeiou"[(state >> 40) as usize % 5] as char);
        }
        out.push(' ');
    }
    out
}

fn article(seed: usize, more: &str) -> String {
    format!(
        "<html><head><title>Article {}</title></head><body><nav><a href=\"/\">Home</a></nav><p>{}</p>{}</body></html>",
        seed,
        words(seed),
        more
    )
}

/// Path to HTML. Copies link to pages that nothing else links to.
fn site() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut home = String::from("<title>Home</title>");
    for seed in 0..ARTICLES {
        pages.insert(format!("/article/{}", seed), article(seed, ""));
        home += &format!("<p><a href=\"/article/{}\">{}</a></p>", seed, words(1000 + seed));
    }
    for seed in 0..COPIES {
        let more = format!("<p>Read more on Monday.</p><a href=\"/behind/{}\">more</a>", seed);
        pages.insert(format!("/copy/{}", seed), article(seed, &more));
        pages.insert(format!("/behind/{}", seed), article(100 + seed, ""));
        home += &format!("<p><a href=\"/copy/{}\">{}</a></p>", seed, words(2000 + seed));
    }
    pages.insert("/".to_owned(), home);
    pages
}

/// Serves the site; the paths that were asked for are kept. Answers no more pages than `limit`, so that a crawler that
/// is to be killed is still running then, however busy the machine is.
struct Server {
    address: String,
    served: Arc<Mutex<Vec<String>>>,
    limit: Arc<AtomicUsize>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let served = Arc::new(Mutex::new(Vec::new()));
        let limit = Arc::new(AtomicUsize::new(usize::MAX));
        let (kept, allowed) = (Arc::clone(&served), Arc::clone(&limit));
        std::thread::spawn(move || {
            let pages = site();
            let mut unanswered = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                let mut rest = String::new();
                let mut is_whole = reader.read_line(&mut line).is_ok();
                while is_whole && rest != "\r\n" {
                    rest.clear();
                    is_whole = matches!(reader.read_line(&mut rest), Ok(size) if size > 0);
                }
                // A crawler that was killed has asked for nothing, or half of it.
                let path = match line.split(' ').nth(1) {
                    Some(path) if is_whole => path.to_owned(),
                    _ => continue,
                };
                let (status, body) = match pages.get(&path) {
                    Some(body) => ("200 OK", body.as_str()),
                    None => ("404 Not Found", "<p>not here"),
                };
                let mut kept = kept.lock().unwrap();
                if kept.len() >= allowed.load(Ordering::SeqCst) {
                    unanswered.push(stream);
                    continue;
                }
                kept.push(path);
                // A crawler that was killed reads no answer.
                let _ = write!(stream, "HTTP/1.0 {}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{}", status, body);
            }
        });
        Server { address, served, limit }
    }
}

struct Row {
    verdict: String,
    path: String,
    original: String,
}

struct Crawl {
    server: Server,
    store: PathBuf,
}

impl Crawl {
    fn new(name: &str) -> Self {
        let store = std::env::temp_dir().join(format!("ndc-crawl-{}-{}", name, std::process::id()));
        Crawl { server: Server::start(), store }
    }

    /// Kills the crawler by SIGKILL behind so many rows.
    fn run(&self, kill_after: Option<usize>) -> Vec<Row> {
        // Two pages more, so that the kill may come while one is checked.
        self.server.limit.store(kill_after.map_or(usize::MAX, |rows| rows + 2), Ordering::SeqCst);
        let mut crawler = Command::new(env!("CARGO_BIN_EXE_crawl"))
            .arg(&self.store)
            .arg(self.server.address.clone() + "/")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut rows = Vec::new();
        for line in BufReader::new(crawler.stdout.take().unwrap()).lines() {
            let line = line.unwrap().replace(&self.server.address, "");
            let mut cells = line.split('\t').map(str::to_owned);
            let mut next = || cells.next().unwrap();
            rows.push(Row { verdict: next(), path: next(), original: next() });
            if Some(rows.len()) == kill_after {
                crawler.kill().unwrap();
                break;
            }
        }
        assert_eq!(crawler.wait().unwrap().success(), kill_after.is_none());
        rows
    }
}

impl Drop for Crawl {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.store);
    }
}

fn paths<'a>(rows: &'a [Row], verdict: &str) -> BTreeSet<&'a str> {
    rows.iter().filter(|row| row.verdict == verdict).map(|row| &row.path[..]).collect()
}

fn check_copies(rows: &[Row]) {
    for seed in 0..COPIES {
        let row = rows.iter().find(|row| row.path == format!("/copy/{}", seed)).expect("every copy was crawled");
        assert_eq!((&row.verdict[..], &row.original), ("near", &format!("/article/{}", seed)));
    }
}

#[test]
fn all_copies_are_found_and_not_followed_and_the_store_is_kept() {
    let crawl = Crawl::new("kept");
    let rows = crawl.run(None);
    check_copies(&rows);
    assert_eq!(paths(&rows, "near").len(), COPIES);
    assert_eq!(paths(&rows, "new").len(), 1 + ARTICLES);
    assert!(!crawl.server.served.lock().unwrap().iter().any(|path| path.starts_with("/behind/")));
    let again = crawl.run(None);
    assert_eq!(paths(&again, "unchanged").len(), 1 + ARTICLES + COPIES);
    assert_eq!(again.len(), rows.len());
}

#[test]
fn a_kill_loses_nothing_that_was_answered() {
    let crawl = Crawl::new("killed");
    let before = crawl.run(Some(KILL_AFTER));
    let rows = crawl.run(None);
    // What was answered, and perhaps one more page, which was checked while the crawler was being killed.
    let known = paths(&rows, "unchanged");
    assert!(before.iter().all(|row| known.contains(&row.path[..])), "{:?}", known);
    assert_eq!(before.len(), KILL_AFTER);
    check_copies(&rows);
}

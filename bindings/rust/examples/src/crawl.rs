//! crawl STORE ADDRESS...: crawls the sites of the addresses, http://HOST[:PORT]/PATH, by plain HTTP, and asks ndc of
//! each page whether it is new; the links of a page that has nothing new are not followed. The store is kept: the next
//! run knows what this one has seen, and goes on where a run that was killed has ended. Prints for each page its
//! verdict, its URL, and what it is a copy of.
use ndc::{CheckResult, Engine, Options, Page, Verdict};
use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const BODY_LIMIT: u64 = 16 << 20;
const TIMEOUT: Duration = Duration::from_secs(20);

struct Fetched {
    status: u16,
    content_type: String,
    body: Vec<u8>,
}

/// "http://host:port" and "/path".
fn split(url: &str) -> Option<(&str, &str)> {
    let path = "http://".len() + url.strip_prefix("http://")?.find('/')?;
    Some(url.split_at(path))
}

fn fetch(url: &str) -> Result<Fetched, Box<dyn Error>> {
    let (site, path) = split(url).ok_or("not an http address")?;
    let host = &site["http://".len()..];
    let address = if host.contains(':') { host.to_owned() } else { format!("{}:80", host) };
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    write!(stream, "GET {} HTTP/1.0\r\nHost: {}\r\nUser-Agent: ndc-crawl\r\n\r\n", path, host)?;
    let mut answer = Vec::new();
    stream.take(BODY_LIMIT).read_to_end(&mut answer)?;
    let head_end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no head")?;
    let head = String::from_utf8_lossy(&answer[..head_end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or("no status")?;
    let content_type = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-type").then(|| value.trim().to_owned())
    });
    answer.drain(..head_end + 4);
    Ok(Fetched { status, content_type: content_type.unwrap_or_default(), body: answer })
}

/// The addresses of the same site that a page links to.
fn links(url: &str, body: &[u8]) -> Vec<String> {
    let site = split(url).map_or("", |(site, _)| site);
    let html = String::from_utf8_lossy(body);
    html.split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter_map(|link| match link.strip_prefix(site) {
            Some(path) if path.starts_with('/') => Some(link.to_owned()),
            _ if link.starts_with('/') && !link.starts_with("//") => Some(format!("{}{}", site, link)),
            _ => None,
        })
        .map(|link| link.split('#').next().unwrap_or_default().to_owned())
        .collect()
}

fn crawl(pages: &Engine, start: Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut seen: HashSet<String> = start.iter().cloned().collect();
    let mut waiting: VecDeque<String> = start.into();
    while let Some(url) = waiting.pop_front() {
        let fetched = match fetch(&url) {
            Ok(fetched) if fetched.status == 200 => fetched,
            Ok(other) => {
                eprintln!("{}: status {}", url, other.status);
                continue;
            }
            Err(failure) => {
                eprintln!("{}: {}", url, failure);
                continue;
            }
        };
        let result = pages.check(&Page::new(&url, &fetched.body).content_type(&fetched.content_type))?;
        println!("{}\t{}\t{}", result.verdict, url, original_of(pages, &result)?);
        // A copy that was fetched again is unchanged, and still no founder.
        if result.is_founder() && result.verdict != Verdict::NoText {
            for link in links(&url, &fetched.body) {
                if seen.insert(link.clone()) {
                    waiting.push_back(link);
                }
            }
        }
    }
    Ok(())
}

/// The URL of the page that a duplicate is a copy of.
fn original_of(pages: &Engine, result: &CheckResult) -> ndc::Result<String> {
    let matched = match result.matched_page_id.filter(|_| result.is_duplicate()) {
        Some(id) => pages.page(id)?,
        None => None,
    };
    Ok(matched.map_or_else(String::new, |page| page.url_text().into_owned()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (store, start) = (arguments.next(), arguments.collect::<Vec<_>>());
    let store = store.filter(|_| !start.is_empty()).ok_or("crawl STORE ADDRESS...")?;
    let pages = Engine::open(store, &Options::new().logger(|level, line| eprintln!("{:?}: {}", level, line)))?;
    crawl(&pages, start)?;
    let stats = pages.stats()?;
    eprintln!("{} pages in {} groups", stats.pages, stats.groups);
    pages.close()?;
    Ok(())
}

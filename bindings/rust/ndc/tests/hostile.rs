//! Bad input and bad moments: each is an error of Rust or nothing at all, never a crash.
mod support;

use ndc::{Engine, Error, Level, Options, Page, Reader, Verdict};
use std::ops::ControlFlow;
use std::os::unix::process::ExitStatusExt;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
use support::{text, Folder, STORY};

fn memory() -> Engine {
    Engine::in_memory(&Options::new()).unwrap()
}

/// The answer of a test of this file, run in a process of its own, and what it printed.
fn child(test: &str, argument: &str) -> (Option<i32>, Option<i32>, String) {
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
        .env("NDC_CHILD", argument)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    (done.status.code(), done.status.signal(), said)
}

fn argument() -> String {
    std::env::var("NDC_CHILD").expect("run by another test")
}

#[test]
fn handles_are_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Engine>();
    shared::<Reader>();
    shared::<Options>();
    shared::<Error>();
    shared::<ndc::Features>();
    sent::<ndc::SiteModel>();
}

#[test]
fn any_bytes_are_a_url_and_a_body() {
    let engine = memory();
    let all: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let urls: [&[u8]; 4] = [b"nul\0inside", b"\xff\xfe", &all, b"\xed\xa0\x80"];
    for url in urls {
        let page = Page::new(url, &all).content_type(&all);
        let id = engine.check(&page).unwrap().page_id.unwrap();
        assert_eq!(engine.page(id).unwrap().unwrap().url, url);
        engine.own_text(&page).unwrap();
        engine.query(&page).unwrap();
    }
    assert_eq!(engine.find(urls[1]).unwrap().unwrap().url_text(), "\u{fffd}\u{fffd}");
    assert!(engine.remove(urls[0]).unwrap());
    assert_eq!(engine.find("nul").unwrap(), None);
}

#[test]
fn what_is_too_long_is_refused_or_cut() {
    let engine = memory();
    let huge = "x".repeat((1 << 20) + 1);
    assert!(matches!(engine.check(&Page::new(&huge, STORY)), Err(Error::Limit(_) | Error::InvalidArgument(_))));
    assert!(engine.check(&Page::new(&huge[1..], STORY)).is_ok());
    assert!(engine.find(&huge).is_err() || engine.find(&huge).unwrap().is_none());
    let body = "<p>word ".repeat(4 << 20);
    assert!(engine.check(&Page::new("u", &body)).unwrap().flags.contains(ndc::Flags::TRUNCATED));
    assert!(Engine::in_memory(&Options::new().set(&huge, 1)).is_err());
    assert!(Engine::in_memory(&Options::new().set("detector", &huge)).is_err());
    assert!(Engine::open(&huge, &Options::new()).is_err());
}

#[test]
fn a_nul_where_c_ends_a_string_is_an_error() {
    for failed in [
        Engine::open("a\0b", &Options::new()).map(drop),
        Engine::in_memory(&Options::new().set("dete\0ctor", "lcs")).map(drop),
        Engine::in_memory(&Options::new().set("detector", "lcs\0")).map(drop),
        ndc::verify("a\0b").map(drop),
        Options::new().get("a\0b").map(drop),
    ] {
        assert!(matches!(&failed, Err(Error::InvalidArgument(said)) if said.contains("NUL")), "{:?}", failed);
    }
    assert!(!std::path::Path::new("a").exists());
}

#[test]
fn empty_arguments() {
    let engine = memory();
    assert_eq!(engine.check(&Page::new("", "")).unwrap().verdict, Verdict::NoText);
    assert!(matches!(Engine::open("", &Options::new()), Err(Error::InvalidArgument(_) | Error::Io(_))));
    assert!(matches!(engine.check_features(&ndc::Features::from_bytes(vec![])), Err(Error::Corrupt(_))));
    assert!(engine.explain(0, 0).is_err() && engine.similar(1, 0).is_err() && engine.similar(1, 1001).is_err());
    assert!(matches!(engine.snapshot(), Err(Error::InvalidArgument(_))));
}

#[test]
fn a_panic_in_a_closure_is_the_callers() {
    let engine = memory();
    for seed in 0..3 {
        engine.check(&Page::new(&seed.to_string(), &text(seed, 50))).unwrap();
    }
    let mut calls = 0;
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _ = engine.each_group(|_| {
            calls += 1;
            panic!("of the closure")
        });
    }));
    assert_eq!(*caught.unwrap_err().downcast::<&str>().unwrap(), "of the closure");
    assert_eq!((calls, engine.groups().unwrap().len()), (1, 3));
    // The library's own locks are free in a closure.
    engine
        .each_group(|group| {
            engine.check(&Page::new("again", STORY)).unwrap();
            engine.members(group.group_id).unwrap();
            ControlFlow::Continue(())
        })
        .unwrap();
}

#[test]
fn a_panic_in_a_logger_goes_no_further() {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    struct PanicsAgain;
    impl Drop for PanicsAgain {
        fn drop(&mut self) {
            panic!("of what the first panic carried")
        }
    }
    let loggers: [fn(Level, &str); 2] = [|_, _| panic!("of the logger"), |_, _| std::panic::panic_any(PanicsAgain)];
    for logger in loggers {
        let options = Options::new().durability(ndc::options::Durability::Sync).logger(move |level, line| {
            CALLS.fetch_add(1, Ordering::Relaxed);
            logger(level, line)
        });
        let before = CALLS.load(Ordering::Relaxed);
        let engine = Engine::in_memory(&options).unwrap();
        assert_eq!(engine.check(&Page::new("a", STORY)).unwrap().verdict, Verdict::New);
        assert!(CALLS.load(Ordering::Relaxed) > before);
    }
}

/// The engine's own thread logs that a snapshot failed; the logger has the last reference then.
#[test]
fn an_engine_that_its_logger_drops_is_closed() {
    static CLOSED_BY_LOGGER: Mutex<Option<ndc::Result<()>>> = Mutex::new(None);
    let folder = Folder::new();
    let path = folder.path("store");
    let engine: Arc<Mutex<Weak<Engine>>> = Arc::default();
    let (in_logger, leave) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let options = {
        let (engine, in_logger, leave) = (Arc::clone(&engine), Arc::clone(&in_logger), Arc::clone(&leave));
        Options::new().journal_bytes(65536).logger(move |level, _| {
            if level != Level::Error || std::thread::current().name() == Some("checks") {
                return;
            }
            if let Some(last) = engine.lock().unwrap().upgrade() {
                in_logger.store(true, Ordering::SeqCst);
                while !leave.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
                if let Ok(mine) = Arc::try_unwrap(last) {
                    *CLOSED_BY_LOGGER.lock().unwrap() = Some(mine.close());
                }
            }
        })
    };
    let mine = Arc::new(Engine::open(&path, &options).unwrap());
    *engine.lock().unwrap() = Arc::downgrade(&mine);
    drop(options);
    std::fs::remove_dir_all(&path).unwrap();
    let mine = std::thread::Builder::new()
        .name("checks".to_owned())
        .spawn({
            let in_logger = Arc::clone(&in_logger);
            move || {
                let until = Instant::now() + Duration::from_secs(60);
                let mut seed = 0;
                while !in_logger.load(Ordering::SeqCst) {
                    assert!(Instant::now() < until, "no snapshot has failed");
                    seed += 1;
                    let _ = mine.check(&Page::new(&seed.to_string(), &text(seed, 2000)));
                }
                mine
            }
        })
        .unwrap()
        .join()
        .unwrap();
    drop(mine);
    let outlived = Arc::downgrade(&in_logger);
    drop(in_logger);
    leave.store(true, Ordering::SeqCst);
    // The logger goes with the engine, and what it has captured with it.
    let until = Instant::now() + Duration::from_secs(60);
    while outlived.upgrade().is_some() {
        assert!(Instant::now() < until, "the engine was not closed");
        std::thread::sleep(Duration::from_millis(1));
    }
    let closed = CLOSED_BY_LOGGER.lock().unwrap().take();
    assert!(matches!(closed, Some(Err(Error::InvalidArgument(_)))), "{:?}", closed);
}

extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

#[test]
fn a_forked_child_gets_errors_and_can_open_its_own() {
    let (code, signal, said) = child("child_that_forks", "");
    assert_eq!((code, signal), (Some(0), None), "{}", said);
}

#[test]
#[ignore = "run by another test"]
fn child_that_forks() {
    argument();
    let folder = Folder::new();
    let engine = Engine::open(folder.path("store"), &Options::new()).unwrap();
    engine.check(&Page::new("a", STORY)).unwrap();
    // SAFETY: the child calls ndc, which allows that, and ends by _exit.
    unsafe {
        let pid = fork();
        if pid == 0 {
            let refused = matches!(engine.check(&Page::new("b", STORY)), Err(Error::InvalidArgument(_)))
                && matches!(engine.groups(), Err(Error::InvalidArgument(_)))
                && matches!(engine.close(), Err(Error::InvalidArgument(_)));
            let own = memory().check(&Page::new("b", STORY)).map(|result| result.verdict);
            _exit(if refused && own == Ok(Verdict::New) { 0 } else { 1 });
        }
        let mut status = -1;
        assert_eq!((waitpid(pid, &mut status, 0), status), (pid, 0));
    }
    assert_eq!(engine.check(&Page::new("b", STORY)).unwrap().verdict, Verdict::Exact);
    engine.close().unwrap();
}

#[test]
fn a_process_ends_with_an_engine_open_and_threads_at_work() {
    let folder = Folder::new();
    let path = folder.path("store");
    let (code, signal, said) = child("child_that_exits", path.to_str().unwrap());
    assert_eq!((code, signal), (Some(7), None), "{}", said);
    let engine = Engine::open(&path, &Options::new()).unwrap();
    assert!(engine.stats().unwrap().pages >= 50);
}

#[test]
#[ignore = "run by another test"]
fn child_that_exits() {
    let engine: &'static Engine = Box::leak(Box::new(Engine::open(argument(), &Options::new()).unwrap()));
    for thread in 0..2 {
        std::thread::spawn(move || {
            for number in 0.. {
                engine.check(&Page::new(&format!("{}/{}", thread, number), &text(number, 50))).unwrap();
            }
        });
    }
    while engine.stats().unwrap().checks < 50 {
        std::thread::yield_now();
    }
    std::process::exit(7);
}

/// Another library's functions are not called but for its version.
#[test]
fn a_library_of_another_version_is_an_error() {
    let folder = Folder::new();
    let (source, library) = (folder.path("other.c"), folder.path("other.so"));
    for (version, fits) in [("1, 200, 0", false), ("3, 0, 0", false), ("2, 200, 0", true)] {
        let numbers: Vec<u32> = version.split(", ").map(|number| number.parse().unwrap()).collect();
        let number = numbers[0] << 16 | numbers[1] << 8 | numbers[2];
        std::fs::write(&source, format!("unsigned nd_version(void) {{ return {}u; }}\n", number)).unwrap();
        let compiler = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
        assert!(compiler.unwrap().success());
        let done = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_of_another_version", "--ignored", "--nocapture"])
            .env("NDC_CHILD", fits.to_string())
            .env("LD_PRELOAD", &library)
            .output()
            .unwrap();
        assert!(done.status.success(), "{}: {}", version, String::from_utf8_lossy(&done.stdout));
    }
}

#[test]
#[ignore = "run by another test"]
fn child_of_another_version() {
    let fits = argument() == "true";
    if fits {
        assert!(Engine::in_memory(&Options::new()).is_ok());
        return;
    }
    for failed in [
        Engine::in_memory(&Options::new()).map(drop),
        Engine::open("never-made", &Options::new()).map(drop),
        Reader::new(&Options::new()).map(drop),
        ndc::SiteModel::new().map(drop),
        Options::new().get("detector").map(drop),
        ndc::Features::from_bytes(&b"x"[..]).keys().map(drop),
    ] {
        assert!(matches!(&failed, Err(Error::UnsupportedVersion(said)) if said.contains("made for")), "{:?}", failed);
    }
}

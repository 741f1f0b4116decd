//! The Rust side of bench/rust_cost: checks pages, one again and again as jni_cost.c, or many by several threads as
//! BindingThreads.java.
//!
//! ```text
//! rust_cost PAGE      for each line "c COUNT" of its input checks the page so often, and prints the nanoseconds of the
//!                     thread's CPU and of the wall clock
//! rust_cost FOLDER/   for each line "THREADS ENGINES" checks all pages of the folder, and prints the nanoseconds of
//!                     the wall clock and of CPU, and of each page the number of the first one of its group
//! ```
use ndc::{Engine, Options, Page};
use std::collections::HashMap;
use std::error::Error;
use std::io::{stdin, BufRead};
use std::time::Instant;
use std::{env, fs, thread};

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

const PROCESS_CPU: i32 = 2;
const THREAD_CPU: i32 = 3;

fn nanoseconds(clock: i32) -> i64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: it writes one timespec of a 64-bit system.
    unsafe { clock_gettime(clock, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}

fn again_and_again(page: &str) -> Result<(), Box<dyn Error>> {
    let body = fs::read(page)?;
    let page = Page::new("http://a.example/", &body).content_type("text/html; charset=utf-8");
    let engine = Engine::in_memory(&Options::new())?;
    for line in stdin().lock().lines() {
        let count: u32 = line?.trim_start_matches("c ").parse()?;
        let (cpu, wall) = (nanoseconds(THREAD_CPU), Instant::now());
        for _ in 0..count {
            engine.check(&page)?;
        }
        println!("{} {}", nanoseconds(THREAD_CPU) - cpu, wall.elapsed().as_nanos());
    }
    Ok(())
}

fn by_threads(folder: &str) -> Result<(), Box<dyn Error>> {
    let count = fs::read_dir(folder)?.count();
    let bodies: Vec<Vec<u8>> =
        (0..count).map(|number| fs::read(format!("{}{}", folder, number))).collect::<Result<_, _>>()?;
    for line in stdin().lock().lines() {
        let line = line?;
        let (threads, engines) = line.split_once(' ').ok_or("THREADS ENGINES")?;
        let (threads, engines): (usize, usize) = (threads.parse()?, engines.parse()?);
        let engines: Vec<Engine> =
            (0..engines).map(|_| Engine::in_memory(&Options::new())).collect::<Result<_, _>>()?;
        let (cpu, wall) = (nanoseconds(PROCESS_CPU), Instant::now());
        let mut groups: Vec<(usize, u64)> = thread::scope(|scope| {
            let parts: Vec<_> = (0..threads)
                .map(|first| {
                    let (engine, bodies) = (&engines[first % engines.len()], &bodies);
                    scope.spawn(move || {
                        let check = |number: usize| {
                            let url = format!("http://a{}.example/{}", number % 7, number);
                            let page = Page::new(&url, &bodies[number]).content_type("text/html");
                            let result = engine.check(&page).expect("a check");
                            (number, result.group_id.expect("a group"))
                        };
                        (first..bodies.len()).step_by(threads).map(check).collect::<Vec<_>>()
                    })
                })
                .collect();
            parts.into_iter().flat_map(|part| part.join().expect("a thread")).collect()
        });
        let (wall, cpu) = (wall.elapsed().as_nanos(), nanoseconds(PROCESS_CPU) - cpu);
        groups.sort_unstable();
        let mut first = HashMap::new();
        let founders: Vec<String> =
            groups.iter().map(|(number, group)| first.entry(*group).or_insert(*number).to_string()).collect();
        println!("{} {} {}", wall, cpu, founders.join(","));
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("rust_cost PAGE | FOLDER/")?;
    if path.ends_with('/') {
        by_threads(&path)
    } else {
        again_and_again(&path)
    }
}

//! Made-up tasks on real threads: where each runs, the order of the lines, and that every run ends.

use super::*;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What happened: rooms by task, and lines in the order of writing.
#[derive(Default)]
struct Log {
    rooms: Mutex<Vec<(Key, Room)>>,
    written: Mutex<Vec<u8>>,
}

impl Log {
    fn rooms_of(&self, key: Key) -> Vec<Room> {
        let rooms = self.rooms.lock().unwrap();
        rooms.iter().filter(|(of, _)| *of == key).map(|(_, room)| *room).collect()
    }

    fn text(&self) -> String {
        String::from_utf8(self.written.lock().unwrap().clone()).unwrap()
    }
}

type Answer<'a> = dyn Fn(Key, Room) -> End + Sync + 'a;

/// Runs groups of these sizes on threads, perhaps with a GPU, which may be absent.
fn run_all(sizes: &[usize], threads: usize, gpu: Option<bool>, answer: &Answer<'_>) -> Log {
    let is_there = || gpu.unwrap_or(false);
    let gpu = if gpu.is_some() { Gpu::ForLong(&is_there) } else { Gpu::None };
    run_with(sizes, threads, gpu, answer)
}

fn run_with(sizes: &[usize], threads: usize, gpu: Gpu<'_>, answer: &Answer<'_>) -> Log {
    let log = Log::default();
    let read = |group: usize| -> Vec<Task<'_>> {
        let task = |at: usize| -> Task<'_> {
            let (log, key) = (&log, (group, at));
            Box::new(move |room, line| {
                log.rooms.lock().unwrap().push((key, room));
                line.extend(format!("{group}.{at}\n").bytes());
                answer(key, room)
            })
        };
        (0..sizes[group]).map(task).collect()
    };
    let work = Work {
        groups: sizes.len(),
        read: &read,
        threads,
        gpu,
        write: &|lines, _| {
            log.written.lock().unwrap().extend(lines);
            Ok(())
        },
        stop: &|| {},
    };
    run(&work, |work_off| on(threads, work_off)).unwrap();
    log
}

fn on(threads: usize, work_off: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work_off);
        }
    });
}

fn in_order(sizes: &[usize]) -> String {
    let lines = sizes.iter().enumerate().flat_map(|(group, &size)| (0..size).map(move |at| (group, at)));
    lines.map(|(group, at)| format!("{group}.{at}\n")).collect()
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn long_tasks_go_to_the_gpu_one_at_a_time_while_threads_do_the_others() {
    let sizes = [10; 10];
    let on_gpu = AtomicUsize::new(0);
    let meeting = Barrier::new(2);
    let (met, begun) = (AtomicBool::new(false), AtomicBool::new(false));
    let answer = |key: Key, room: Room| {
        match room {
            Room::Trial if key.1 == 3 => {
                // The first long task is the first that the GPU has, also on a busy machine.
                let others_wait = |_: &u32| key.0 > 0 && !begun.load(Ordering::SeqCst);
                (0..10_000_000).take_while(others_wait).for_each(|_| std::thread::yield_now());
                return End::TooLong(LONG);
            }
            Room::Gpu => {
                begun.store(true, Ordering::SeqCst);
                assert_eq!(on_gpu.fetch_add(1, Ordering::SeqCst), 0, "the GPU is lent once");
                // The first long task is not done before the last of the others.
                if key == (0, 3) {
                    meeting.wait();
                    met.store(true, Ordering::SeqCst);
                }
                on_gpu.fetch_sub(1, Ordering::SeqCst);
            }
            _ if key == (9, 9) => {
                meeting.wait();
            }
            _ => {}
        }
        End::Done
    };
    let log = run_all(&sizes, 3, Some(true), &answer);
    assert!(met.load(Ordering::SeqCst));
    assert_eq!(log.text(), in_order(&sizes));
    for group in 0..10 {
        for at in 0..10 {
            let rooms = log.rooms_of((group, at));
            let wanted: &[Room] = if at == 3 { &[Room::Trial, Room::Gpu] } else { &[Room::Trial] };
            assert_eq!(rooms, wanted, "{group}.{at}");
        }
    }
    let rooms = log.rooms.lock().unwrap();
    let order: Vec<Key> = rooms.iter().filter(|(_, room)| *room == Room::Gpu).map(|(key, _)| *key).collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn a_gpu_has_two_tasks_where_there_are_threads() {
    let having = AtomicUsize::new(0);
    // Both tasks that the GPU has wait for each other.
    let meeting = Barrier::new(2);
    let answer = |_: Key, room: Room| {
        if room == Room::Gpu {
            assert!(having.fetch_add(1, Ordering::SeqCst) < 2, "the GPU has too many");
            meeting.wait();
            having.fetch_sub(1, Ordering::SeqCst);
            return End::Done;
        }
        End::TooLong(LONG)
    };
    let log = run_all(&[8], 8, Some(true), &answer);
    assert_eq!(log.text(), in_order(&[8]));
    let rooms = log.rooms.lock().unwrap();
    let on_gpu = rooms.iter().filter(|(_, room)| *room == Room::Gpu).count();
    assert_eq!((on_gpu, rooms.len()), (8, 16));
    assert_eq!([1, 2, 3, 4, 16].map(at_once), [1, 1, 1, 2, 2]);
}

#[test]
fn a_gpu_that_was_asked_for_has_all_tasks() {
    let log = run_with(&[5, 4], 3, Gpu::ForAll, &|_, _| End::Done);
    assert_eq!(log.text(), in_order(&[5, 4]));
    let rooms = log.rooms.lock().unwrap();
    assert!(rooms.iter().all(|(_, room)| *room == Room::Gpu), "{rooms:?}");
    assert_eq!(rooms.len(), 9);
}

#[test]
fn an_idle_thread_takes_the_shortest_long_task_if_the_gpu_would_be_later() {
    let waits = Barrier::new(2);
    let answer = |key: Key, room: Room| {
        match (key.1, room) {
            (at, Room::Trial) => return End::TooLong(if at == 5 { Duration::ZERO } else { LONG }),
            // The GPU has done a task, and is not done with its next before the shortest has been taken.
            (0, Room::Gpu) => std::thread::sleep(Duration::from_millis(50)),
            (1, Room::Gpu) | (5, Room::Cpu) => {
                waits.wait();
            }
            _ => {}
        }
        End::Done
    };
    let log = run_all(&[6], 2, Some(true), &answer);
    assert_eq!(log.rooms_of((0, 5)), [Room::Trial, Room::Cpu]);
    for at in 0..5 {
        assert_eq!(log.rooms_of((0, at)), [Room::Trial, Room::Gpu], "{at}");
    }
}

#[test]
fn without_a_gpu_long_tasks_run_on_the_threads() {
    let answer = |_: Key, room: Room| match room {
        Room::Trial => End::TooLong(LONG),
        _ => End::Done,
    };
    let log = run_all(&[4, 4], 2, Some(false), &answer);
    assert_eq!(log.text(), in_order(&[4, 4]));
    let rooms = log.rooms.lock().unwrap();
    assert!(rooms.iter().all(|(_, room)| matches!(room, Room::Trial | Room::Cpu)), "{rooms:?}");
    // If none is to be used, nothing is tried.
    let log = run_all(&[4, 4], 2, None, &answer);
    assert!(log.rooms.lock().unwrap().iter().all(|(_, room)| *room == Room::Cpu));
    // A single thread has everything for every task.
    let log = run_all(&[4, 4], 1, Some(true), &answer);
    assert!(log.rooms.lock().unwrap().iter().all(|(_, room)| *room == Room::Alone));
}

#[test]
fn what_needs_all_memory_runs_by_itself() {
    let running = AtomicUsize::new(0);
    let answer = |key: Key, room: Room| {
        let beside = running.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_micros(200));
        let end = match room {
            Room::Alone => {
                assert_eq!((beside, running.load(Ordering::SeqCst)), (0, 1));
                End::Done
            }
            _ if key.1.is_multiple_of(7) => End::NeedsAll,
            _ => End::Done,
        };
        running.fetch_sub(1, Ordering::SeqCst);
        end
    };
    for gpu in [None, Some(false), Some(true)] {
        let log = run_all(&[20, 0, 15], 4, gpu, &answer);
        assert_eq!(log.text(), in_order(&[20, 0, 15]));
    }
}

#[test]
fn a_line_is_written_as_soon_as_those_before_it_are() {
    let written = Mutex::new(String::new());
    let seen = Mutex::new(Vec::new());
    let read = |group: usize| -> Vec<Task<'_>> {
        let (written, seen) = (&written, &seen);
        vec![Box::new(move |_, line| {
            seen.lock().unwrap().push(written.lock().unwrap().clone());
            line.extend(format!("{group}").bytes());
            End::Done
        })]
    };
    let work = Work {
        groups: 4,
        read: &read,
        threads: 1,
        gpu: Gpu::None,
        write: &|lines, groups| {
            written.lock().unwrap().push_str(std::str::from_utf8(lines).unwrap());
            assert_eq!(groups, written.lock().unwrap().len());
            Ok(())
        },
        stop: &|| {},
    };
    run(&work, |work_off| work_off()).unwrap();
    assert_eq!(*seen.lock().unwrap(), ["", "0", "01", "012"]);
}

#[test]
fn not_many_lines_wait_for_an_earlier_one() {
    let most = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let answer = |key: Key, _: Room| {
        if key == (0, 0) {
            // Ends once the others have stopped.
            let mut before = usize::MAX;
            while before != done.load(Ordering::SeqCst) {
                before = done.load(Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(50));
            }
            most.store(before, Ordering::SeqCst);
        } else {
            done.fetch_add(1, Ordering::SeqCst);
        }
        End::Done
    };
    let sizes = [1; 2000];
    let log = run_all(&sizes, 3, None, &answer);
    assert_eq!(log.text(), in_order(&sizes));
    let most = most.load(Ordering::SeqCst);
    assert!((HELD..=HELD + 3).contains(&most), "{most}");
}

#[test]
fn a_failed_write_ends_it() {
    let (begun, stopped) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let read = |_: usize| -> Vec<Task<'_>> {
        vec![Box::new(|_, line| {
            begun.fetch_add(1, Ordering::SeqCst);
            line.push(b'x');
            End::Done
        })]
    };
    let work = Work {
        groups: 1000,
        read: &read,
        threads: 3,
        gpu: Gpu::None,
        write: &|_, _| Err(io::ErrorKind::BrokenPipe.into()),
        stop: &|| {
            stopped.fetch_add(1, Ordering::SeqCst);
        },
    };
    let error = run(&work, |work_off| on(3, work_off)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    assert!(stopped.load(Ordering::SeqCst) >= 1);
    assert!(begun.load(Ordering::SeqCst) <= 6, "{begun:?}");
}

#[test]
fn every_mixture_of_tasks_ends_with_all_lines() {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..300 {
        let sizes: Vec<usize> = (0..random(12)).map(|_| random(9) as usize).collect();
        let threads = 1 + random(4) as usize;
        let gpu = [None, Some(false), Some(true)][random(3) as usize];
        let salt = random(1 << 20) as usize;
        let answer = |key: Key, room: Room| match (room, (key.0 * 31 + key.1 * 17 + salt) % 5) {
            (Room::Trial, 0) => End::TooLong(LONG),
            (Room::Trial, 1) => End::TooLong(Duration::from_nanos(1)),
            (Room::Trial | Room::Cpu | Room::Gpu, 2) => End::NeedsAll,
            _ => End::Done,
        };
        assert_eq!(run_all(&sizes, threads, gpu, &answer).text(), in_order(&sizes), "{sizes:?}");
    }
}

#[test]
fn not_many_lines_wait_for_an_earlier_one_that_needs_all_memory() {
    let (done, before) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let answer = |key: Key, room: Room| match (key, room) {
        ((3, 0), Room::Cpu) => End::NeedsAll,
        ((3, 0), _) => {
            before.store(done.load(Ordering::SeqCst), Ordering::SeqCst);
            End::Done
        }
        _ => {
            done.fetch_add(1, Ordering::SeqCst);
            End::Done
        }
    };
    let sizes = [1; 2000];
    for threads in [2, 4] {
        done.store(0, Ordering::SeqCst);
        assert_eq!(run_all(&sizes, threads, None, &answer).text(), in_order(&sizes));
        let before = before.load(Ordering::SeqCst);
        assert!((HELD..=HELD + 8).contains(&before), "{before}");
    }
}

#[test]
fn long_lines_that_wait_are_few() {
    let (done, before) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let read = |group: usize| -> Vec<Task<'_>> {
        let (done, before) = (&done, &before);
        vec![Box::new(move |room, line| {
            if group == 0 && room != Room::Alone {
                return End::NeedsAll;
            }
            if group == 0 {
                before.store(done.load(Ordering::SeqCst), Ordering::SeqCst);
            }
            line.resize(HELD_BYTES / 4, b'x');
            done.fetch_add(1, Ordering::SeqCst);
            End::Done
        })]
    };
    let work =
        Work { groups: 12, read: &read, threads: 2, gpu: Gpu::None, write: &|_, _| Ok(()), stop: &|| {} };
    run(&work, |work_off| on(2, work_off)).unwrap();
    let before = before.load(Ordering::SeqCst);
    assert!((4..=6).contains(&before), "{before}");
}

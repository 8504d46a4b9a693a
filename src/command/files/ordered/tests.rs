//! Made-up tasks on real threads: where each runs, the order of the lines, and that every run ends.

use super::*;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

type Answer<'a> = dyn Fn(Key, Room) -> End + Sync + 'a;

/// Runs groups of these sizes, whose lines must come in order. Returns where each task ran, in the order of beginning.
fn run_all(sizes: &[usize], threads: usize, answer: &Answer<'_>) -> Vec<(Key, Room)> {
    let (rooms, written) = (Mutex::default(), Mutex::new(Vec::new()));
    let work = Ordered {
        groups: sizes.len(),
        threads,
        read: &|group| (0..sizes[group]).map(|at| (group, at)).collect(),
        run: &|key, room, line| {
            Vec::push(&mut rooms.lock().unwrap(), (*key, room));
            line.extend(format!("{key:?}\n").bytes());
            answer(*key, room)
        },
        write: &|lines, _| {
            written.lock().unwrap().extend_from_slice(lines);
            Ok(())
        },
    };
    work.run().unwrap();
    let keys = sizes.iter().enumerate().flat_map(|(group, &size)| (0..size).map(move |at| (group, at)));
    let wanted: String = keys.map(|key| format!("{key:?}\n")).collect();
    assert_eq!(String::from_utf8(written.into_inner().unwrap()).unwrap(), wanted);
    rooms.into_inner().unwrap()
}

fn of(rooms: &[(Key, Room)], key: Key) -> Vec<Room> {
    rooms.iter().filter(|(of, _)| *of == key).map(|(_, room)| *room).collect()
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn long_tasks_go_to_the_gpu_one_at_a_time_while_threads_do_the_others() {
    let on_gpu = AtomicUsize::new(0);
    let meeting = Barrier::new(2);
    let begun = AtomicBool::new(false);
    let rooms = run_all(&[10; 10], 3, &|key, room| {
        match room {
            Room::Trial if key.1 == 3 => {
                // The first long task is the first that the GPU has, also on a busy machine.
                let others_wait = |_: &u32| key.0 > 0 && !begun.load(SeqCst);
                (0..10_000_000).take_while(others_wait).for_each(|_| std::thread::yield_now());
                return End::TooLong(LONG);
            }
            Room::Gpu => {
                begun.store(true, SeqCst);
                assert_eq!(on_gpu.fetch_add(1, SeqCst), 0, "the GPU is lent once");
                // The first long task is not done before the last of the others.
                if key == (0, 3) {
                    meeting.wait();
                }
                on_gpu.fetch_sub(1, SeqCst);
            }
            _ if key == (9, 9) => drop(meeting.wait()),
            _ => {}
        }
        End::Done
    });
    for key in (0..100).map(|at| (at / 10, at % 10)) {
        let wanted: &[Room] = if key.1 == 3 { &[Room::Trial, Room::Gpu] } else { &[Room::Trial] };
        assert_eq!(of(&rooms, key), wanted, "{key:?}");
    }
    assert!(rooms.iter().filter(|(_, room)| *room == Room::Gpu).map(|(key, _)| key).is_sorted(), "{rooms:?}");
}

#[test]
fn a_gpu_has_two_tasks_where_there_are_threads() {
    let having = AtomicUsize::new(0);
    // Both tasks that the GPU has wait for each other.
    let meeting = Barrier::new(2);
    let rooms = run_all(&[8], 8, &|_, room| {
        if room != Room::Gpu {
            return End::TooLong(LONG);
        }
        assert!(having.fetch_add(1, SeqCst) < 2, "the GPU has too many");
        meeting.wait();
        having.fetch_sub(1, SeqCst);
        End::Done
    });
    assert_eq!((rooms.iter().filter(|(_, room)| *room == Room::Gpu).count(), rooms.len()), (8, 16));
    assert_eq!([1, 2, 3, 4, 16].map(at_once), [1, 1, 1, 2, 2]);
}

#[test]
fn an_idle_thread_takes_the_shortest_long_task_if_the_gpu_would_be_later() {
    let waits = Barrier::new(2);
    let rooms = run_all(&[6], 2, &|(_, at), room| {
        match (at, room) {
            (_, Room::Trial) => return End::TooLong(if at == 5 { Duration::ZERO } else { LONG }),
            // The GPU has done a task, and is not done with its next before the shortest has been taken.
            (0, Room::Gpu) => std::thread::sleep(Duration::from_millis(50)),
            (1, Room::Gpu) | (5, Room::Cpu) => drop(waits.wait()),
            _ => {}
        }
        End::Done
    });
    assert_eq!(of(&rooms, (0, 5)), [Room::Trial, Room::Cpu]);
    for at in 0..5 {
        assert_eq!(of(&rooms, (0, at)), [Room::Trial, Room::Gpu], "{at}");
    }
}

#[test]
fn a_single_thread_has_everything_for_every_task() {
    let rooms = run_all(&[4, 4], 1, &|_, _| End::Done);
    assert!(rooms.iter().all(|(_, room)| *room == Room::Alone), "{rooms:?}");
}

#[test]
fn what_needs_all_memory_runs_by_itself_and_in_order() {
    let running = AtomicUsize::new(0);
    let rooms = run_all(&[20, 0, 15], 4, &|key, room| {
        let beside = running.fetch_add(1, SeqCst);
        std::thread::sleep(Duration::from_micros(200));
        if room == Room::Alone {
            assert_eq!((beside, running.load(SeqCst)), (0, 1));
        }
        running.fetch_sub(1, SeqCst);
        if key.1.is_multiple_of(7) && room != Room::Alone { End::NeedsAll } else { End::Done }
    });
    assert!(
        rooms.iter().filter(|(_, room)| *room == Room::Alone).map(|(key, _)| key).is_sorted(),
        "{rooms:?}"
    );
}

#[test]
fn a_line_is_written_as_soon_as_those_before_it_are() {
    let (written, seen) = (Mutex::new(String::new()), Mutex::new(Vec::new()));
    let work = Ordered {
        groups: 4,
        threads: 1,
        read: &|group| vec![group],
        run: &|group, _, line| {
            seen.lock().unwrap().push(written.lock().unwrap().clone());
            line.extend(format!("{group}").bytes());
            End::Done
        },
        write: &|lines, groups| {
            written.lock().unwrap().push_str(std::str::from_utf8(lines).unwrap());
            assert_eq!(groups, written.lock().unwrap().len());
            Ok(())
        },
    };
    work.run().unwrap();
    assert_eq!(*seen.lock().unwrap(), ["", "0", "01", "012"]);
}

#[test]
fn not_many_lines_wait_for_an_earlier_one() {
    let (done, before) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let sizes = [1; 2000];
    for (threads, needs_all) in [(3, false), (2, true), (4, true)] {
        done.store(0, SeqCst);
        run_all(&sizes, threads, &|key, room| {
            if key != (3, 0) {
                done.fetch_add(1, SeqCst);
            } else if needs_all && room != Room::Alone {
                return End::NeedsAll;
            } else {
                // Ends once the others have stopped.
                while before.swap(done.load(SeqCst), SeqCst) != done.load(SeqCst) {
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
            End::Done
        });
        let before = before.load(SeqCst);
        assert!((HELD..=HELD + 8).contains(&before), "{before}");
    }
}

#[test]
fn long_lines_that_wait_are_few_and_so_are_tasks_that_wait_to_run_by_themselves() {
    let done = AtomicUsize::new(0);
    let before = AtomicUsize::new(0);
    let work = Ordered {
        groups: 12,
        threads: 2,
        read: &|group| vec![group],
        run: &|group, room, line| {
            match (*group, room) {
                (0, Room::Alone) => before.store(done.load(SeqCst), SeqCst),
                (0, _) => return End::NeedsAll,
                _ => {}
            }
            line.resize(HELD_BYTES / 4, b'x');
            done.fetch_add(1, SeqCst);
            End::Done
        },
        write: &|_, _| Ok(()),
    };
    work.run().unwrap();
    let before = before.load(SeqCst);
    assert!((4..=6).contains(&before), "{before}");
    let rooms = run_all(&[1; 600], 2, &|_, room| match room {
        Room::Alone => End::Done,
        _ => End::NeedsAll,
    });
    let before = rooms.iter().position(|(_, room)| *room == Room::Alone).unwrap();
    assert!((HELD..=HELD + 2).contains(&before), "{before}");
}

#[test]
fn a_failed_write_ends_it_and_so_does_a_panic() {
    let begun = AtomicUsize::new(0);
    let work = Ordered {
        groups: 1000,
        threads: 3,
        read: &|group| vec![group],
        run: &|_, _, line| {
            begun.fetch_add(1, SeqCst);
            line.push(b'x');
            End::Done
        },
        write: &|_, _| Err(io::ErrorKind::BrokenPipe.into()),
    };
    assert_eq!(work.run().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    assert!(begun.load(SeqCst) <= 6, "{begun:?}");
    let panics = Ordered { run: &|_, _, _| panic!("a task"), ..work };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| panics.run())).is_err());
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
        let salt = random(1 << 20) as usize;
        run_all(&sizes, 1 + random(4) as usize, &|key, room| match (
            room,
            (key.0 * 31 + key.1 * 17 + salt) % 5,
        ) {
            (Room::Trial, 0) => End::TooLong(LONG),
            (Room::Trial, 1) => End::TooLong(Duration::from_nanos(1)),
            (Room::Trial | Room::Cpu | Room::Gpu, 2) => End::NeedsAll,
            _ => End::Done,
        });
    }
    // More than may wait, after a file that is read late.
    run_all(&[400, 500, 400], 3, &|key, room| match (room, key.1 % 3) {
        (Room::Trial, 0) => End::TooLong(LONG),
        (Room::Trial | Room::Gpu, 1) => End::NeedsAll,
        _ => End::Done,
    });
}

//! Faults that nothing outside the program can make, so that tests can check what becomes of them: wrong figures, missing points,
//! displaced copies, and failing calls of a real GPU's driver.
//!
//! Code that may fail asks at a *door* whether it should fail now. A planned fault makes the n-th request since it
//! was planned fail, and a lasting one every later request too. Unless a fault is planned, asking costs one relaxed
//! load.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a fault was ever planned in this process.
static ARMED: AtomicBool = AtomicBool::new(false);

/// The places where faults can be injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// A call of the GPU's driver.
    Gpu,
    /// A number of an engine's answer, which is made wrong.
    Answer,
    /// A point of a front that an engine returns, which is left out.
    Point,
    /// A copy from one GPU to another, which is displaced by a cell.
    Exchange,
}

/// Whether the caller should fail now.
#[inline]
pub fn is_shut(door: Door) -> bool {
    ARMED.load(Ordering::Relaxed) && planned::is_shut(door)
}

pub use planned::{Fault, code, free_gpu, from_environment, hits, is_gpu_free, plan};

/// Adds one to a number of an answer, if a fault is due.
pub fn figure<T: std::ops::AddAssign + From<u8>>(figure: &mut T) {
    if is_shut(Door::Answer) {
        *figure += T::from(1);
    }
}

mod planned {
    use super::{ARMED, Door};
    use std::path::PathBuf;
    use std::sync::atomic::Ordering;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// A planned fault.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Fault {
        /// Its place.
        pub door: Door,
        /// Which request at that place fails, counted from 1.
        pub nth: u64,
        /// Whether all later requests fail too.
        pub lasting: bool,
        /// The error code that the GPU's driver reports.
        pub code: u32,
    }

    /// The planned fault and what has happened so far.
    struct State {
        fault: Option<Fault>,
        asked: u64,
        hits: u64,
        /// A file that is created at the first fault.
        report: Option<PathBuf>,
        gpu_is_free: bool,
    }

    static STATE: Mutex<State> =
        Mutex::new(State { fault: None, asked: 0, hits: 0, report: None, gpu_is_free: false });

    fn state() -> MutexGuard<'static, State> {
        STATE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plans a fault for the whole process, or none, and resets the counts.
    pub fn plan(fault: Option<Fault>) {
        let mut state = state();
        ARMED.store(fault.is_some(), Ordering::Relaxed);
        (state.fault, state.asked, state.hits) = (fault, 0, 0);
    }

    /// Faults injected since the last plan.
    pub fn hits() -> u64 {
        state().hits
    }

    /// Whether the caller should fail now.
    pub(super) fn is_shut(door: Door) -> bool {
        let mut state = state();
        let Some(Fault { nth, lasting, .. }) = state.fault.clone().filter(|fault| fault.door == door) else {
            return false;
        };
        state.asked += 1;
        let shut = state.asked == nth || (lasting && state.asked > nth);
        if shut {
            state.hits += 1;
            if let Some(report) = state.report.take() {
                // A test that does not find the file reports that.
                let _ = std::fs::write(report, "");
            }
        }
        shut
    }

    /// The error code that the GPU's driver should report.
    pub fn code() -> u32 {
        state().fault.as_ref().map_or(0, |fault| fault.code)
    }

    /// Makes the planner believe, or not, that a GPU starts in no time.
    pub fn free_gpu(is_free: bool) {
        state().gpu_is_free = is_free;
    }

    /// Whether the planner should believe that a GPU starts in no time, so that it considers one for small problems
    /// too.
    pub fn is_gpu_free() -> bool {
        state().gpu_is_free
    }

    /// Plans the fault given in the environment: `ISX_FAULTS=DOOR:N`, `DOOR:N+` for a lasting one, `gpu:N:CODE`. The
    /// first fault creates the file named by `ISX_FAULTS_TOLD`; `ISX_FAULTS_FREE_GPU` makes the planner believe that
    /// a GPU starts in no time.
    ///
    /// Ends the program if the value is invalid: a test that injects no fault proves nothing.
    pub fn from_environment() {
        let mut state = state();
        state.report = std::env::var_os("ISX_FAULTS_TOLD").map(PathBuf::from);
        state.gpu_is_free = std::env::var_os("ISX_FAULTS_FREE_GPU").is_some();
        let Ok(text) = std::env::var("ISX_FAULTS") else { return };
        state.fault = read(&text);
        ARMED.store(true, Ordering::Relaxed);
        if state.fault.is_none() {
            eprintln!("ISX_FAULTS={text} is not a fault: write DOOR:N, for example answer:1");
            std::process::exit(101);
        }
    }

    fn read(text: &str) -> Option<Fault> {
        let mut parts = text.split(':');
        let door = match parts.next()? {
            "gpu" => Door::Gpu,
            "answer" => Door::Answer,
            "point" => Door::Point,
            "exchange" => Door::Exchange,
            _ => return None,
        };
        let nth = parts.next()?;
        let (nth, lasting) = nth.strip_suffix('+').map_or((nth, false), |nth| (nth, true));
        let code = parts.next().map_or(Some(0), |code| code.parse().ok())?;
        Some(Fault { door, nth: nth.parse().ok()?, lasting, code })
    }
}

//! Developers' chores for isx.

fn main() {
    eprintln!("no chores yet");
    std::process::exit(2);
}

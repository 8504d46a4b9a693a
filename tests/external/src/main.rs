//! A front in ten lines, by an external user of the library. The book (`docs/installing.md`) shows these lines.

use isx::explore::Options;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let task_set = isx::taskset::read_file("tasksets/tutorial.yaml".as_ref())?.task_set;
    let explored = isx::explore(&task_set, &Options::default())?;
    for (point, design) in explored.designs() {
        println!("{} {} {:?}", design.area(), design.utilization, design.schedulable);
        for (task, choice) in point.chosen() {
            println!("  {}: {}", task.name, choice.map_or("software", |choice| &choice.name));
        }
    }
    Ok(())
}

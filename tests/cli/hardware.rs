//! `isx devices` lists FPGAs, `isx engines` what this machine computes with; `--device` is an FPGA, `--gpu` a GPU.

use super::scene::Scene;

const KNAPSACK: &str = "4 20\n9 7\n12 9\n5 6\n11 12\n";

#[test]
fn devices_are_the_fpgas_that_fit_knows() {
    let scene = Scene::new();
    let table = scene.isx("devices").code(0).stdout;
    let row = table.lines().find(|line| line.starts_with("iCE40UP5K ")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["iCE40UP5K", "5280", "5280", "30", "8", "iCE40", "UltraPlus", "UP5K"]
    );
    assert_eq!(table.lines().last(), Some("`isx engines` lists the GPUs of this machine."));
    let printed = scene.isx("devices --json").code(0).json();
    assert_eq!(printed["schema"], "isx.devices/1");
    let devices = printed["devices"].as_array().unwrap();
    // A heading and three lines of other words.
    assert_eq!(devices.len() + 3, table.lines().count());
    scene.write("tiny.yaml", "name: t\nresources: [LUT]\ntasks: [{name: a, wcet: 1, period: 2}]\n");
    for device in devices {
        let name = device["name"].as_str().unwrap();
        let names = device["also"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
        for name in names.chain([name]) {
            scene.isx(&format!("check tiny.yaml --device {name} -q")).code(0);
        }
        assert!(
            device["resources"].as_array().unwrap().len() >= 4 && device["source"].is_string(),
            "{device}"
        );
        assert!(table.contains(&format!("\n{name} ")), "{name}");
    }
}

#[test]
fn a_gpu_is_chosen_by_one_flag_and_an_fpga_by_another() {
    let scene = Scene::new();
    scene.write("k", KNAPSACK);
    scene.isx("solve knapsack k --gpu 0 --gpu-memory 1GB").code(0);
    scene.isx("solve knapsack k --device 0").refused(2, &["unexpected argument '--device'", "`--gpu <N>`"]);
    scene
        .isx("solve knapsack k --device-memory 1GB")
        .refused(2, &["'--device-memory'", "`--gpu-memory <BYTES>`"]);
    scene.isx("explore k --device-memory 1GB").refused(2, &["`--gpu-memory <BYTES>`"]);
    scene
        .isx("solve knapsack k k --gpu 0,1")
        .refused(2, &["several problems have one GPU: name it with --gpu N"]);
    let help = scene.isx("solve knapsack --help").code(0).stdout;
    assert!(help.contains("--gpu-memory") && !help.contains("--device"), "{help}");
}

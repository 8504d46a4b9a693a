use isx::engine::*;
use isx::problem::mckp::*;
use isx::reduce::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let m: usize = a[1].parse().unwrap();
    let n: usize = a[2].parse().unwrap();
    let wmax: u64 = a[3].parse().unwrap();
    let vmax: u64 = a[4].parse().unwrap();
    let corr = a[5] == "c";
    let eng = &a[6];
    let mut s = 12345u64;
    let mut r = move |k: u64| {
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (s >> 33) % k
    };
    let mut classes = vec![];
    for _ in 0..m {
        let mut w: Vec<u64> = (0..n).map(|_| 1 + r(wmax)).collect();
        let mut v: Vec<u64> = (0..n).map(|_| 1 + r(vmax)).collect();
        if corr {
            w.sort();
            v.sort();
        }
        classes
            .push(w.iter().zip(&v).map(|(&w, &v)| Item { value: v as i64, weight: w }).collect::<Vec<_>>());
    }
    let p = Mckp { classes, capacity: u64::MAX / 4, choice: Choice::Optional };
    let t = std::time::Instant::now();
    let red = reduce(&p, Options::default()).unwrap();
    println!("reduce {:?} items {} cap {} tier {}", t.elapsed(), red.items(), red.capacity(), red.tier());
    let c = Context::default();
    let x = by_name(eng).unwrap().solve(&red, Wanted::AllPicks, &c).unwrap();
    println!(
        "{} points {} updates {:e} solve {:?} traceback {:?}",
        x.ran_on,
        x.weights.len(),
        x.updates as f64,
        x.solve,
        x.traceback
    );
}

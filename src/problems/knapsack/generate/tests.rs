use super::*;

fn recipe(kind: Kind) -> KnapsackRecipe {
    KnapsackRecipe { kind, items: 2_000, range: 10_000, ..KnapsackRecipe::default() }
}

#[test]
fn every_kind_keeps_its_relation_of_profit_to_weight() {
    for (kind, name) in Kind::ALL {
        assert_eq!((name.parse(), kind.to_string()), (Ok(kind), name.to_owned()));
        let problem = generate_knapsack(&recipe(kind)).unwrap();
        assert_eq!(problem, generate_knapsack(&recipe(kind)).unwrap(), "{name}: the seed names the problem");
        let another = KnapsackRecipe { seed: 2, ..recipe(kind) };
        assert_ne!(problem, generate_knapsack(&another).unwrap(), "{name}");
        assert_eq!(problem.items.len(), 2_000);
        let weight: u64 = problem.items.iter().map(|item| item.weight).sum();
        if kind != Kind::Jooken {
            assert_eq!(problem.capacity, weight / 2, "{name}");
        }
        for item in &problem.items {
            let (profit, weight) = (item.profit, i128::from(item.weight));
            let most = match kind {
                Kind::Boyer => 1_000,
                Kind::SimilarWeights => 100_100,
                Kind::InverseStrong => 11_000,
                Kind::Jooken => 1_000_000,
                _ => 10_000,
            };
            assert!(profit >= 1 && (1..=most).contains(&weight), "{name}: {item:?}");
            let holds = match kind {
                Kind::Boyer => profit == weight + 50,
                Kind::Weak => (profit - weight).abs() <= 1_000,
                Kind::Strong => profit == weight + 1_000,
                Kind::InverseStrong => weight == profit + 1_000,
                Kind::AlmostStrong => (profit - weight - 1_000).abs() <= 20,
                Kind::SubsetSum => profit == weight,
                Kind::MultipleStrong => profit == weight + if weight % 6 == 0 { 3_000 } else { 2_000 },
                Kind::ProfitCeiling => profit % 3 == 0 && (0..3).contains(&(profit - weight)),
                // Floor of the root: its square is not larger, that of the next integer is.
                Kind::Circle => {
                    let square = 4 * (20_000i128 * 20_000 - (weight - 20_000).pow(2));
                    (3 * profit).pow(2) <= square && square < (3 * (profit + 1)).pow(2)
                }
                _ => true,
            };
            assert!(holds, "{name}: {item:?}");
        }
    }
}

#[test]
fn spanners_are_multiples_of_two_items() {
    for kind in [Kind::SpannerUncorrelated, Kind::SpannerWeak, Kind::SpannerStrong] {
        let mut items = generate_knapsack(&recipe(kind)).unwrap().items;
        items.sort_unstable_by_key(|item| (item.weight, item.profit));
        items.dedup();
        assert!((11..=20).contains(&items.len()), "{kind}: {}", items.len());
    }
}

#[test]
fn groups_halve_and_the_rest_is_small() {
    let problem = generate_knapsack(&recipe(Kind::Jooken)).unwrap();
    assert_eq!(problem.capacity, 1_000_000);
    for (at, item) in problem.items.iter().enumerate() {
        // 1,800 items in five groups of 360.
        let center = if at < 1_800 { 1_000_000 >> (at / 360 + 1) } else { 0 };
        let center = if center > 0 { center + 100 } else { 0 };
        assert!((center + 1..=center + 100).contains(&item.weight), "{at}: {item:?}");
        assert!((center + 1..=center + 100).contains(&(item.profit as u64)), "{at}: {item:?}");
    }
}

#[test]
fn what_is_out_of_range_is_refused_by_name() {
    let field = |recipe: KnapsackRecipe| generate_knapsack(&recipe).unwrap_err().field;
    let jooken = |groups| KnapsackRecipe { kind: Kind::Jooken, groups, ..KnapsackRecipe::default() };
    let base = KnapsackRecipe::default;
    assert_eq!(field(KnapsackRecipe { items: MAX_ITEMS + 1, ..base() }), "items");
    assert_eq!(field(KnapsackRecipe { range: 0, ..base() }), "range");
    assert_eq!(field(KnapsackRecipe { load: Rational::from(BigInt::from(-1)), ..base() }), "load");
    let beyond = Rational::from(BigInt::from(1u64 << 62));
    assert_eq!(field(KnapsackRecipe { load: beyond, items: 1, ..base() }), "load");
    assert_eq!(field(jooken(Groups { groups: 1, ..Groups::default() })), "groups");
    assert_eq!(field(jooken(Groups { small: 0, ..Groups::default() })), "small");
    assert_eq!(field(jooken(Groups { capacity: 1 << 61, ..Groups::default() })), "capacity");
    let two = Rational::from(BigInt::from(2));
    assert_eq!(field(jooken(Groups { epsilon: two.clone(), ..Groups::default() })), "epsilon");
    assert_eq!(field(jooken(Groups { small_share: two, ..Groups::default() })), "small-share");
    assert!("Boyer".parse::<Kind>().is_err());
    let none = generate_knapsack(&KnapsackRecipe { items: 0, ..base() }).unwrap();
    assert_eq!((none.items.len(), none.capacity), (0, 0));
    let large = KnapsackRecipe { range: MAX_RANGE, items: 100, ..base() };
    for (kind, _) in Kind::ALL {
        assert!(generate_knapsack(&KnapsackRecipe { kind, ..large.clone() }).is_ok(), "{kind}");
    }
}

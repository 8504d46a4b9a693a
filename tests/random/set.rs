//! A task set as the tester draws it: whole numbers, and the YAML that isx reads. Nothing here is of isx.

use super::Random;
use std::fmt::Write;

/// A random task set with all that a file may say. Costs are counted in `1 / 10^cost_decimals`, times without a clock in
/// `1 / 10^time_decimals`; with a clock execution is in cycles, periods, deadlines and jitter are in seconds.
#[derive(Clone, Debug)]
pub struct Set {
    pub scheduler: &'static str,
    /// In hertz, as every `fmax`.
    pub clock: Option<i128>,
    pub cost_decimals: u32,
    pub time_decimals: u32,
    /// The number of resources; `None` is one area.
    pub resources: Option<usize>,
    /// Empty: all.
    pub objectives: Vec<usize>,
    pub base: Vec<i128>,
    pub device: Option<Vec<i128>>,
    /// In percent.
    pub fill: i128,
    pub switch: i128,
    pub blocks: Vec<Block>,
    pub variants: Vec<Variant>,
    /// 0 is one that has no name.
    pub modes: usize,
    /// The area of one of several cores.
    pub core: Option<i128>,
    /// How many fifths of all execution are left by a question, and by how many percent it makes them longer.
    pub fifths: i128,
    pub margin: i128,
    /// How many tasks take longer than their WCET at a time, if a question asks about that.
    pub overruns: Option<usize>,
    /// Two tasks that no core has both.
    pub apart: Option<(usize, usize)>,
    pub tasks: Vec<Task>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub cost: Vec<i128>,
    pub slot: Option<u32>,
    /// Whether several cores have it once.
    pub on_chip: bool,
    pub fmax: Option<i128>,
    pub switch: i128,
    /// Blocks that are built with it; all are before it.
    pub needs: Vec<usize>,
    /// Blocks that are never built beside it.
    pub excludes: Vec<usize>,
    /// Blocks whose work it does.
    pub provides: Vec<usize>,
    /// Whether a question forbids it.
    pub is_forbidden: bool,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub cost: Vec<i128>,
    pub fmax: Option<i128>,
}

#[derive(Clone, Debug)]
pub struct Task {
    /// In every place: variant times modes plus mode.
    pub wcet: Vec<i128>,
    /// Period and deadline in every mode in which it runs.
    pub timing: Vec<Option<(i128, i128)>>,
    pub priority: Option<u32>,
    pub jitter: i128,
    pub blocking: i128,
    /// `None`: all of it.
    pub nonpreemptive: Option<i128>,
    pub locks: Vec<(u32, i128)>,
    /// By how much it may overrun.
    pub beyond: Option<i128>,
    /// Its core.
    pub pin: Option<usize>,
    /// Where there are any, its choices are their combinations.
    pub parts: Vec<Part>,
    pub choices: Vec<Choice>,
    /// What a question forces: software, or a choice as it is written.
    pub forced: Option<Option<usize>>,
}

/// A part of a task, whose choices have as `wcet` what they save.
#[derive(Clone, Debug)]
pub struct Part {
    pub wcet: Option<Vec<i128>>,
    pub choices: Vec<Choice>,
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub cost: Vec<i128>,
    pub wcet: Vec<i128>,
    pub uses: Vec<usize>,
    /// In place of those of the task.
    pub locks: Option<Vec<(u32, i128)>>,
    pub beyond: Option<i128>,
    /// Whether a question forbids it.
    pub is_forbidden: bool,
    /// What it is of each part of its task: a choice as it is written, on these blocks.
    pub taken: Vec<Option<(usize, Vec<usize>)>>,
    /// Whether it is not written, but another way to run one that is.
    pub is_way: bool,
}

impl Set {
    /// All that is built with these blocks, in order.
    pub fn closed(&self, blocks: &[usize]) -> Vec<usize> {
        let mut all = blocks.to_vec();
        for at in (0..self.blocks.len()).rev() {
            if all.contains(&at) {
                all.extend(&self.blocks[at].needs);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether two blocks are never built together.
    pub fn exclude(&self, one: usize, other: usize) -> bool {
        let [first, second] = [&self.blocks[one], &self.blocks[other]];
        one != other
            && (first.slot.is_some() && first.slot == second.slot
                || first.excludes.contains(&other)
                || second.excludes.contains(&one))
    }

    pub fn fit(&self, blocks: &[usize]) -> bool {
        blocks.iter().all(|&one| !blocks.iter().any(|&other| self.exclude(one, other)))
    }

    /// The sets of blocks that a choice can use, as it is written first.
    fn ways_of(&self, uses: &[usize]) -> Vec<Vec<usize>> {
        let mut ways = vec![Vec::new()];
        for &block in uses {
            let on = (0..self.blocks.len()).filter(|&other| self.blocks[other].provides.contains(&block));
            let on: Vec<usize> = [block].into_iter().chain(on).collect();
            ways = ways
                .iter()
                .flat_map(|way| on.iter().map(move |&block| [&way[..], &[block]].concat()))
                .collect();
        }
        let closed: Vec<Vec<usize>> = ways.iter().map(|way: &Vec<usize>| self.closed(way)).collect();
        closed.into_iter().filter(|way| self.fit(way)).collect()
    }

    /// The choices of a list, each in all its ways.
    fn in_ways(&self, written: &[Choice]) -> Vec<Choice> {
        let of_one = |(at, choice): (usize, &Choice)| {
            let ways = self.ways_of(&choice.uses).into_iter().enumerate();
            let own = choice.clone();
            let way = move |(number, uses): (usize, Vec<usize>)| Choice {
                taken: vec![Some((at, uses.clone()))],
                is_way: number > 0,
                uses: if number > 0 { uses } else { own.uses.clone() },
                ..own.clone()
            };
            ways.map(way).collect::<Vec<_>>()
        };
        written.iter().enumerate().flat_map(of_one).collect()
    }

    /// Writes out the ways to run choices and the combinations of parts.
    pub fn expand(&mut self) {
        for at in 0..self.tasks.len() {
            let task = &self.tasks[at];
            let choices = if task.parts.is_empty() {
                let written: Vec<Choice> =
                    task.choices.iter().filter(|choice| !choice.is_way).cloned().collect();
                self.in_ways(&written)
            } else {
                self.combined(task)
            };
            self.tasks[at].choices = choices;
        }
    }

    /// The combinations of the parts of a task; of the last part what is taken changes least often.
    fn combined(&self, task: &Task) -> Vec<Choice> {
        let nothing = Choice {
            cost: vec![0; self.columns()],
            wcet: task.wcet.clone(),
            uses: Vec::new(),
            locks: None,
            beyond: task.beyond,
            is_forbidden: false,
            taken: Vec::new(),
            is_way: false,
        };
        let mut all = vec![nothing];
        for part in &task.parts {
            let own = self.in_ways(&part.choices);
            let with = |before: &Choice, own: &Choice| Choice {
                cost: before.cost.iter().zip(&own.cost).map(|(one, other)| one + other).collect(),
                wcet: before.wcet.iter().zip(&own.wcet).map(|(wcet, saved)| wcet - saved).collect(),
                uses: self.closed(&[&before.uses[..], &own.uses[..]].concat()),
                taken: [&before.taken[..], &own.taken[..]].concat(),
                ..before.clone()
            };
            let without = all
                .iter()
                .map(|before| Choice { taken: [&before.taken[..], &[None]].concat(), ..before.clone() });
            let taking = own.iter().flat_map(|own| all.iter().map(move |before| with(before, own)));
            all = without.chain(taking).collect();
        }
        // Software is none of the choices.
        all.into_iter().skip(1).filter(|choice| self.fit(&choice.uses)).collect()
    }

    /// What a design may take for a task.
    pub fn ways(&self, task: &Task) -> Vec<Option<usize>> {
        let is_allowed = |choice: &Choice| {
            !choice.is_forbidden
                && self.closed(&choice.uses).iter().all(|&block| !self.blocks[block].is_forbidden)
        };
        let is_it =
            |choice: &Choice, forced: usize| choice.taken[0].as_ref().is_some_and(|(at, _)| *at == forced);
        let allowed = (0..task.choices.len()).filter(|&choice| is_allowed(&task.choices[choice]));
        match task.forced {
            Some(Some(forced)) => {
                allowed.filter(|&choice| is_it(&task.choices[choice], forced)).map(Some).collect()
            }
            Some(None) => vec![None],
            None => [None].into_iter().chain(allowed.map(Some)).collect(),
        }
    }

    /// What a question makes of all execution, as a fraction.
    pub fn longer(&self) -> (i128, i128) {
        ((100 + self.margin) * self.fifths, 500)
    }

    pub fn columns(&self) -> usize {
        self.resources.unwrap_or(1)
    }

    /// Whether hardware is one area, or one resource that says no more.
    pub fn is_area(&self) -> bool {
        let blocks = self.blocks.iter().map(|block| &block.cost);
        let costs = blocks.chain(self.variants.iter().map(|variant| &variant.cost));
        let choices = self.tasks.iter().flat_map(|task| &task.choices).map(|choice| &choice.cost);
        let frees = costs.chain(choices).flatten().any(|cost| *cost < 0);
        let is_bare = self.columns() == 1 && self.base == [0] && self.device.is_none() && !frees;
        self.resources.is_none() || is_bare
    }

    /// The cost of one of several cores.
    pub fn core_cost(&self) -> Vec<i128> {
        let mut cost = vec![self.core.unwrap_or(0)];
        cost.resize(self.columns(), 1);
        cost
    }

    /// The resources that the front is computed for.
    pub fn spans(&self) -> Vec<usize> {
        if self.objectives.is_empty() { (0..self.columns()).collect() } else { self.objectives.clone() }
    }

    /// Places of a WCET.
    pub fn places(&self) -> usize {
        self.variants.len().max(1) * self.modes.max(1)
    }

    /// The choices that a question forces, as isx takes them.
    pub fn forced(&self) -> impl Iterator<Item = String> {
        let name =
            |forced: Option<usize>| forced.map_or("software".to_owned(), |choice| format!("c{choice}"));
        let tasks = self.tasks.iter().enumerate();
        tasks.filter_map(move |(at, task)| Some(format!("t{at}={}", name(task.forced?))))
    }

    /// Those that it forbids.
    pub fn forbidden(&self) -> impl Iterator<Item = String> {
        let of_task = |(at, task): (usize, &Task)| {
            let written = task.choices.iter().filter(|choice| !choice.is_way).enumerate();
            written
                .filter(|(_, choice)| choice.is_forbidden)
                .map(|(choice, _)| format!("t{at}=c{choice}"))
                .collect::<Vec<_>>()
        };
        let blocks = (0..self.blocks.len()).filter(|&block| self.blocks[block].is_forbidden);
        self.tasks.iter().enumerate().flat_map(of_task).chain(blocks.map(|block| format!("b{block}")))
    }

    /// What a question changes, as flags.
    pub fn flags(&self) -> String {
        let forced = self.forced().map(|choice| format!(" --force {choice}"));
        let flags = forced.chain(self.forbidden().map(|choice| format!(" --forbid {choice}")));
        let margin = (self.margin > 0).then(|| format!(" --margin {}%", self.margin));
        let scale = (self.fifths != 5).then(|| format!(" --scale-wcet {}", decimal(2 * self.fifths, 1)));
        let overruns = self.overruns.map(|most| format!(" --overruns {most}"));
        flags.chain(margin).chain(scale).chain(overruns).collect()
    }

    /// The number of designs, whatever their slots and limits.
    pub fn designs(&self) -> u64 {
        let ways = self.tasks.iter().map(|task| self.ways(task).len() as u64);
        ways.product::<u64>() * self.variants.len().max(1) as u64
    }

    fn has_locks(&self) -> bool {
        let of_choices =
            |task: &Task| task.choices.iter().filter_map(|choice| choice.locks.clone()).flatten().count();
        self.tasks.iter().any(|task| !task.locks.is_empty() || of_choices(task) > 0)
    }

    /// Whether isx distributes such a set among cores.
    pub fn takes_cores(&self) -> bool {
        self.resources.is_none() && self.variants.is_empty() && self.modes == 0 && !self.has_locks()
    }

    /// Whether some task has more than WCET, period and deadline.
    pub fn has_kernel_costs(&self) -> bool {
        let waits = |task: &Task| task.jitter > 0 || task.blocking > 0 || task.nonpreemptive != Some(0);
        self.has_locks() || self.tasks.iter().any(waits)
    }

    pub fn has_switches(&self) -> bool {
        self.switch > 0 || self.blocks.iter().any(|block| block.switch > 0)
    }

    /// Whether some task is due in the first half of its period: then which tasks to hasten is the question.
    pub fn is_urgent(&self) -> bool {
        self.tasks.iter().any(|task| task.timing.iter().flatten().any(|(period, due)| 2 * due <= *period))
    }

    /// Whether jobs of a task with parts may overlap under fixed priorities, which no certificate states.
    pub fn may_overlap(&self) -> bool {
        let is_late = |task: &Task| task.timing.iter().flatten().any(|(period, deadline)| deadline > period);
        self.scheduler != "edf"
            && self.tasks.iter().any(|task| !task.parts.is_empty())
            && self.tasks.iter().any(is_late)
    }

    /// Whether utilization decides, of one area in one mode and variant.
    pub fn is_plain(&self) -> bool {
        let is_plain = |task: &Task| task.timing[0].is_some_and(|(period, deadline)| deadline >= period);
        let is_one = self.resources.is_none() && self.variants.is_empty() && self.modes == 0;
        is_one && self.scheduler == "edf" && !self.has_kernel_costs() && self.tasks.iter().all(is_plain)
    }

    /// What kind of set it is, for the count of kinds.
    pub fn kind(&self) -> String {
        let mut kind = match self.resources {
            None => "one area".to_owned(),
            Some(count) => format!("{count} resources"),
        };
        for (is_so, name) in [
            (!self.blocks.is_empty(), "blocks"),
            (!self.variants.is_empty(), "variants"),
            (self.modes > 0, "modes"),
            (self.core.is_some(), "cores"),
            (self.overruns.is_some(), "overruns"),
        ] {
            if is_so {
                kind += ", ";
                kind += name;
            }
        }
        kind
    }

    fn time(&self, value: i128) -> String {
        decimal(value, self.time_decimals)
    }

    /// A period, deadline or jitter.
    fn span(&self, value: i128) -> String {
        self.time(value) + if self.clock.is_some() { " s" } else { "" }
    }

    fn price(&self, cost: &[i128]) -> String {
        match self.resources {
            None => format!("area: {}", decimal(cost[0], self.cost_decimals)),
            Some(_) => format!("cost: {}", self.amounts(cost)),
        }
    }

    fn amounts(&self, cost: &[i128]) -> String {
        let named = |(at, value): (usize, &i128)| format!("r{at}: {}", decimal(*value, self.cost_decimals));
        format!("{{{}}}", join(cost.iter().enumerate().map(named)))
    }

    /// A time of execution in every place; `runs` says in which modes there is one.
    fn execution(&self, times: &[i128], runs: &[bool]) -> String {
        let modes = self.modes.max(1);
        let in_modes = |of_variant: &[i128]| {
            if self.modes == 0 || of_variant.iter().all(|time| *time == of_variant[0]) {
                return self.time(of_variant[0]);
            }
            let named = (0..modes)
                .filter(|&mode| runs[mode])
                .map(|mode| format!("m{mode}: {}", self.time(of_variant[mode])));
            format!("{{{}}}", join(named))
        };
        if times.len() == modes || times.iter().all(|time| *time == times[0]) {
            return in_modes(&times[..modes]);
        }
        let named = |(at, of_variant)| format!("v{at}: {}", in_modes(of_variant));
        format!("{{{}}}", join(times.chunks(modes).enumerate().map(named)))
    }

    fn locks(&self, locks: &[(u32, i128)]) -> String {
        format!("{{{}}}", join(locks.iter().map(|(name, time)| format!("l{name}: {}", self.time(*time)))))
    }

    /// The file.
    pub fn yaml(&self) -> String {
        let mut yaml = format!("name: random\nscheduler: {}\n", self.scheduler);
        let mut line = |text: String| writeln!(yaml, "{text}").unwrap();
        if let Some(clock) = self.clock {
            line(format!("clock: {clock} Hz"));
        }
        if let Some(count) = self.resources {
            line(format!("resources: [{}]", join((0..count).map(|at| format!("r{at}")))));
            line(format!("base: {}", self.amounts(&self.base)));
        }
        if !self.objectives.is_empty() {
            line(format!("objectives: [{}]", join(self.objectives.iter().map(|at| format!("r{at}")))));
        }
        if let Some(device) = &self.device {
            line(format!("device: {{name: fpga, {}\nfill: {} %", &self.amounts(device)[1..], self.fill));
        }
        if self.core.is_some() {
            line(format!("cores: {{count: 1..3, {}}}", self.price(&self.core_cost())));
        }
        if self.switch > 0 {
            line(format!("switch: {}", self.time(self.switch)));
        }
        if self.modes > 0 {
            line(format!("modes: [{}]", join((0..self.modes).map(|at| format!("m{at}")))));
        }
        let fmax = |fmax: &Option<i128>| fmax.map_or_else(String::new, |fmax| format!(", fmax: {fmax} Hz"));
        if !self.variants.is_empty() {
            line("variants:".to_owned());
        }
        for (at, variant) in self.variants.iter().enumerate() {
            line(format!("- {{name: v{at}, {}{}}}", self.price(&variant.cost), fmax(&variant.fmax)));
        }
        if !self.blocks.is_empty() {
            line("blocks:".to_owned());
        }
        for (at, block) in self.blocks.iter().enumerate() {
            let slot = block.slot.map_or_else(String::new, |slot| format!(", slot: s{slot}"));
            let slot = if block.on_chip { slot + ", scope: chip" } else { slot };
            let switch = if block.switch > 0 {
                format!(", switch: {}", self.time(block.switch))
            } else {
                String::new()
            };
            let list = |key: &str, others: &[usize]| match others {
                [] => String::new(),
                _ => format!(", {key}: [{}]", join(others.iter().map(|block| format!("b{block}")))),
            };
            let relations = list("needs", &block.needs)
                + &list("excludes", &block.excludes)
                + &list("provides", &block.provides);
            line(format!(
                "- {{name: b{at}, {}{}{slot}{switch}{relations}}}",
                self.price(&block.cost),
                fmax(&block.fmax)
            ));
        }
        line("tasks:".to_owned());
        for (at, task) in self.tasks.iter().enumerate() {
            line(self.task(at, task));
        }
        yaml
    }

    fn task(&self, at: usize, task: &Task) -> String {
        let runs: Vec<bool> = task.timing.iter().map(Option::is_some).collect();
        let per_mode = |of: &dyn Fn(&(i128, i128)) -> i128| {
            let times: Vec<Option<String>> = task
                .timing
                .iter()
                .map(|timing| timing.as_ref().map(|timing| self.span(of(timing))))
                .collect();
            if times.iter().all(|time| *time == times[0]) {
                return times[0].clone().unwrap_or_default();
            }
            let named = times
                .iter()
                .enumerate()
                .filter_map(|(mode, time)| Some(format!("m{mode}: {}", time.as_ref()?)));
            format!("{{{}}}", join(named))
        };
        let mut text = format!(
            "- {{name: t{at}, wcet: {}, period: {}",
            self.execution(&task.wcet, &runs),
            per_mode(&|timing| timing.0)
        );
        let mut key = |is_given: bool, key: &str, value: String| {
            if is_given {
                write!(text, ", {key}: {value}").unwrap();
            }
        };
        let is_implicit = task.timing.iter().flatten().all(|(period, deadline)| period == deadline);
        key(!is_implicit, "deadline", per_mode(&|timing| timing.1));
        key(task.priority.is_some(), "priority", task.priority.unwrap_or(0).to_string());
        key(task.jitter > 0, "jitter", self.span(task.jitter));
        key(task.blocking > 0, "blocking", self.time(task.blocking));
        let part = task.nonpreemptive.map_or("all".to_owned(), |part| self.time(part));
        key(task.nonpreemptive != Some(0), "nonpreemptive", part);
        key(!task.locks.is_empty(), "locks", self.locks(&task.locks));
        let high = |wcet: &[i128], beyond: Option<i128>| self.time(wcet[0] + beyond.unwrap_or(0));
        key(task.beyond.is_some(), "wcet_high", high(&task.wcet, task.beyond));
        key(task.pin.is_some(), "core", task.pin.unwrap_or(0).to_string());
        let apart = self.apart.filter(|(first, _)| *first == at);
        key(apart.is_some(), "apart", format!("[t{}]", apart.map_or(0, |(_, other)| other)));
        let written = |key: &str, at: usize, choice: &Choice| {
            let uses = join(choice.uses.iter().map(|block| format!("b{block}")));
            let mut text = format!(
                "{{name: c{at}, {}, {key}: {}",
                self.price(&choice.cost),
                self.execution(&choice.wcet, &runs)
            );
            if !uses.is_empty() {
                write!(text, ", uses: [{uses}]").unwrap();
            }
            if let Some(locks) = &choice.locks {
                write!(text, ", locks: {}", self.locks(locks)).unwrap();
            }
            if choice.beyond.is_some() {
                write!(text, ", wcet_high: {}", high(&choice.wcet, choice.beyond)).unwrap();
            }
            text + "}"
        };
        for (at, part) in task.parts.iter().enumerate() {
            let choice = |(number, own): (usize, &Choice)| match &part.wcet {
                None => written("saves", number, own),
                Some(wcet) => {
                    let left = wcet.iter().zip(&own.wcet).map(|(wcet, saved)| wcet - saved).collect();
                    written("wcet", number, &Choice { wcet: left, ..own.clone() })
                }
            };
            let own = part
                .wcet
                .as_ref()
                .map_or_else(String::new, |wcet| format!(" wcet: {},", self.execution(wcet, &runs)));
            let begin = if at == 0 { ", parts: [" } else { ", " };
            let choices = join(part.choices.iter().enumerate().map(choice));
            write!(text, "{begin}\n    {{name: p{at},{own} choices: [{choices}]}}").unwrap();
        }
        if !task.parts.is_empty() {
            return text + "]}";
        }
        let choices = task.choices.iter().filter(|choice| !choice.is_way).enumerate();
        let choices: Vec<String> = choices.map(|(at, choice)| written("wcet", at, choice)).collect();
        if !choices.is_empty() {
            write!(text, ", choices: [\n    {}]", choices.join(",\n    ")).unwrap();
        }
        text + "}"
    }
}

fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// `value / 10^decimals`.
pub fn decimal(value: i128, decimals: u32) -> String {
    let (sign, value, one) = (if value < 0 { "-" } else { "" }, value.abs(), 10i128.pow(decimals));
    if decimals == 0 {
        return format!("{sign}{value}");
    }
    format!("{sign}{}.{:0width$}", value / one, value % one, width = decimals as usize)
}

/// What the draws of one set have in common.
struct Draw<'a> {
    random: &'a mut Random,
    columns: usize,
    least: i128,
    most: i128,
    /// Digits of periods; 0 takes small ones with a small common multiple.
    digits: u32,
    clock: Option<i128>,
    has_locks: bool,
    has_waits: bool,
    /// Whether some tasks are due long before their period ends.
    is_urgent: bool,
}

impl Draw<'_> {
    fn cost(&mut self) -> Vec<i128> {
        let (least, most) = (self.least, self.most);
        (0..self.columns)
            .map(|_| if self.random.one_in(4) { 0 } else { self.random.within(least, most) })
            .collect()
    }

    fn fmax(&mut self) -> Option<i128> {
        self.clock?;
        self.random.one_in(2).then(|| self.random.pick(&[6, 8, 9, 10, 12, 15]))
    }

    fn period(&mut self) -> i128 {
        match self.digits {
            0 if self.is_urgent && self.random.one_in(2) => self.random.pick(&[20, 30, 40, 60]),
            0 => self.random.pick(&[2, 3, 4, 5, 6, 8, 10, 12, 15, 20]),
            digits => self.random.within(10i128.pow(digits - 1), 10i128.pow(digits)) | 1,
        }
    }

    fn locks(&mut self, most: i128) -> Vec<(u32, i128)> {
        let some: Vec<u32> = (0..2).filter(|_| self.has_locks && self.random.one_in(2)).collect();
        some.into_iter().map(|name| (name, self.random.within(0, most))).collect()
    }
}

/// A random set; `is_large` has more designs than are enumerated.
pub fn draw(random: &mut Random, is_large: bool) -> Set {
    let resources = if random.one_in(2) { None } else { Some(random.within(1, 3usize)) };
    let columns = resources.unwrap_or(1);
    let scheduler = random.pick(&["edf", "edf", "edf", "rm", "dm", "fixed"]);
    let clock = random.one_in(3).then_some(12);
    let digits = if random.one_in(4) { random.within(4, 20) } else { 0 };
    let least = if resources.is_some() && random.one_in(3) { -5 } else { 0 };
    let most = random.pick(&[3, 9, 9, 60, 1 << 40]);
    let has_locks = random.one_in(6);
    let has_waits = !has_locks && random.one_in(4) || has_locks && random.one_in(2);
    let is_urgent = !is_large && digits == 0 && random.one_in(6);
    let mut draw = Draw { random, columns, least, most, digits, clock, has_locks, has_waits, is_urgent };
    let count_blocks = if draw.random.one_in(2) { draw.random.within(1, 4usize) } else { 0 };
    let has_switches = draw.random.one_in(6);
    let block = |draw: &mut Draw| Block {
        cost: draw.cost(),
        slot: draw.random.one_in(3).then(|| draw.random.within(0, 1)),
        on_chip: false,
        fmax: draw.fmax(),
        switch: if has_switches && draw.random.one_in(2) { 1 } else { 0 },
        needs: Vec::new(),
        excludes: Vec::new(),
        provides: Vec::new(),
        is_forbidden: false,
    };
    let blocks: Vec<Block> = (0..count_blocks).map(|_| block(&mut draw)).collect();
    let count_variants = if draw.random.one_in(5) { draw.random.within(1, 3usize) } else { 0 };
    let variants: Vec<Variant> =
        (0..count_variants).map(|_| Variant { cost: draw.cost(), fmax: draw.fmax() }).collect();
    let modes = if draw.random.one_in(5) { draw.random.within(1, 3usize) } else { 0 };
    let base: Vec<i128> = draw.cost().into_iter().map(i128::abs).collect();
    let device = (resources.is_some() && draw.random.one_in(2)).then(|| {
        let room = |base: &i128| 2 * (base + draw.random.within(0, 2 * draw.most));
        base.iter().map(room).collect()
    });
    let mut objectives: Vec<usize> =
        (0..columns).filter(|_| resources.is_some() && draw.random.one_in(2)).collect();
    if draw.random.one_in(2) {
        objectives.reverse();
    }
    let mut set = Set {
        scheduler,
        clock,
        cost_decimals: draw.random.pick(&[0, 0, 1, 3]),
        time_decimals: if clock.is_none() { draw.random.pick(&[0, 0, 1]) } else { 0 },
        resources,
        objectives,
        base: if resources.is_some() { base } else { vec![0] },
        device,
        fill: draw.random.pick(&[100, 90, 50]),
        switch: if has_switches { 1 } else { 0 },
        blocks,
        variants,
        modes,
        core: None,
        margin: if draw.random.one_in(12) { draw.random.within(1, 30) } else { 0 },
        fifths: if draw.random.one_in(16) { draw.random.within(1, 8) } else { 5 },
        overruns: None,
        apart: None,
        tasks: Vec::new(),
    };
    let (count, most_choices) = match (is_large, resources) {
        (true, None) => (draw.random.within(6, 10usize), 5),
        // The reference engine compares all with all.
        (true, Some(_)) => (draw.random.within(5, 8usize), 4),
        (false, _) => (draw.random.within(1, 5usize), draw.random.within(1, 3usize)),
    };
    if draw.random.one_in(3) {
        relate(&mut set, draw.random);
    }
    let has_parts = draw.random.one_in(3);
    let (has_short, has_forced) = (draw.random.one_in(3), !is_large && draw.random.one_in(8));
    if has_forced && draw.random.one_in(2) {
        set.blocks.iter_mut().for_each(|block| block.is_forbidden = draw.random.one_in(3));
    }
    let is_short = has_short || scheduler == "dm" && draw.random.one_in(2);
    for at in 0..count {
        let mut task = task(&mut draw, &set, (at, count), most_choices, is_short);
        // The reference engine takes few classes.
        if has_parts && draw.random.one_in(2) && (!is_large || at == 0) {
            task.parts = parts(&mut draw, &set, &task);
            task.choices.clear();
        } else if has_forced && draw.random.one_in(2) {
            let choice = draw.random.within(0, task.choices.len());
            task.forced = Some(choice.checked_sub(1));
        } else if has_forced && !task.choices.is_empty() {
            task.choices[0].is_forbidden = true;
        }
        set.tasks.push(task);
        set.expand();
        if at == 0 && !is_large && set.designs() > MOST_DESIGNS {
            set.tasks[0].parts.clear();
            set.tasks[0].choices.truncate(1);
            set.expand();
        }
        if !is_large && set.designs() > MOST_DESIGNS {
            set.tasks.pop();
            break;
        }
    }
    if set.takes_cores() && draw.random.one_in(3) {
        set.core = Some(draw.cost()[0]);
        // A slot is one of every core or of the chip.
        let random = &mut draw.random;
        let is_on_chip = |slot: Option<u32>| slot.map_or(random.one_in(2), |slot| slot == 0);
        let slots = set.blocks.iter().map(|block| block.slot).map(is_on_chip).collect::<Vec<_>>();
        let has_exclusions = set.blocks.iter().any(|block| !block.excludes.is_empty());
        let all = has_exclusions.then(|| slots.first().copied().unwrap_or_default());
        let slots = slots.iter().map(|own| all.unwrap_or(*own));
        set.blocks.iter_mut().zip(slots).for_each(|(block, on_chip)| block.on_chip = on_chip);
        if random.one_in(3) {
            set.tasks.iter_mut().for_each(|task| task.pin = random.one_in(3).then(|| random.within(0, 2)));
        }
        set.apart = (set.tasks.len() > 1 && random.one_in(4)).then_some((0, 1));
    } else if set.is_plain() && !draw.random.one_in(4) {
        let random = &mut draw.random;
        let mut beyond = || (!random.one_in(4)).then(|| random.within(0, 6));
        for task in &mut set.tasks {
            task.beyond = beyond();
            task.choices.iter_mut().for_each(|choice| choice.beyond = beyond());
        }
        set.tasks[0].beyond = Some(1);
        set.overruns = Some(draw.random.within(0, 3));
    }
    // A mode in which nothing runs is none.
    for mode in 0..modes {
        if set.tasks.iter().all(|task| task.timing[mode].is_none()) {
            let task = &mut set.tasks[0];
            task.timing[mode] = task.timing.iter().flatten().next().copied();
        }
    }
    set.expand();
    set
}

/// Relations of the blocks that do not contradict each other.
fn relate(set: &mut Set, random: &mut Random) {
    for at in 1..set.blocks.len() {
        for other in 0..at {
            let [excludes, needs] = [random.one_in(5), random.one_in(5)];
            if excludes {
                let (one, other) = if random.one_in(2) { (at, other) } else { (other, at) };
                set.blocks[one].excludes.push(other);
            } else if needs {
                set.blocks[at].needs.push(other);
            } else if random.one_in(4) {
                let (one, other) = if random.one_in(2) { (at, other) } else { (other, at) };
                set.blocks[one].provides.push(other);
            }
        }
        let all: Vec<usize> = (0..=at).collect();
        if all.iter().any(|&block| !set.fit(&set.closed(&[block]))) {
            set.blocks.iter_mut().for_each(|block| block.excludes.clear());
            set.blocks[at].needs.clear();
        }
    }
}

/// Parts of a task that leave some of its WCET.
fn parts(draw: &mut Draw, set: &Set, task: &Task) -> Vec<Part> {
    let mut left = task.wcet.clone();
    let mut parts = Vec::new();
    let mut seen: Vec<usize> = Vec::new();
    for _ in 0..draw.random.within(1, 3usize) {
        let most: Vec<i128> =
            left.iter().map(|left| draw.random.within(0, (left - 1).min(left / 2))).collect();
        let is_same = draw.random.one_in(2);
        let least = most.iter().copied().min().unwrap_or(0);
        let mut choices = Vec::new();
        for _ in 0..draw.random.within(1, 2usize) {
            let mut saved: Vec<i128> = most.iter().map(|most| draw.random.within(0, *most)).collect();
            if is_same {
                saved.fill(draw.random.within(0, least));
            }
            let mut uses: Vec<usize> = (0..set.blocks.len()).filter(|_| draw.random.one_in(3)).collect();
            // A block with a switch is of one part alone.
            let is_free = |block: &usize| {
                let all = set.ways_of(&[*block]).concat();
                all.iter().all(|block| set.blocks[*block].switch == 0 || !seen.contains(block))
            };
            uses.retain(is_free);
            while !set.fit(&set.closed(&uses)) {
                uses.pop();
            }
            let mut cost = draw.cost();
            if set.resources.is_none() {
                cost[0] = cost[0].abs();
            }
            let (locks, beyond, is_forbidden) = (None, None, false);
            choices.push(Choice {
                cost,
                wcet: saved,
                uses,
                locks,
                beyond,
                is_forbidden,
                taken: Vec::new(),
                is_way: false,
            });
        }
        let all = choices.iter().flat_map(|choice| set.ways_of(&choice.uses).concat()).collect::<Vec<_>>();
        seen.extend(all);
        let greatest = |at: usize| choices.iter().map(|choice| choice.wcet[at]).max().unwrap_or(0);
        let greatest: Vec<i128> = (0..left.len()).map(greatest).collect();
        let has_room = left.iter().zip(&greatest).all(|(left, saved)| left - saved > 1);
        let wcet = (has_room && draw.random.one_in(2))
            .then(|| greatest.iter().map(|saved| saved + 1).collect::<Vec<_>>());
        let taken = wcet.as_ref().unwrap_or(&greatest);
        left.iter_mut().zip(taken).for_each(|(left, taken)| *left -= taken);
        parts.push(Part { wcet, choices });
    }
    parts
}

/// The most designs that are enumerated.
pub const MOST_DESIGNS: u64 = 320;

fn task(
    draw: &mut Draw,
    set: &Set,
    (at, count): (usize, usize),
    most_choices: usize,
    is_short: bool,
) -> Task {
    let modes = set.modes.max(1);
    let absent: Vec<bool> = (0..modes).map(|_| set.modes > 1 && draw.random.one_in(4)).collect();
    let all_absent = absent.iter().all(|absent| *absent);
    let same = draw.random.one_in(2);
    let first = draw.period();
    let timing = (0..modes).map(|mode| {
        let period = if same || mode == 0 { first } else { draw.period() };
        let deadline = match draw.random.within(0, 3u32) {
            _ if draw.is_urgent && period >= 20 => draw.random.within(2, period / 2),
            0 if is_short => {
                let least = period / draw.random.pick(&[2, 2, 8]);
                draw.random.within(1 + least, period)
            }
            1 if is_short => period - 1 - draw.random.within(0, period / 16),
            2 if draw.random.one_in(3) => draw.random.within(period, 3 * period),
            _ => period,
        };
        (!absent[mode] || all_absent && mode == 0).then_some((period, deadline.max(1)))
    });
    let timing: Vec<Option<(i128, i128)>> = timing.collect();
    let period = timing.iter().flatten().map(|(period, _)| *period).min().unwrap_or(1);
    let cycles = set.clock.unwrap_or(1);
    let earliest = timing.iter().flatten().map(|(_, deadline)| *deadline).min().unwrap_or(period);
    let most = (2 * period * cycles / count as i128).max(1);
    let most = if draw.is_urgent { most.min(earliest * cycles) } else { most };
    let (varies, moded) = (draw.random.one_in(2), draw.random.one_in(2));
    let places = |draw: &mut Draw, most: i128| -> Vec<i128> {
        let own = draw.random.within(1, most);
        let mut times = vec![own; set.places()];
        for place in 0..times.len() {
            times[place] = match (place / modes, place % modes) {
                (variant, 0) if variant > 0 && varies => draw.random.within(1, most),
                (_, mode) if mode > 0 && moded => draw.random.within(1, most),
                (0, 0) => own,
                (_, mode) if mode > 0 => times[place - 1],
                _ => times[place - modes],
            };
        }
        times
    };
    let wcet = places(draw, most);
    let longest = wcet.iter().copied().max().unwrap_or(1);
    let waits = |draw: &mut Draw, most: i128| {
        if draw.has_waits && draw.random.one_in(2) { draw.random.within(0, most) } else { 0 }
    };
    let jitter = if draw.has_locks && set.scheduler == "edf" { 0 } else { waits(draw, period / 2) };
    let jitter = jitter.min(earliest);
    let choice = |draw: &mut Draw| {
        let mut slots = Vec::new();
        let mut uses: Vec<usize> = (0..set.blocks.len()).filter(|_| draw.random.one_in(3)).collect();
        uses.retain(|&block| {
            let slot = set.blocks[block].slot;
            let is_free = slot.is_none() || !slots.contains(&slot);
            slots.push(slot);
            is_free
        });
        let mut cost = draw.cost();
        if set.resources.is_none() {
            cost[0] = cost[0].abs();
        }
        let locks = draw.random.one_in(3).then(|| draw.locks(longest + 1)).filter(|_| draw.has_locks);
        while !set.fit(&set.closed(&uses)) {
            uses.pop();
        }
        let wcet = places(draw, longest);
        Choice {
            cost,
            wcet,
            uses,
            locks,
            beyond: None,
            is_forbidden: false,
            taken: Vec::new(),
            is_way: false,
        }
    };
    let least_choices = if draw.is_urgent { most_choices.min(2) } else { 0 };
    let choices = (0..draw.random.within(least_choices, most_choices)).map(|_| choice(draw)).collect();
    let has_priority = set.scheduler == "fixed" || (set.scheduler != "edf" && draw.random.one_in(4));
    let nonpreemptive = match draw.random.one_in(3) && draw.has_waits {
        true => None,
        false => Some(waits(draw, longest + 1)),
    };
    Task {
        wcet,
        timing,
        priority: has_priority.then(|| if draw.random.one_in(3) { 1 } else { at as u32 + 1 }),
        jitter,
        blocking: waits(draw, most / 4),
        nonpreemptive,
        locks: draw.locks(longest + 1),
        beyond: None,
        pin: None,
        parts: Vec::new(),
        choices,
        forced: None,
    }
}

//! Elements that need no state.

use super::{Reduced, add};
use crate::resources::{Element, Problem};
use std::collections::HashMap;

/// What becomes of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It stays, under a new number.
    Stays(u32),
    /// It is paid for by the items of a class.
    Own(usize),
    /// It is built whatever is taken.
    Built,
    /// No item is left that uses it.
    Unbuilt,
}

impl Reduced {
    /// Removes elements that need no state; `None` if what is built anyway exceeds a limit.
    pub(super) fn settle_elements(&mut self) -> Option<()> {
        let users = self.users();
        self.free_lonely(&users);
        let mut kept: Vec<Element> = Vec::new();
        let mut twins: HashMap<&[(usize, usize)], u32> = HashMap::new();
        let mut fates = Vec::with_capacity(users.len());
        for (element, users) in self.problem.elements.iter().zip(&users) {
            let next = kept.len() as u32;
            let fate = match (users.first(), users.last()) {
                (Some(&(first, _)), Some(&(last, _))) if element.group.is_none() => {
                    if users.iter().any(|&(class, _)| self.is_used_by_all(class, users)) {
                        Fate::Built
                    } else if first == last || element.built == element.unbuilt {
                        Fate::Own(first)
                    } else if let Some(&twin) = twins.get(&users[..]) {
                        add(&mut kept[twin as usize].built, &element.built);
                        add(&mut kept[twin as usize].unbuilt, &element.unbuilt);
                        Fate::Stays(twin)
                    } else {
                        twins.insert(users, next);
                        Fate::Stays(next)
                    }
                }
                (Some(_), Some(_)) => Fate::Stays(next),
                _ => Fate::Unbuilt,
            };
            if fate == Fate::Stays(next) {
                kept.push(element.clone());
            }
            fates.push(fate);
        }
        let elements = std::mem::replace(&mut self.problem.elements, kept);
        for ((element, fate), at) in elements.iter().zip(&fates).zip(0u32..) {
            match fate {
                Fate::Stays(_) => {}
                Fate::Built => self.pay(&element.built)?,
                Fate::Unbuilt => self.pay(&element.unbuilt)?,
                Fate::Own(class) => {
                    for item in &mut self.problem.classes[*class] {
                        let uses = item.uses.contains(&at);
                        add(&mut item.cost, if uses { &element.built } else { &element.unbuilt });
                    }
                }
            }
        }
        for item in self.problem.classes.iter_mut().flatten() {
            let stay = item.uses.iter().filter_map(|&at| match fates[at as usize] {
                Fate::Stays(new) => Some(new),
                _ => None,
            });
            item.uses = stay.collect();
            item.uses.sort_unstable();
            item.uses.dedup();
        }
        Some(())
    }

    /// Elements that are left alone in their group are in none.
    fn free_lonely(&mut self, users: &[Vec<(usize, usize)>]) {
        let mut named: HashMap<u32, usize> = HashMap::new();
        for (element, _) in self.problem.elements.iter().zip(users).filter(|(_, users)| !users.is_empty()) {
            element.group.into_iter().for_each(|group| *named.entry(group).or_default() += 1);
        }
        for element in &mut self.problem.elements {
            element.group = element.group.filter(|group| named.get(group).is_some_and(|&count| count > 1));
        }
    }

    fn is_used_by_all(&self, class: usize, users: &[(usize, usize)]) -> bool {
        users.iter().filter(|&&(user, _)| user == class).count() == self.problem.classes[class].len()
    }

    /// For each element the items that use it, as class and position, in order.
    fn users(&self) -> Vec<Vec<(usize, usize)>> {
        let Problem { classes, elements, .. } = &self.problem;
        let mut users = vec![Vec::new(); elements.len()];
        for (class, items) in classes.iter().enumerate() {
            for (at, item) in items.iter().enumerate() {
                item.uses.iter().for_each(|&element| users[element as usize].push((class, at)));
            }
        }
        users
    }
}

//! Chooses where a table's choices are stored, by the memory of the GPU and the host. Makes no GPU calls.

use crate::wave::Layout;
use crate::wave::WaveError;
use isx_machine::OverMemory;
use isx_machine::cuda::DeviceError;
use std::ops::Range;

/// The most bytes of a group's choices; when streaming to the host, two groups are on the GPU at once.
const MOST_A_GROUP: u64 = 256 << 20;

/// The least number of groups of a table, so that transfers overlap and the computation can be canceled between
/// groups.
const FEWEST_GROUPS: u64 = 16;

/// Where the choices of a table are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: only the last wave is wanted.
    Nowhere,
    /// On the GPU.
    Device,
    /// On the host, streamed there while the table is filled.
    Host,
    /// One piece of them at a time on the GPU; those of other pieces are recomputed.
    Pieces,
}

/// The available memory, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Free on the GPU.
    pub device: u64,
    /// Allowed on the host.
    pub host: u64,
}

/// A table planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub place: Place,
    /// Waves whose choices are stored together.
    pub pieces: Vec<Range<u64>>,
    /// Bytes of choices of a group.
    pub group: u64,
    /// Bytes on the GPU.
    pub device_bytes: u64,
    /// Bytes on the host.
    pub host_bytes: u64,
}

impl Plan {
    /// The first place with enough room, in the order of [`Place`], or `place` if it has enough; `ring` and
    /// `checkpoint` are the bytes of the waves on the GPU, and of those that a restart needs.
    pub fn new(
        layout: &Layout,
        (ring, checkpoint): (u64, u64),
        room: Room,
        keep: bool,
        place: Option<Place>,
    ) -> Result<Self, WaveError> {
        let too_much = |needed| WaveError::Device(DeviceError::Memory { needed, free: room.device });
        let all: Vec<Range<u64>> = std::iter::once(0..layout.waves()).collect();
        let total = layout.total();
        let spread = total / FEWEST_GROUPS;
        let largest = layout.largest(&layout.groups(&(0..layout.waves()), 0));
        let group = spread.min(MOST_A_GROUP).max(largest);
        let plan = |place, pieces, group, device: u64, host| {
            let device_bytes = ring.saturating_add(device);
            Self { place, pieces, group, device_bytes, host_bytes: host }
        };
        if !keep {
            return match ring > room.device {
                true => Err(too_much(ring)),
                false => Ok(plan(Place::Nowhere, all, group, 0, 0)),
            };
        }
        let left = room.device.checked_sub(ring).ok_or_else(|| too_much(ring.saturating_add(largest)))?;
        let is_asked = |of| place.is_none_or(|place| place == of);
        if is_asked(Place::Device) && total <= left {
            return Ok(plan(Place::Device, all, group, total, 0));
        }
        let two = group.min(left / 2).max(largest);
        if is_asked(Place::Host) && 2 * two <= left && total <= room.host {
            return Ok(plan(Place::Host, all, two, 2 * two, total));
        }
        // The most bytes of choices in a piece; fewer pieces are better.
        let pieces = layout.in_pieces_of(left);
        let device = layout.largest(&pieces);
        if device > left {
            return Err(too_much(ring.saturating_add(device)));
        }
        let host = checkpoint.saturating_mul(pieces.len() as u64 - 1);
        if host > room.host {
            return Err(OverMemory { needed: host, allowed: room.host }.into());
        }
        Ok(plan(Place::Pieces, pieces, group.min(device), device, host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wave::Waves;

    struct Rows(u64, usize);

    impl Waves for Rows {
        fn waves(&self) -> u64 {
            self.0
        }
        fn cells(&self, _: u64) -> usize {
            self.1
        }
        fn reach(&self) -> usize {
            1
        }
        fn choice_bits(&self) -> u32 {
            1
        }
    }

    fn plan(device: u64, host: u64, place: Option<Place>) -> Result<Plan, WaveError> {
        let layout = Layout::of(&Rows(100, 8 << 20)).unwrap();
        Plan::new(&layout, (64 << 20, 32 << 20), Room { device, host }, true, place)
    }

    #[test]
    fn choices_are_kept_where_there_is_room_for_them() {
        let mib = |bytes: u64| bytes << 20;
        // Rows of 32 MiB with 1 MiB of choices each.
        let cases = [
            (mib(164), 0, Place::Device, 1, mib(164), 0),
            (mib(163), mib(100), Place::Host, 1, mib(64) + 2 * (mib(100) / 16), mib(100)),
            (mib(66), mib(100), Place::Host, 1, mib(66), mib(100)),
            (mib(163), mib(99), Place::Pieces, 2, mib(64) + mib(99), mib(32)),
            (mib(74), mib(99), Place::Pieces, 10, mib(74), mib(32 * 9)),
        ];
        for (device, host, place, pieces, device_bytes, host_bytes) in cases {
            let plan = plan(device, host.max(host_bytes), Some(place)).unwrap();
            assert_eq!((plan.place, plan.pieces.len()), (place, pieces), "{device} {host}");
            assert!(plan.device_bytes <= device && plan.device_bytes <= device_bytes, "{plan:?}");
            assert_eq!(plan.host_bytes, host_bytes);
        }
        assert_eq!(plan(mib(163), mib(99), None).unwrap().place, Place::Pieces);
        assert_eq!(plan(mib(163), mib(100), None).unwrap().place, Place::Host);
    }

    #[test]
    fn what_no_place_holds_is_refused_with_what_it_takes() {
        match plan(63 << 20, u64::MAX, None) {
            Err(WaveError::Device(DeviceError::Memory { needed, free })) => {
                assert_eq!((needed, free), (65 << 20, 63 << 20));
            }
            other => panic!("{other:?}"),
        }
        match plan(74 << 20, 9 * (32 << 20) - 1, Some(Place::Pieces)) {
            Err(WaveError::Memory(over)) => assert_eq!(over.needed, 9 * (32 << 20)),
            other => panic!("{other:?}"),
        }
    }
}

//! Binding of `kernels/thesis/utilization_division.cu`: savings divided by the period.

use super::study::{Args, Real, StudyKernel};
use isx_machine::cuda::DeviceError;
use isx_machine::cuda::{Device, KernelFile};

const FILE: KernelFile = KernelFile {
    stem: "utilization_division",
    ptx: &[(70, include_str!("../../../kernels/ptx/utilization_division.compute_70.ptx"))],
};

/// Loads the kernel for tasks of at most `most_choices` choices.
pub(super) fn load<R: Real>(device: &Device, most_choices: usize) -> Result<StudyKernel, DeviceError> {
    let name = if size_of::<R>() == 4 { "utilization_division_f32" } else { "utilization_division_f64" };
    StudyKernel::load::<R>(device, &FILE, name, most_choices)
}

/// Launches one thread a cell; `args.timing` is the task's period.
pub(super) fn launch<R: Real>(
    device: &Device,
    kernel: &StudyKernel,
    args: Args<'_, R>,
) -> Result<(), DeviceError> {
    kernel.launch(device, args)
}

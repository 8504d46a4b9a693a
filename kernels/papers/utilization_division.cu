// One row of the least-utilization table of a task set, in floating point, each saving divided by the period once a cell and choice.
// targets: compute_70
//
// Source: the baseline of section 6.2 (figure 6.4): the division stays in the innermost loop, n_i times a cell; B. Suri,
// "Accelerating the knapsack problem on GPUs", Linkoping University, 2011, chapter 6.
// Inexact: kept for comparison with the exact kernel (utilization_exact.cu), which rounds nothing.
// Recurrence: U_i(j) = min( U_{i-1}(j), min over choices k with c_ik <= j of  U_{i-1}(j - c_ik) - delta_ik / P_i )
// in its "at most j" form: U_0(j) is the software's utilization for every j.
// Layout: previous, next: max_area + 1 cells; choices: `count` of the task; timing: the task's period, P_i;
// shared memory: `count` choices.
// Launch: blocks of any size, at least max_area + 1 threads in all; once a task.
// Work: count candidates a cell.
// Checked against: the same recurrence in 64-bit floats on the host (benchmarks/papers/tests/gpu/thesis.rs).

template <class Real>
struct Choice {
    Real saving;
    int area;
};
static_assert(sizeof(Choice<float>) == 8 && sizeof(Choice<double>) == 16, "the host writes choices of these sizes");

extern __shared__ int4 shared_memory[];

template <class Real>
__device__ __forceinline__ void row_division(const Real* __restrict__ previous, Real* __restrict__ next,
                                            const Choice<Real>* __restrict__ choices, int count, Real timing,
                                            int max_area) {
    Choice<Real>* const fetched = reinterpret_cast<Choice<Real>*>(shared_memory);
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        fetched[k] = choices[k];
    }
    __syncthreads();
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j > max_area) {
        return;
    }
    Real best = previous[j];
    for (int k = 0; k < count; ++k) {
        const Choice<Real> choice = fetched[k];
        if (choice.area <= j) {
            const Real candidate = previous[j - choice.area] - choice.saving / timing;
            best = candidate < best ? candidate : best;
        }
    }
    next[j] = best;
}

extern "C" __global__ void utilization_division_f32(const float* previous, float* next, const Choice<float>* choices,
                                                int count, float timing, int max_area) {
    row_division<float>(previous, next, choices, count, timing, max_area);
}
extern "C" __global__ void utilization_division_f64(const double* previous, double* next, const Choice<double>* choices,
                                                int count, double timing, int max_area) {
    row_division<double>(previous, next, choices, count, timing, max_area);
}

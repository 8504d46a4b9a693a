// The items behind front points, by walking back through the stored rows: one warp a point.
// targets: compute_70
//
// Source: line by line the walk of the reference engine (src/mckp/reference.rs). From the last class to the first,
// the item of a point at cell x is the first in canonical order with G_{i-1}(x - w_ik) + v_ik = G_i(x); the walk goes
// on at x - w_ik. The lanes of a warp try 32 items at a time and the lowest that explains is taken.
//
// Layout:
//   rows     (class_count + 1) rows of `stride` cells, as the table kernels leave them (no index bits)
//   items    every class's items in canonical order, 64-bit weights; class i's are offsets[i] .. offsets[i + 1]
//   cells    one a point: in, its cell in the last row; out, the cell where its walk stands in row 0
//   picks    class-major: picks[i * points + p]
//   strays   counts the classes at which no item explained a point; the host refuses the answer unless it is 0
// Launch: one warp a point, any block size that is a multiple of 32.
// Work: points * items probes of global memory at most.
// Checked against: the reference engine (tests/gpu/mckp.rs).

template <class Cell>
struct WideItem {
    long long weight;
    long long value;
};

template <class Cell>
__device__ __forceinline__ void walk(const Cell* __restrict__ rows, long long stride,
                                     const WideItem<Cell>* __restrict__ items, const long long* __restrict__ offsets,
                                     int class_count, long long* __restrict__ cells, long long points,
                                     unsigned* __restrict__ picks, unsigned* strays) {
    constexpr int WARP = 32;
    const long long point = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    const int lane = threadIdx.x % WARP;
    if (point >= points) {
        return;
    }
    long long cell = cells[point];
    for (int i = class_count - 1; i >= 0; --i) {
        const Cell* const row = rows + i * stride;
        const Cell wanted = row[stride + cell];
        const long long count = offsets[i + 1] - offsets[i];
        const WideItem<Cell>* const klass = items + offsets[i];
        long long taken = count;
        long long weight = 0;
        for (long long first = 0; first < count; first += WARP) {
            const long long k = first + lane;
            WideItem<Cell> item = {0, 0};
            bool explains = false;
            if (k < count) {
                item = klass[k];
                explains = item.weight <= cell && row[cell - item.weight] + (Cell)item.value == wanted;
            }
            const unsigned explaining = __ballot_sync(0xffffffffu, explains);
            if (explaining != 0) {
                const int winner = __ffs((int)explaining) - 1;
                taken = first + winner;
                weight = __shfl_sync(0xffffffffu, item.weight, winner);
                break;
            }
        }
        if (lane == 0) {
            picks[i * points + point] = (unsigned)taken;
            if (taken == count) {
                atomicAdd(strays, 1u);
            }
        }
        cell -= weight;
    }
    if (lane == 0) {
        cells[point] = cell;
    }
}

#define MCKP_WALK(NAME, CELL)                                                                                      \
    extern "C" __global__ void NAME(const CELL* rows, long long stride, const WideItem<CELL>* items,               \
                                    const long long* offsets, int class_count, long long* cells, long long points, \
                                    unsigned* picks, unsigned* strays) {                                           \
        walk<CELL>(rows, stride, items, offsets, class_count, cells, points, picks, strays);                       \
    }

MCKP_WALK(mckp_walk_i32, int)
MCKP_WALK(mckp_walk_i64, long long)

// Many small multiple-choice knapsack problems at once, one block a problem: those whose lists of selections grow long, by
// dense rows in shared memory.
// targets: compute_70 compute_90
//
// Source: isx. Steps 1 to 3 are those of mckp_batch.cu, a warp a problem; then the block fills the rows of its warps'
// problems, one after the other, and at last each warp walks back through its problem's rows:
//   4. With the multiplier p/q, q = 2^s as fine as the gap g = D - q L fits a cell, an item's loss is an integer
//      l_kj = M_k - (q v_kj - p w_kj) >= 0, and no best selection's losses pass g. A cell of weight w holds g + 1 less the
//      least loss of the selections of exactly that weight: R_k[w] = max(0, max_j R_{k-1}[w - w_kj] - l_kj). The maximum
//      with 0 drops all that passes the gap; nothing can wrap.
//   5. Of R_m, weights from c - g/p on, the most value (sum_k M_k - loss + p w) / q at the least weight.
//   6. The walk: from the last class to the first, the first item in canonical order with R_{k-1}[w - w_kj] = R_k[w] + l_kj.
//   The row after class k has the weights that can still reach c - g/p by heavier classes, up to what k classes weigh.
//
// Layout: as mckp_batch.cu; full: the problems to solve where `all` is 0, else problems 0..all are; beyond: [0] counts, [1..] holds those that have no room here: a
//         row longer than `cells`, rows longer together than `region`, or a gap beyond 2^30
//         store: WARPS * region words a block, for the rows of its warps' problems
// Requires: as mckp_batch.cu; cells below 2^16.
// Work: cells of the row, times items left of the class, summed over classes: a word of shared memory and one instruction
//         for two narrow cells; a row is written once to shared memory, its odd copy too, and once to the store.
// Launch: WARPS warps a block, as many blocks as fit; shared: WARPS * bytes, then the row, 4 * (cells + 8), then tasks.
// Checked against: the CPU's lists and one-by-one answers (tests/gpu/batch.rs).

#include "batch_rows.cuh"

struct Batch {
    const int4* records;
    const unsigned char* sizes;
    const int2* items;
    int2* found;
    unsigned char* picks;
};

// Writes an answer: the items are in `now` where there is a selection.
__device__ __forceinline__ void answer(const Batch& batch, const Room& room, int id, int2 found, int lane) {
    const int4 record = batch.records[id];
    const bool any = found.y >= 0;
    for (int k = lane; k < (record.w & CLASSES); k += WARP) {
        batch.picks[record.y + k] = any ? (unsigned char)room.now[k] : 0;
    }
    if (lane == 0) {
        batch.found[id] = found;
    }
}

// The largest q v - p w of a class.
__device__ __forceinline__ wide most_worth(const Room& room, int slot, int count, wide p, int bits) {
    wide best = 0;
    for (int j = 1; j < count; ++j) {
        best = max(best, ((wide)room.value[slot + j] << bits) - p * room.weight[slot + j]);
    }
    return best;
}

// Chooses p and q of a problem so that the gap fits a cell, and writes the items' losses in place of their values. Whether
// there is such a form.
__device__ __forceinline__ bool scale(const Room& room, const Problem& problem, Task& task, wide p, int least,
                                      int lane) {
    for (int bits = FINEST; bits >= -1; --bits) {
        task.form = bits < 0 ? WIDE : NARROW;
        task.bits = max(bits, 0);
        task.p = p >> (Q_BITS - task.bits);
        wide sum = 0;
        for (int k = lane; k < problem.classes; k += WARP) {
            sum += most_worth(room, room.start[k] + problem.none * k, room.count[k], task.p, task.bits);
        }
        task.sum = total(sum);
        const wide gap = task.p * problem.capacity + task.sum - ((wide)least << task.bits);
        if (gap <= (bits < 0 ? WIDE_GAP : NARROW_GAP)) {
            task.gap = (int)gap;
            task.least = task.p > 0 ? max(problem.capacity - (int)min(gap / task.p, (wide)problem.capacity), 0) : 0;
            for (int k = lane; k < problem.classes; k += WARP) {
                const int slot = room.start[k] + problem.none * k;
                const wide most = most_worth(room, slot, room.count[k], task.p, task.bits);
                for (int j = 0; j < room.count[k]; ++j) {
                    const wide worth = ((wide)room.value[slot + j] << task.bits) - task.p * room.weight[slot + j];
                    room.value[slot + j] = (int)min(most - worth, gap + 1);
                }
            }
            __syncwarp();
            return true;
        }
    }
    return false;
}

// Lays out the rows of a problem; by one lane. Whether there is room.
__device__ __forceinline__ bool lay_out(const Room& room, const Problem& problem, const Task& task, int cells,
                                        int region) {
    if (problem.capacity >= cells) {
        return false;
    }
    const Layers layers = layers_of(room, problem.classes);
    wide rest = 0;
    for (int k = 0; k < problem.classes; ++k) {
        rest += room.weight[room.start[k] + problem.none * k + room.count[k] - 1];
    }
    const int shift = task.form == NARROW ? 1 : 0;
    wide words = 0;
    int heaviest = 0, before = -1;
    for (int k = 0; k < problem.classes; ++k) {
        const int count = room.count[k];
        if (count == 1) {
            continue;
        }
        const int heavy = room.weight[room.start[k] + problem.none * k + count - 1];
        rest -= heavy;
        heaviest = (int)min((wide)heaviest + heavy, (wide)problem.capacity);
        layers.first[k] = (int)max((wide)task.least - rest, (wide)0) >> shift;
        layers.last[k] = heaviest >> shift;
        layers.place[k] = (int)words - layers.first[k];
        layers.before[k] = before;
        before = k;
        words += layers.last[k] - layers.first[k] + 1;
        if (words > region) {
            return false;
        }
    }
    return true;
}

// Steps 1 to 3 by a warp. What needs no rows is answered at once, what has no room here is handed on.
__device__ void prepare(const Batch& batch, const Room& room, Task& shared, int id, int cells, int region,
                        int* beyond, int lane) {
    const int4 record = batch.records[id];
    Task task = {};
    Problem problem = {record.w & CLASSES, (record.w & OPTIONAL) != 0 ? 1 : 0, record.z, 0, 0};
    int2 found = {0, LEFT};
    bool left = false;
    if ((record.w & SKIP) == 0) {
        const int items = fetch(room, batch.sizes + record.y, batch.items + record.x, problem.classes, lane);
        sift(room, items, problem.classes, problem.capacity, problem.none, lane);
        found.y = INFEASIBLE;
        if (settle(room, problem, lane)) {
            wide p, gap;
            const int least = bounded(room, problem, p, lane);
            const int settled = problem.value;
            __syncwarp();
            if (prune(room, problem, p, least, gap, lane) == 0) {
                found = {problem.value, problem.weight};
            } else {
                left = !scale(room, problem, task, p, least - (problem.value - settled), lane);
                const bool laid = !left && lane == 0 && lay_out(room, problem, task, cells, region);
                left = left || !__any_sync(ALL, laid);
                task.form = left ? NOTHING : task.form;
                task.capacity = problem.capacity;
                task.value = problem.value;
                task.weight = problem.weight;
            }
        }
    }
    __syncwarp();
    if (left && lane == 0) {
        beyond[1 + atomicAdd(beyond, 1)] = id;
    }
    if (!left && task.form == NOTHING) {
        answer(batch, room, id, found, lane);
    }
    if (lane == 0) {
        shared = task;
    }
}

// Step 6 and the answer, by a warp.
__device__ __forceinline__ void finish(const Batch& batch, const Room& room, const Task& task, int id, End end,
                                       const unsigned* store, int* beyond, int lane) {
    const int4 record = batch.records[id];
    const int none = (record.w & OPTIONAL) != 0 ? 1 : 0;
    if (end.cell > 0 && walk(room, task, record.w & CLASSES, none, end, store, lane)) {
        answer(batch, room, id, {task.value + end.value, task.weight + end.weight}, lane);
    } else if (lane == 0) {
        beyond[1 + atomicAdd(beyond, 1)] = id;
    }
}

// What a block has and is to do; `all` as the kernel has it.
struct Block {
    Batch batch;
    const int* full;
    int* beyond;
    unsigned* store;  // WARPS * region words
    int count, all;
    int slots, classes, list, bytes, cells, region;

    __device__ __forceinline__ int id(int at) const { return all > 0 ? at : full[1 + at]; }
};

// The problems `base` and on, one for each warp to make ready.
__device__ __forceinline__ void solve_some(const Block& block, packed* memory, int base) {
    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;
    Task* const tasks = (Task*)memory;
    char* const rooms = (char*)(tasks + WARPS);
    const Row row = {(unsigned*)(rooms + (long long)block.bytes * WARPS), block.cells / 2 + 4};
    const Room own = room_of(rooms + (long long)block.bytes * warp, block.slots, block.classes, block.list);
    const bool any = base + warp < block.count;
    const int own_id = any ? block.id(base + warp) : 0;
    if (any) {
        prepare(block.batch, own, tasks[warp], own_id, block.cells, block.region, block.beyond, lane);
    }
    __syncthreads();
    End end = {0, 0, 0};
    for (int by = 0; by < WARPS && base + by < block.count; ++by) {
        const Task& task = tasks[by];
        const Form form = task.form;
        if (form == NOTHING) {
            continue;
        }
        const int shape = block.batch.records[block.id(base + by)].w;
        const int none = (shape & OPTIONAL) != 0 ? 1 : 0;
        const Room room = room_of(rooms + (long long)block.bytes * by, block.slots, block.classes, block.list);
        unsigned* const rows = block.store + (long long)block.region * by;
        const int2 words = form == NARROW ? fill<NARROW>(row, room, task, shape & CLASSES, none, rows)
                                          : fill<WIDE>(row, room, task, shape & CLASSES, none, rows);
        if (warp == by) {
            end = best_end(row, task, words, lane);
        }
    }
    if (any && tasks[warp].form != NOTHING) {
        finish(block.batch, own, tasks[warp], own_id, end, block.store + (long long)block.region * warp,
               block.beyond, lane);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    mckp_batch_rows(const int4* records, const unsigned char* sizes, const int2* items, int2* found,
                    unsigned char* picks, const int* full, int* beyond, unsigned* store, int all, int slots,
                    int classes, int list, int bytes, int cells, int region) {
    extern __shared__ packed memory[];
    unsigned* const own = store + (long long)WARPS * region * blockIdx.x;
    const Block block = {{records, sizes, items, found, picks}, full, beyond, own, all > 0 ? all : full[0], all,
                         slots, classes, list, bytes, cells, region};
    for (int base = blockIdx.x * WARPS; base < block.count; base += gridDim.x * WARPS) {
        solve_some(block, memory, base);
        __syncthreads();
    }
}

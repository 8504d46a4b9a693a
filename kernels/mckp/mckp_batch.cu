// Many small multiple-choice knapsack problems at once, one warp a problem: the most value within its capacity at the
// least weight, and the canonical items behind it.
// targets: compute_70 compute_90
//
// Source: isx, as src/mckp/batch/lists on the CPU; the bound is the Lagrangian relaxation (P. Sinha and A.
// Zoltners, "The multiple-choice knapsack problem", Operations Research 27(3), 1979), the order of work that of D.
// Pisinger, "A minimal algorithm for the multiple-choice knapsack problem", EJOR 83, 1995.
// Steps, all in the warp's shared memory:
//   1. Dominance: an item as heavy as another of its class and no more valuable goes. The lightest of each class is
//      taken once and the others count what they are more. "No item" of an optional class is an item of 0 and 0.
//   2. A multiplier p/q for the capacity, q = 2^30, by the secant method on the relaxation's hull; on the way the best
//      selection met, bettered by single exchanges, gives a value L. p only decides how much is pruned, not the answer.
//   3. The relaxation's bound is D/q, D = p c + sum_k M_k, M_k = max_j (q v_kj - p w_kj). An item's loss is how far its
//      q v - p w is below M_k. Selections whose losses pass D - q L are worth less than L: such items go.
//   4. Pareto lists over the classes that still have a choice: L_k = undominated { s + j : s in L_{k-1}, j in class k },
//      without what passes the capacity or the losses. A state has its choices packed in a key, the last class
//      highest: of equal weight and value the smallest key is the canonical selection.
//   A candidate's rivals of another item lie in the same list, shifted: one binary search finds the heaviest that is no
//   heavier, which is the most valuable, and tells too how many survivors come before.
//
// Layout: records: 4 ints a problem: first item, first class, capacity, classes | OPTIONAL | SKIP
//         sizes: items of every class, up to 254; items: (weight, value) of every item, classes one after the other
//         found: (value, weight) a problem, or (0, INFEASIBLE or LEFT); picks: a byte a class, 0 for no item, else one
//         more than the item's number in its class
//         full: [0] counts, [1..] holds the problems whose lists outgrew the room of a first launch
// Requires: capacity below 2^30, or no more than all heaviest items together weigh; sum_k max_j |v_kj| below 2^30: then
//         q v, p w and their sums stay below 2^61, since p c <= q sum_k max v.
// Work: items n, classes m, list length l, items left a class r: n (n/m) + m r^2 + l r^2 log l steps of a lane.
// Launch: mckp_batch: WARPS warps a block, a warp a problem. mckp_batch_full: as many blocks as fit, problems of `full`.
//         shared: bytes(items, classes, list) a warp.
// Checked against: the CPU's lists and one-by-one answers (tests/gpu/batch.rs).

#include "batch_lists.cuh"

// Warps of a block.
constexpr int WARPS = 4;

__device__ __forceinline__ void write_picks(const Room& room, const Problem& problem, packed key, unsigned char* picks,
                                            int lane) {
    for (int k = lane; k < problem.classes; k += WARP) {
        const int count = room.count[k];
        int number = room.now[k];
        if (count > 1) {
            const int slot = room.start[k] + problem.none * k;
            const int rank = (int)(key >> number & ((1u << (WORD - __clz(count - 1))) - 1));
            for (int j = 0; j < count; ++j) {
                if (room.order[slot + j] >> NUMBER_BITS == rank) {
                    number = room.order[slot + j] & NUMBER;
                    break;
                }
            }
        }
        picks[k] = (unsigned char)number;
    }
}

struct Batch {
    const int4* records;
    const unsigned char* sizes;
    const int2* items;
    int2* found;
    unsigned char* picks;
};

// Solves a problem. False where the lists had no room: nothing is written then.
__device__ bool solve(const Batch& batch, const Room& room, int id, int list, int lane) {
    const int4 record = batch.records[id];
    Problem problem = {record.w & CLASSES, (record.w & OPTIONAL) != 0 ? 1 : 0, record.z, 0, 0};
    unsigned char* const picks = batch.picks + record.y;
    int2 found = {0, LEFT};
    packed key = 0;
    bool solved = false;
    if ((record.w & SKIP) == 0) {
        const int items = fetch(room, batch.sizes + record.y, batch.items + record.x, problem.classes, lane);
        sift(room, items, problem.classes, problem.capacity, problem.none, lane);
        found.y = INFEASIBLE;
        if (settle(room, problem, lane)) {
            wide p, gap;
            const int least = bounded(room, problem, p, lane);
            __syncwarp();
            const int bits = prune(room, problem, p, least, gap, lane);
            if (bits > KEY_BITS || !enumerate(room, problem, list, p, gap, key, lane)) {
                return false;
            }
            found = {problem.value, problem.weight};
            solved = true;
        }
    }
    if (solved) {
        write_picks(room, problem, key, picks, lane);
    } else {
        for (int k = lane; k < problem.classes; k += WARP) {
            picks[k] = 0;
        }
    }
    if (lane == 0) {
        batch.found[id] = found;
    }
    return true;
}

extern "C" __global__ void __launch_bounds__(WARPS* WARP)
    mckp_batch(const int4* records, const unsigned char* sizes, const int2* items, int2* found, unsigned char* picks,
               int* full, int count, int slots, int classes, int list, int bytes) {
    extern __shared__ packed memory[];
    const int lane = threadIdx.x % WARP;
    const int id = blockIdx.x * WARPS + threadIdx.x / WARP;
    if (id >= count) {
        return;
    }
    const Room room = room_of((char*)memory + (long long)bytes * (threadIdx.x / WARP), slots, classes, list);
    if (!solve({records, sizes, items, found, picks}, room, id, list, lane) && lane == 0) {
        full[1 + atomicAdd(full, 1)] = id;
    }
}

// The problems of `full`, one block of a warp each at a time, with longer lists; what outgrows those too is LEFT.
extern "C" __global__ void __launch_bounds__(WARP)
    mckp_batch_full(const int4* records, const unsigned char* sizes, const int2* items, int2* found,
                    unsigned char* picks, const int* full, int slots, int classes, int list) {
    extern __shared__ packed memory[];
    const int lane = threadIdx.x;
    const Room room = room_of((char*)memory, slots, classes, list);
    for (int at = blockIdx.x; at < full[0]; at += gridDim.x) {
        const int id = full[1 + at];
        __syncwarp();
        if (!solve({records, sizes, items, found, picks}, room, id, list, lane)) {
            const int4 record = records[id];
            for (int k = lane; k < (record.w & CLASSES); k += WARP) {
                picks[record.y + k] = 0;
            }
            if (lane == 0) {
                found[id] = {0, LEFT};
            }
        }
    }
}

// Step 4 of `mckp_batch.cu`: the Pareto lists over what is left.

#pragma once

#include "batch_prune.cuh"

// How many of the first `length` weights are at most `most`.
__device__ __forceinline__ int up_to(const int* light, int length, int most) {
    int low = 0;
    while (length > 0) {
        const int half = length / 2;
        const bool right = light[low + half] <= most;
        low += right ? half + 1 : 0;
        length = right ? length - half - 1 : half;
    }
    return low;
}

// A class and the list before it.
struct Layer {
    const int *light, *worth;
    const packed* key;
    const int *weight, *value, *order;
    int length, count, shift;
};

struct Candidate {
    int weight, value, by, from;
    packed key;
};

__device__ __forceinline__ Candidate candidate(const Layer& layer, int t) {
    Candidate made;
    made.by = t / layer.length;
    made.from = t - made.by * layer.length;
    made.weight = layer.light[made.from] + layer.weight[made.by];
    made.value = layer.worth[made.from] + layer.value[made.by];
    made.key = layer.key[made.from] | (packed)(layer.order[made.by] >> NUMBER_BITS) << layer.shift;
    return made;
}

// Whether a candidate of another item is better: no heavier and of more value, or lighter, or before it in the order.
__device__ __forceinline__ bool dominated(const Layer& layer, const Candidate& mine) {
    for (int j = 0; j < layer.count; ++j) {
        if (j == mine.by) {
            continue;
        }
        const int reach = mine.weight - layer.weight[j];
        const int i = up_to(layer.light, layer.length, reach) - 1;
        if (i < 0) {
            continue;
        }
        const int value = layer.worth[i] + layer.value[j];
        if (value > mine.value) {
            return true;
        }
        if (value == mine.value) {
            const packed key = layer.key[i] | (packed)(layer.order[j] >> NUMBER_BITS) << layer.shift;
            if (layer.light[i] < reach || key < mine.key) {
                return true;
            }
        }
    }
    return false;
}

// Survivors among the first t candidates.
__device__ __forceinline__ int survivors(const Room& room, int t) {
    const unsigned word = t % WARP == 0 ? 0 : room.mask[t / WARP] & ((1u << t % WARP) - 1);
    return (t % WARP == 0 ? (t == 0 ? 0 : (int)room.before[t / WARP - 1] + __popc(room.mask[t / WARP - 1]))
                          : (int)room.before[t / WARP]) +
           __popc(word);
}

// Step 4 for one class: from list `from` to the other. Returns its length, or 0 where it does not fit the room.
__device__ __forceinline__ int grow(const Room& room, const Layer& layer, int to, int list, int capacity, wide p,
                                    wide gap, wide best, int lane) {
    const int candidates = layer.length * layer.count;
    int survived = 0;
    for (int base = 0; base < candidates; base += WARP) {
        const int t = base + lane;
        bool stays = false;
        if (t < candidates) {
            const Candidate mine = candidate(layer, t);
            stays = mine.weight <= capacity && best - worth_of(mine.value, mine.weight, p) <= gap &&
                    !dominated(layer, mine);
        }
        const unsigned mask = __ballot_sync(ALL, stays);
        if (lane == 0) {
            room.mask[base / WARP] = mask;
            room.before[base / WARP] = survived;
        }
        survived += __popc(mask);
    }
    __syncwarp();
    if (survived > list) {
        return 0;
    }
    for (int t = lane; t < candidates; t += WARP) {
        if (!(room.mask[t / WARP] >> t % WARP & 1)) {
            continue;
        }
        const Candidate mine = candidate(layer, t);
        int rank = 0;
        for (int j = 0; j < layer.count; ++j) {
            const int reach = mine.weight - layer.weight[j];
            const int end = j == mine.by ? mine.from : up_to(layer.light, layer.length, reach);
            const int first = j * layer.length;
            rank += survivors(room, first + end) - survivors(room, first);
        }
        room.light[to][rank] = mine.weight;
        room.worth[to][rank] = mine.value;
        room.key[to][rank] = mine.key;
    }
    __syncwarp();
    return survived;
}

// Whether the lists had room; adds the best state to what is fixed, its key to `key`.
__device__ __forceinline__ bool enumerate(const Room& room, Problem& problem, int list, wide p, wide gap, packed& key,
                                          int lane) {
    int length = 1, from = 0;
    if (lane == 0) {
        room.light[0][0] = 0;
        room.worth[0][0] = 0;
        room.key[0][0] = 0;
    }
    __syncwarp();
    wide best = 0;
    for (int k = 0; k < problem.classes; ++k) {
        const int count = room.count[k];
        if (count == 1) {
            continue;
        }
        if (length * count > WARP * list) {
            return false;
        }
        const int slot = room.start[k] + problem.none * k;
        const Layer layer = {room.light[from], room.worth[from],    room.key[from],
                             room.weight + slot, room.value + slot, room.order + slot,
                             length,           count,               room.now[k]};
        wide most = 0;
        for (int j = 1; j < count; ++j) {
            most = max(most, worth_of(layer.value[j], layer.weight[j], p));
        }
        best += most;
        length = grow(room, layer, 1 - from, list, problem.capacity, p, gap, best, lane);
        if (length == 0) {
            return false;
        }
        from = 1 - from;
    }
    problem.value += room.worth[from][length - 1];
    problem.weight += room.light[from][length - 1];
    key = room.key[from][length - 1];
    return true;
}

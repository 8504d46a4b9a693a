// Steps 1 to 3 of `mckp_batch.cu`: dominance, the relaxation's bound, and the items that it rules out.

#pragma once

#include "batch_room.cuh"

// Where each class's items begin; brings the items to shared memory. Returns how many there are.
__device__ __forceinline__ int fetch(const Room& room, const unsigned char* sizes, const int2* items, int classes,
                                     int lane) {
    int before = 0;
    for (int base = 0; base < classes; base += WARP) {
        const int size = base + lane < classes ? sizes[base + lane] : 0;
        const int end = scanned(size, lane) + before;
        if (base + lane < classes) {
            room.start[base + lane] = end - size;
            for (int t = end - size; t < end; ++t) {
                room.of[t] = (unsigned char)(base + lane);
            }
        }
        before = __shfl_sync(ALL, end, WARP - 1);
    }
    if (lane == 0) {
        room.start[classes] = before;
    }
    for (int t = lane; t < before; t += WARP) {
        room.raw[t] = items[t];
    }
    __syncwarp();
    return before;
}

// Step 1, dominance: what is left of every class, lightest first. `none` is 1 where a class may give no item.
__device__ __forceinline__ void sift(const Room& room, int items, int classes, int capacity, int none, int lane) {
    for (int t = lane; t < items; t += WARP) {
        const int2 mine = room.raw[t];
        const int k = room.of[t];
        const int end = room.start[k + 1];
        bool stays = mine.x <= capacity && !(none != 0 && mine.y <= 0);
        for (int s = room.start[k]; s < end; ++s) {
            const int2 other = room.raw[s];
            const bool better = other.x < mine.x || other.y > mine.y || s < t;
            stays = stays && !(other.x <= mine.x && other.y >= mine.y && better);
        }
        room.stays[t] = stays;
    }
    __syncwarp();
    for (int t = lane; t < items; t += WARP) {
        if (!room.stays[t]) {
            continue;
        }
        const int2 mine = room.raw[t];
        const int k = room.of[t];
        const int end = room.start[k + 1];
        int rank = none;
        for (int s = room.start[k]; s < end; ++s) {
            const int other = room.raw[s].x;
            // An item of weight 0 is left only where it is better than no item.
            rank += room.stays[s] ? (other < mine.x) - (none != 0 && other == 0) : 0;
        }
        const int slot = room.start[k] + none * k + rank;
        room.weight[slot] = mine.x;
        room.value[slot] = mine.y;
        room.order[slot] = t - room.start[k] + 1;
    }
    for (int k = lane; k < classes; k += WARP) {
        const int slot = room.start[k] + none * k;
        int count = 0;
        bool free = false;
        for (int s = room.start[k]; s < room.start[k + 1]; ++s) {
            count += room.stays[s];
            free = free || (room.stays[s] && room.raw[s].x == 0);
        }
        if (none != 0 && !free) {
            room.weight[slot] = 0;
            room.value[slot] = 0;
            room.order[slot] = 0;
            ++count;
        }
        room.count[k] = count;
    }
    __syncwarp();
}

// What is fixed, what is left to spend, and what was found.
struct Problem {
    int classes, none;
    int capacity;                // what the lightest items leave
    int value, weight;           // of what is fixed
};

// Takes the lightest item of every class once. Whether that fits.
__device__ __forceinline__ bool settle(const Room& room, Problem& problem, int lane) {
    wide weight = 0;
    int value = 0;
    bool empty = false;
    for (int k = lane; k < problem.classes; k += WARP) {
        const int slot = room.start[k] + problem.none * k;
        const int count = room.count[k];
        empty = empty || count == 0;
        if (count > 0) {
            const int lightest = room.weight[slot];
            const int least = room.value[slot];
            weight += lightest;
            value += least;
            for (int j = 0; j < count; ++j) {
                room.weight[slot + j] -= lightest;
                room.value[slot + j] -= least;
            }
        }
    }
    weight = total(weight);
    if (__any_sync(ALL, empty) || weight > problem.capacity) {
        return false;
    }
    problem.weight = (int)weight;
    problem.value = total(value);
    problem.capacity -= (int)weight;
    for (int k = lane; k < problem.classes; k += WARP) {
        const int slot = room.start[k] + problem.none * k;
        int count = room.count[k];
        while (room.weight[slot + count - 1] > problem.capacity) {
            --count;
        }
        room.count[k] = count;
    }
    __syncwarp();
    return true;
}

// Step 2: the multiplier p, and the value of a selection that fits.
__device__ __forceinline__ int bounded(const Room& room, const Problem& problem, wide& p, int lane) {
    const int capacity = problem.capacity;
    wide heavy = 0;
    int most = 0;
    for (int k = lane; k < problem.classes; k += WARP) {
        const int top = room.start[k] + problem.none * k + room.count[k] - 1;
        heavy += room.weight[top];
        most += room.value[top];
        room.now[k] = 0;
    }
    heavy = total(heavy);
    most = total(most);
    p = 0;
    if (heavy <= capacity) {
        return most;
    }
    // Selections on the hull: one that fits and one that does not.
    int fits = 0, value = 0;
    wide beyond = heavy;
    int gain = most;
    const double cap = capacity > 0 ? (double)most * (1 << Q_BITS) / capacity : 0.0;
    for (int turn = 0; turn < SECANTS; ++turn) {
        const double slope = (double)(gain - value) * (1 << Q_BITS) / (double)(beyond - fits);
        p = (wide)fmin(slope, cap * (1.0 - 1e-9));
        wide weight = 0;
        int sum = 0;
        for (int k = lane; k < problem.classes; k += WARP) {
            const int slot = room.start[k] + problem.none * k;
            wide best = 0;
            int by = 0;
            for (int j = 1; j < room.count[k]; ++j) {
                const wide worth = worth_of(room.value[slot + j], room.weight[slot + j], p);
                if (worth > best) {
                    best = worth;
                    by = j;
                }
            }
            room.order[slot] = room.order[slot] & NUMBER | by << NUMBER_BITS;
            weight += room.weight[slot + by];
            sum += room.value[slot + by];
        }
        weight = total(weight);
        sum = total(sum);
        if (weight <= capacity) {
            const bool same = weight == fits;
            if (sum >= value) {
                fits = (int)weight;
                value = sum;
                for (int k = lane; k < problem.classes; k += WARP) {
                    room.now[k] = room.order[room.start[k] + problem.none * k] >> NUMBER_BITS;
                }
            }
            if (same) {
                break;
            }
        } else {
            const bool same = weight == beyond;
            beyond = weight;
            gain = sum;
            if (same) {
                break;
            }
        }
    }
    for (int turn = 0; turn < EXCHANGES; ++turn) {
        int more = 0, at = 0, to = 0;
        for (int k = lane; k < problem.classes; k += WARP) {
            const int slot = room.start[k] + problem.none * k;
            const int taken = slot + room.now[k];
            for (int j = 0; j < room.count[k]; ++j) {
                const int better = room.value[slot + j] - room.value[taken];
                if (better > more && room.weight[slot + j] - room.weight[taken] <= capacity - fits) {
                    more = better;
                    at = k;
                    to = j;
                }
            }
        }
        const int best = largest(more);
        if (best == 0) {
            break;
        }
        const int who = __ffs((int)__ballot_sync(ALL, more == best)) - 1;
        int heavier = 0;
        if (lane == who) {
            const int slot = room.start[at] + problem.none * at;
            heavier = room.weight[slot + to] - room.weight[slot + room.now[at]];
            room.now[at] = to;
        }
        fits += __shfl_sync(ALL, heavier, who);
        value += best;
    }
    return value;
}

// Step 3: drops the items whose loss passes the gap and takes the lightest of what is left once more. A class with one
// item left has that item's number in `now`, another the place of its bits in a key. Returns the bits of a key.
__device__ __forceinline__ int prune(const Room& room, Problem& problem, wide p, int least, wide& gap, int lane) {
    wide sum = 0;
    for (int k = lane; k < problem.classes; k += WARP) {
        const int slot = room.start[k] + problem.none * k;
        wide best = 0;
        for (int j = 1; j < room.count[k]; ++j) {
            best = max(best, worth_of(room.value[slot + j], room.weight[slot + j], p));
        }
        sum += best;
    }
    gap = p * problem.capacity + total(sum) - ((wide)least << Q_BITS);
    int weight = 0, value = 0, bits_before = 0;
    for (int base = 0; base < problem.classes; base += WARP) {
        const int k = base + lane;
        int bits = 0;
        if (k < problem.classes) {
            const int slot = room.start[k] + problem.none * k;
            const int count = room.count[k];
            wide best = 0;
            for (int j = 1; j < count; ++j) {
                best = max(best, worth_of(room.value[slot + j], room.weight[slot + j], p));
            }
            int left = 0, lightest = 0, lowest = 0;
            for (int j = 0; j < count; ++j) {
                const int w = room.weight[slot + j];
                const int v = room.value[slot + j];
                if (best - worth_of(v, w, p) <= gap) {
                    lightest = left == 0 ? w : lightest;
                    lowest = left == 0 ? v : lowest;
                    room.weight[slot + left] = w - lightest;
                    room.value[slot + left] = v - lowest;
                    room.order[slot + left] = room.order[slot + j] & NUMBER;
                    ++left;
                }
            }
            for (int j = 0; j < left; ++j) {
                int rank = 0;
                for (int i = 0; i < left; ++i) {
                    rank += (room.order[slot + i] & NUMBER) < (room.order[slot + j] & NUMBER);
                }
                room.order[slot + j] |= rank << NUMBER_BITS;
            }
            room.count[k] = left;
            weight += lightest;
            value += lowest;
            bits = left > 1 ? WORD - __clz(left - 1) : 0;
        }
        const int end = scanned(bits, lane) + bits_before;
        if (k < problem.classes) {
            room.now[k] = bits == 0 ? room.order[room.start[k] + problem.none * k] & NUMBER : end - bits;
        }
        bits_before = __shfl_sync(ALL, end, WARP - 1);
    }
    // What every selection left has weighs no more than one that fits.
    weight = total(weight);
    problem.weight += weight;
    problem.capacity -= weight;
    problem.value += total(value);
    __syncwarp();
    return bits_before;
}

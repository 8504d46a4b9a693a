// Many small multiple-choice knapsack problems at once, one warp a problem: the most value within its capacity at the
// least weight, and the canonical items behind it.
// targets: compute_70 compute_90
//
// Source: isx, as src/engine/mckp/batch/lists on the CPU; the bound is the Lagrangian relaxation (P. Sinha and A.
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

constexpr int WARP = 32;
constexpr int WARPS = 4;
// Bits of an int.
constexpr int WORD = 32;
constexpr unsigned ALL = 0xffffffffu;
constexpr int OPTIONAL = 1 << 16;
constexpr int SKIP = 1 << 17;
constexpr int CLASSES = (1 << 16) - 1;
constexpr int INFEASIBLE = -1;
constexpr int LEFT = -2;
constexpr int Q_BITS = 30;
constexpr int SECANTS = 24;
constexpr int EXCHANGES = 4;
constexpr int KEY_BITS = 64;
// Bits of an item's number in its class; the rank among what is left of the class stands above.
constexpr int NUMBER_BITS = 16;
constexpr int NUMBER = (1 << NUMBER_BITS) - 1;

typedef long long wide;
typedef unsigned long long packed;

// What a warp has in shared memory. The raw items lie where the lists come to lie.
struct Room {
    int *weight, *value, *order;   // `slots` each: what is left of a class, lightest first, in its own place
    int *start, *count, *now;      // a class: its first slot, how many are left, the item taken or its bits' place
    int2* raw;                     // `slots`
    unsigned char *of, *stays;     // `slots` each: the class of a raw item, and whether it is undominated
    packed* key[2];                // `list` each
    int *light[2], *worth[2];      // `list` each
    unsigned *mask, *before;       // `list` each: survivors of 32 candidates, and how many came before
};

__device__ __forceinline__ Room room_of(char* memory, int slots, int classes, int list) {
    Room room;
    packed* keys = (packed*)memory;
    room.key[0] = keys;
    room.key[1] = keys + list;
    int* at = (int*)(keys + 2 * list);
    room.light[0] = at;
    room.light[1] = at + list;
    room.worth[0] = at + 2 * list;
    room.worth[1] = at + 3 * list;
    room.mask = (unsigned*)(at + 4 * list);
    room.before = (unsigned*)(at + 5 * list);
    at += 6 * list;
    room.weight = at;
    room.value = at + slots;
    room.order = at + 2 * slots;
    room.start = at + 3 * slots;
    room.count = room.start + classes + 1;
    room.now = room.count + classes + 1;
    room.raw = (int2*)memory;
    room.of = (unsigned char*)(room.raw + slots);
    room.stays = room.of + slots;
    return room;
}

__device__ __forceinline__ int total(int x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(ALL, x);
#else
    for (int half = WARP / 2; half > 0; half /= 2) {
        x += __shfl_xor_sync(ALL, x, half);
    }
    return x;
#endif
}

__device__ __forceinline__ int largest(int x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL, x);
#else
    for (int half = WARP / 2; half > 0; half /= 2) {
        x = max(x, __shfl_xor_sync(ALL, x, half));
    }
    return x;
#endif
}

__device__ __forceinline__ wide total(wide x) {
    for (int half = WARP / 2; half > 0; half /= 2) {
        x += __shfl_xor_sync(ALL, x, half);
    }
    return x;
}

// The sum of x over the lanes up to and with this one.
__device__ __forceinline__ int scanned(int x, int lane) {
    for (int reach = 1; reach < WARP; reach *= 2) {
        const int other = __shfl_up_sync(ALL, x, reach);
        x += lane >= reach ? other : 0;
    }
    return x;
}

__device__ __forceinline__ wide worth_of(int value, int weight, wide p) {
    return ((wide)value << Q_BITS) - p * weight;
}

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

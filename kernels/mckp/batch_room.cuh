// What a warp of `mckp_batch.cu` and `mckp_batch_rows.cu` has: its limits, its room in shared memory, and sums over its lanes.

#pragma once

constexpr int WARP = 32;
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
constexpr int EXCHANGES = 16;
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

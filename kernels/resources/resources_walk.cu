// The items behind points, by walking back through the tables of all steps: one thread per point.
// targets: compute_70
//
// Source: isx; line by line what src/set_union/dense/trace.rs does, with several resources.
// From the last class to the first, a point keeps the nodes (state, coordinates) from which the value that is left can be
// reached; of all entries that reach it from a node, that of the first item of the class is taken, and what they come
// from are the nodes of the class before. The items taken so far and the elements used before them say what is left of the
// point's costs, so there is at most one node a state. A point has the least costs for its value: an entry whose source
// lies beyond a table's last coordinates explains nothing.
//
// Layout: resources.cuh
//   tables   the tables of all boundaries; those of boundary i from places[i]
//   entries  of every step and state in the order of their items, those of state t of step i from
//            starts[step_starts[i] + t] to the next
//   nodes    two lists of `room` nodes a point: 1 + resources numbers, state and coordinates, each for `points` points; the
//            nodes of a point before step i are in list i % 2
//   count    the nodes of a point; left: the value that is left
//   picks    class-major, `width` bytes a pick, lowest first
//   strays   counts the steps at which no item explained a point; the host refuses the answer unless it is 0
// Launch: THREADS threads a block, one per point. Steps end - 1 down to begin; the first launch has `costs`, a column of `stride` numbers per
// resource, whose points from `first` on are walked, the others continue.
// Work: points * entries probes of global memory at most.
// Checked against: the reference engine (tests/gpu/resources.rs).

#include "resources.cuh"

// Entries that are read at the same time.
constexpr int TOGETHER = 4;
// Problems have at most so many resources, as a rule: their coordinates take fewer registers.
constexpr int FEW = 3;
constexpr int THREADS = 128;

struct Nodes {
    int* at;
    long long points;
    int room;
    int fields;

    __device__ __forceinline__ int& field(int list, int node, int field, long long point) const {
        return at[(((long long)list * room + node) * fields + field) * points + point];
    }
};

// A step's tables before it, with its frame in registers.
template <class Cell, int MOST>
struct Step {
    const Cell* tables;
    const Entry* entries;
    const int* starts;
    long long cells;
    long long stride[MOST];
    int last[MOST];
};

template <int MOST>
struct Node {
    int state;
    int x[MOST];
};

template <int MOST>
__device__ __forceinline__ Node<MOST> load(const Nodes& nodes, int list, int node, long long point) {
    Node<MOST> own;
    own.state = nodes.field(list, node, 0, point);
#pragma unroll
    for (int d = 0; d < MOST; ++d) {
        own.x[d] = d + 1 < nodes.fields ? nodes.field(list, node, 1 + d, point) : 0;
    }
    return own;
}

// Whether an entry explains the value that is left at a node.
template <class Cell, int MOST>
__device__ __forceinline__ bool explains(const Step<Cell, MOST>& step, const Entry& entry, const Node<MOST>& node,
                                         long long left) {
    long long at = entry.state * step.cells;
    bool is_inside = true;
#pragma unroll
    for (int d = 0; d < MOST; ++d) {
        const int x = node.x[d] - entry.cost[d];
        is_inside = is_inside && x >= 0 && x <= step.last[d];
        at += x * step.stride[d];
    }
    // No branch: the reads of several entries are under way at the same time.
    const long long value = is_inside ? (long long)step.tables[at] : 0;
    return is_inside && value + entry.value == left;
}

// At most MOST resources.
template <class Cell, int MOST>
__device__ __forceinline__ void walk(const Cell* __restrict__ tables, const long long* __restrict__ places,
                                     const long long* __restrict__ frames, const Entry* __restrict__ entries,
                                     const int* __restrict__ starts, const long long* __restrict__ step_starts,
                                     int begin, int end, const long long* __restrict__ costs, long long stride,
                                     long long first, long long points, int resources, int room,
                                     int* __restrict__ at, int* __restrict__ counts, long long* __restrict__ lefts,
                                     unsigned char* __restrict__ picks, int width, unsigned* strays) {
    const long long point = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= points) {
        return;
    }
    const Nodes nodes = {at, points, room, 1 + resources};
    if (costs != nullptr) {
        nodes.field(end % 2, 0, 0, point) = 0;
        for (int d = 0; d < resources; ++d) {
            nodes.field(end % 2, 0, 1 + d, point) = (int)costs[d * stride + first + point];
        }
    }
    int count = costs != nullptr ? 1 : counts[point];
    long long left = lefts[point];
    for (int i = end - 1; i >= begin; --i) {
        const long long* const frame = frames + (long long)FRAME * i;
        Step<Cell, MOST> step;
        step.tables = tables + places[i];
        step.entries = entries;
        step.starts = starts + step_starts[i];
        step.cells = frame[CELLS_OF_TABLE];
#pragma unroll
        for (int d = 0; d < MOST; ++d) {
            step.last[d] = (int)frame[LAST + d];
            step.stride[d] = frame[STRIDE + d];
        }
        const int after = (i + 1) % 2;
        const int before = i % 2;
        int item = 0x7fffffff;
        long long value = 0;
        for (int node = 0; node < count; ++node) {
            const Node<MOST> own = load<MOST>(nodes, after, node, point);
            const int stop = step.starts[own.state + 1];
            bool is_found = false;
            for (int e = step.starts[own.state]; e < stop && !is_found && entries[e].item < item; e += TOGETHER) {
                bool found[TOGETHER];
#pragma unroll
                for (int k = 0; k < TOGETHER; ++k) {
                    // The last entry again where there are no more: it changes nothing.
                    found[k] = explains(step, entries[e + k < stop ? e + k : stop - 1], own, left);
                }
#pragma unroll
                for (int k = TOGETHER - 1; k >= 0; --k) {
                    const Entry& entry = entries[e + k < stop ? e + k : stop - 1];
                    if (found[k] && (is_found || entry.item < item)) {
                        is_found = true;
                        item = entry.item;
                        value = entry.value;
                    }
                }
            }
        }
        int found = 0;
        for (int node = 0; node < count; ++node) {
            const Node<MOST> own = load<MOST>(nodes, after, node, point);
            for (int e = step.starts[own.state]; e < step.starts[own.state + 1] && entries[e].item <= item; ++e) {
                if (entries[e].item < item || !explains(step, entries[e], own, left)) {
                    continue;
                }
                bool is_new = true;
                for (int other = 0; other < found; ++other) {
                    is_new = is_new && nodes.field(before, other, 0, point) != entries[e].state;
                }
                if (!is_new || found == room) {
                    continue;
                }
                nodes.field(before, found, 0, point) = entries[e].state;
#pragma unroll
                for (int d = 0; d < MOST; ++d) {
                    if (d < resources) {
                        nodes.field(before, found, 1 + d, point) = own.x[d] - entries[e].cost[d];
                    }
                }
                ++found;
            }
        }
        if (found == 0) {
            atomicAdd(strays, 1u);
        }
        count = found;
        left -= value;
        unsigned char* const pick = picks + ((long long)i * points + point) * width;
        for (int byte = 0; byte < width; ++byte) {
            pick[byte] = (unsigned char)(item >> 8 * byte);
        }
    }
    counts[point] = count;
    lefts[point] = left;
}

#define RESOURCES_WALK(NAME, CELL)                                                                                    \
    extern "C" __global__ void __launch_bounds__(THREADS, 8)                                                          \
        NAME(const CELL* tables, const long long* places, const long long* frames, const Entry* entries,              \
             const int* starts, const long long* step_starts, int begin, int end, const long long* costs,             \
             long long stride, long long first, long long points, int resources, int room, int* nodes, int* counts,   \
             long long* lefts, unsigned char* picks, int width, unsigned* strays) {                                   \
        if (resources <= FEW) {                                                                                       \
            walk<CELL, FEW>(tables, places, frames, entries, starts, step_starts, begin, end, costs, stride, first,   \
                            points, resources, room, nodes, counts, lefts, picks, width, strays);                     \
        } else {                                                                                                      \
            walk<CELL, DIMENSIONS>(tables, places, frames, entries, starts, step_starts, begin, end, costs, stride,   \
                                   first, points, resources, room, nodes, counts, lefts, picks, width, strays);       \
        }                                                                                                             \
    }

RESOURCES_WALK(resources_walk_i32, int)
RESOURCES_WALK(resources_walk_i64, long long)

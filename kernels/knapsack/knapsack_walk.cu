// The items behind one cell of the last row, from the bits that the sweep left: a walk back, item by item.
// targets: compute_70
//
// Source: the traceback of Bellman's recurrence with a bit a decision, as in V. Boyer, D. El Baz, M. Elkihel, "Solving
// knapsack problems on GPU", Computers & Operations Research, 2012, there on the host.
// Layout: bits: every item's bits, a bit a cell, lowest first; offsets[i]: the byte of item i's cell 0, which may lie
//         before the buffer (an item has bits for its window alone); weights: a number an item.
//         cell: in, the cell the walk starts from; out, where it ends: 0, or -1 where an item was heavier than what was
//         left, which says that the bits are wrong. taken: a byte an item, 1 where it is taken.
// Requires: the walk stays in every item's window, which it does from a live cell on.
// Work: one read of global memory after the other, one an item.
// Launch: one thread.
// Checked against: the reference engine (tests/gpu/knapsack.rs).

extern "C" __global__ void knapsack_walk(const unsigned char* __restrict__ bits, const long long* __restrict__ offsets,
                                         const unsigned long long* __restrict__ weights, int count,
                                         long long* __restrict__ cell, unsigned char* __restrict__ taken) {
    long long at = *cell;
    for (int i = count - 1; i >= 0; --i) {
        const bool took = (bits[offsets[i] + (at >> 3)] >> (at & 7) & 1) != 0;
        const long long weight = took ? (long long)weights[i] : 0;
        taken[i] = took;
        if (weight > at) {
            *cell = -1;
            return;
        }
        at -= weight;
    }
    *cell = at;
}

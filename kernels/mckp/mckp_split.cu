// From the stored item of every cell of a merged layer to the items of its two classes.
// targets: compute_70
//
// Source: isx's own. A layer of two classes (src/mckp/cuda/layers.rs) stores for each cell which sum of two items
// explains it. The second class's item is read off at that cell; the first class's belongs to the cell that is left
// when the second's weight is taken away, in a row that was never stored.
//
// Recurrence: none. Only cells where the layer's row rises are looked at, since walks of front points pass through no
// others. At such a cell x the sum is the canonical one, and x - (second's weight) is a cell where the row in between
// rises; its canonical item is the same whichever x leads there, so threads that meet at a cell store the same index.
//
// Layout:
//   rows     rows of `stride` cells, as mckp_tiled.cu leaves them
//   splits   one a merged layer: its row, where its indices and those of its classes begin in `picks`, their widths in
//            bytes, and its first choice
//   choices  for each item of a merged layer, the items of its classes and the second one's weight
//   picks    zeroed by the host where classes' indices go; what no walk passes stays unspecified
// Launch: blockIdx.y the merged layer, any number of blocks of any size a layer.
// Work: cells read, one store each for two classes where a row rises.
// Checked against: the reference engine (tests/gpu/mckp.rs).

struct Split {
    long long from;
    long long first;
    long long second;
    long long first_choice;
    int row;
    int from_bytes;
    int first_bytes;
    int second_bytes;
};
static_assert(sizeof(Split) == 48, "the host writes 48 bytes a split");

struct Choice {
    long long second_weight;
    unsigned first;
    unsigned second;
};
static_assert(sizeof(Choice) == 16, "the host writes 16 bytes a choice");

__device__ __forceinline__ unsigned load_index(const unsigned char* picks, int bytes, long long at) {
    if (bytes == 1) {
        return picks[at];
    }
    return bytes == 2 ? reinterpret_cast<const unsigned short*>(picks)[at]
                      : reinterpret_cast<const unsigned*>(picks)[at];
}

__device__ __forceinline__ void store_index(unsigned char* picks, int bytes, long long at, unsigned index) {
    if (bytes == 1) {
        picks[at] = (unsigned char)index;
    } else if (bytes == 2) {
        reinterpret_cast<unsigned short*>(picks)[at] = (unsigned short)index;
    } else {
        reinterpret_cast<unsigned*>(picks)[at] = index;
    }
}

template <class Cell>
__device__ __forceinline__ void split(const Cell* __restrict__ rows, long long stride, long long cells,
                                      const Split* __restrict__ splits, const Choice* __restrict__ choices,
                                      unsigned char* picks) {
    const Split layer = splits[blockIdx.y];
    const Cell* const row = rows + layer.row * stride;
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < cells; at += step) {
        if (at > 0 && row[at] == row[at - 1]) {
            continue;
        }
        const Choice choice = choices[layer.first_choice + load_index(picks + layer.from, layer.from_bytes, at)];
        store_index(picks + layer.second, layer.second_bytes, at, choice.second);
        store_index(picks + layer.first, layer.first_bytes, at - choice.second_weight, choice.first);
    }
}

#define MCKP_SPLIT(NAME, CELL)                                                                                   \
    extern "C" __global__ void NAME(const CELL* rows, long long stride, long long cells, const Split* splits,    \
                                    const Choice* choices, unsigned char* picks) {                               \
        split<CELL>(rows, stride, cells, splits, choices, picks);                                                \
    }

MCKP_SPLIT(mckp_split_i32, int)
MCKP_SPLIT(mckp_split_i64, long long)

// Planted errors, one a tool of compute-sanitizer: a run of the tools that does not find them proves nothing.
// targets: compute_70

// memcheck: one word beyond the end.
extern "C" __global__ void planted_out_of_bounds(int* words, int count) {
    if (threadIdx.x == 0) {
        words[count] = 1;
    }
}

// racecheck: neighbours read what each thread writes, with no barrier between.
extern "C" __global__ void planted_race(int* words, int count) {
    __shared__ int shared[256];
    shared[threadIdx.x] = (int)threadIdx.x;
    words[threadIdx.x % count] = shared[(threadIdx.x + 33) % 256];
}

// initcheck: adds up memory that nobody wrote.
extern "C" __global__ void planted_uninitialized(int* words, int count) {
    int sum = 0;
    for (int k = 1; k < count; ++k) {
        sum += words[k];
    }
    words[0] = sum;
}

// synccheck: half of each warp skips a barrier.
extern "C" __global__ void planted_divergent_barrier(int* words, int count) {
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    }
    words[threadIdx.x % count] = (int)threadIdx.x;
}

// What one core can do at best: inner loops of dense rows by themselves, in intrinsics. gcc -O3 -march=native kernels.c
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
// The least seconds of several runs.
#define LEAST(var, runs, body) double var = 1e9; for (int run_ = 0; run_ < (runs); run_++) { double from_ = now(); body; \
    double took_ = now() - from_; if (took_ < var) var = took_; }

// Multiple choice: a tile of V vectors of 16-bit cells in registers, while n items stream past.
#define STREAM(NAME, V) __attribute__((noinline)) static void NAME(const int16_t *cells, const int *back, const int16_t *gain, int n, int16_t *out) { \
    __m512i best[V]; for (int v = 0; v < V; v++) best[v] = _mm512_loadu_si512(cells + 32 * v); \
    for (int k = 0; k < n; k++) { const int16_t *from = cells - back[k]; __m512i g = _mm512_set1_epi16(gain[k]); \
        _Pragma("GCC unroll 32") for (int v = 0; v < V; v++) \
            best[v] = _mm512_max_epi16(best[v], _mm512_adds_epi16(_mm512_loadu_si512(from + 32 * v), g)); } \
    for (int v = 0; v < V; v++) _mm512_storeu_si512(out + 32 * v, best[v]); }
STREAM(tile8, 8)
STREAM(tile16, 16)
// The same with aligned loads alone: two neighbors are joined by a permutation.
__attribute__((noinline)) static void joined8(const int16_t *cells, const int *back, const int16_t *gain, int n, int16_t *out) {
    int16_t lanes[32]; for (int i = 0; i < 32; i++) lanes[i] = i;
    __m512i best[8], lane = _mm512_loadu_si512(lanes); for (int v = 0; v < 8; v++) best[v] = _mm512_loadu_si512(cells + 32 * v);
    for (int k = 0; k < n; k++) {
        uintptr_t from = (uintptr_t)(cells - back[k]); const int16_t *line = (const int16_t *)(from & ~63ull);
        __m512i g = _mm512_set1_epi16(gain[k]), index = _mm512_add_epi16(lane, _mm512_set1_epi16((from & 63) / 2)), low = _mm512_load_si512(line);
        _Pragma("GCC unroll 32") for (int v = 0; v < 8; v++) { __m512i high = _mm512_load_si512(line + 32 * (v + 1));
            best[v] = _mm512_max_epi16(best[v], _mm512_adds_epi16(_mm512_permutex2var_epi16(low, index, high), g)); low = high; }
    }
    for (int v = 0; v < 8; v++) _mm512_storeu_si512(out + 32 * v, best[v]);
}

// 0-1: new(j) = max(old(j), old(j - w) + p), with 32-bit and 16-bit cells.
__attribute__((noinline)) static void item32(const int *old, int *new, long cells, long w, int p) { __m512i g = _mm512_set1_epi32(p);
    for (long i = 0; i < cells; i += 16) _mm512_storeu_si512(new + i, _mm512_max_epi32(_mm512_loadu_si512(old + i), _mm512_add_epi32(_mm512_loadu_si512(old + i - w), g))); }
__attribute__((noinline)) static void item16(const int16_t *old, int16_t *new, long cells, long w, int p) { __m512i g = _mm512_set1_epi16(p);
    for (long i = 0; i < cells; i += 32) _mm512_storeu_si512(new + i, _mm512_max_epi16(_mm512_loadu_si512(old + i), _mm512_adds_epi16(_mm512_loadu_si512(old + i - w), g))); }
// A row's cells to differences from a base, and back.
__attribute__((noinline)) static void pack(const int *old, int16_t *new, long cells, int base) { __m512i low = _mm512_set1_epi32(base - 32768), b = _mm512_set1_epi32(base);
    for (long i = 0; i < cells; i += 16) _mm256_storeu_si256((void *)(new + i), _mm512_cvtepi32_epi16(_mm512_sub_epi32(_mm512_max_epi32(_mm512_loadu_si512(old + i), low), b))); }
__attribute__((noinline)) static void unpack(const int16_t *old, int *new, long cells, int base) { __m512i b = _mm512_set1_epi32(base);
    for (long i = 0; i < cells; i += 16) _mm512_storeu_si512(new + i, _mm512_add_epi32(_mm512_cvtepi16_epi32(_mm256_loadu_si256((void *)(old + i))), b)); }

int main(void) {
    LEAST(clock, 50, uint64_t x = 1; for (int i = 0; i < 10000; i++) __asm__ volatile("add $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0" : "+r"(x)))
    double hertz = 1e5 / clock;
    printf("clock %.2f GHz (dependent additions); one 512-bit load of two cache lines a clock would be %.0f G cells/s\n", hertz * 1e-9, hertz * 32e-9);
    enum { STRIP = 4096, HALO = 10240, N = 200 };
    int16_t *window = aligned_alloc(4096, 2 * (HALO + STRIP + 2048)), *out = aligned_alloc(4096, 4 * STRIP), gain[N]; int back[N];
    for (int i = 0; i < HALO + STRIP + 2048; i++) window[i] = i / 3;
    struct { const char *name; void (*run)(const int16_t *, const int *, const int16_t *, int, int16_t *); int cells; } kernels[] =
        {{"8 vectors", tile8, 256}, {"16 vectors", tile16, 512}, {"8 vectors, aligned loads joined", joined8, 256}};
    for (int aligned = 0; aligned < 2; aligned++) {
        srand(1); for (int k = 0; k < N; k++) { back[k] = rand() % 10000 & (aligned ? ~31 : ~0); gain[k] = rand() % 3000; }
        for (int k = 0; k < 3; k++) {
            LEAST(t, 300, for (int at = 0; at < STRIP; at += kernels[k].cells) kernels[k].run(window + HALO + at, back, gain, N, out + at))
            double rate = (double)STRIP * N / t;
            printf("multiple choice, weights to 10,000%s, %s: %.0f G cells/s, %.2f clocks a vector\n", aligned ? " in multiples of 32" : "", kernels[k].name, rate * 1e-9, 32 * hertz / rate);
        }
    }
    // 0-1, a batch of k light items on tiles of a row of 8M cells: windows of 32 bits as the engine's, or of 16.
    enum { PAD = 1 << 16, C = 8 << 20, T = 1 << 16, EDGE = 2048 };
    int *row = aligned_alloc(1 << 21, 4l * (C + 32 * PAD)), *result = aligned_alloc(1 << 21, 4l * (C + 32 * PAD)), *a = aligned_alloc(4096, 4 * (2 * T)), *b = aligned_alloc(4096, 4 * (2 * T));
    for (long i = 0; i < C + 32 * PAD; i++) row[i] = i / 3, result[i] = 0;
    memset(a, 0, 8l * T), memset(b, 0, 8l * T);
    b += 528; // Not at the same place of a page as a.
    int16_t *a16 = (void *)a, *b16 = (void *)b;
    for (int k = 2; k <= 32; k *= 2) {
        long w[32], p[32], reach = 0; for (int i = 0; i < k; i++) { w[i] = 100 + rand() % 900, p[i] = 100 + rand() % 900; if (i) reach += w[i]; }
        long h = (reach + 63) / 64 * 64, tiles = (C - T - PAD) / T; double of[2];
        for (int narrow = 0; narrow < 2; narrow++) {
            LEAST(t, 40, for (long tile = 0; tile < tiles; tile++) { long at = PAD + tile * T;
                if (narrow) { pack(row + at - h - EDGE, b16, T + h + EDGE, row[at]);
                    for (int i = 0; i < k; i++) item16((i & 1 ? a16 : b16) + EDGE, (i & 1 ? b16 : a16) + EDGE, T + h, w[i], p[i]);
                    unpack((k & 1 ? a16 : b16) + EDGE + h, result + at, T, row[at]);
                } else for (int i = 0; i < k; i++) { int last = i == k - 1; const int *from = i == 0 ? row + at - h : (i & 1 ? a : b) + EDGE;
                    item32(from + (last && i ? h : 0), last ? result + at : (i & 1 ? b : a) + EDGE, last ? T : T + h, w[i], p[i]); } })
            of[narrow] = t / ((double)tiles * T * k);
        }
        printf("0-1, %2d light items at a time: %.4f ns a cell and item in 32 bits, %.4f in 16, %.2f times\n", k, of[0] * 1e9, of[1] * 1e9, of[0] / of[1]);
    }
    for (long n = 64 << 10; n <= 16l << 20; n *= 4) { // One heavy item, row after row.
        long w = n / 5 / 64 * 64 + 17; int *x = row, *y = result; if (2 * n > C) x = aligned_alloc(1 << 21, 8 * n), y = aligned_alloc(1 << 21, 8 * n), memset(x, 0, 8 * n), memset(y, 0, 8 * n);
        LEAST(wide, n > C / 2 ? 6 : 60, item32(x + n / 4 / 64 * 64 + PAD / 4, y, n / 2, w, 77)) LEAST(narrow, n > C / 2 ? 6 : 60, item16((int16_t *)x + n / 4 / 64 * 64 + PAD / 4, (int16_t *)y, n / 2, w, 77))
        printf("0-1, one heavy item, %ld cells: %.4f ns a cell in 32 bits, %.4f in 16, %.2f times\n", n / 2, wide / (n / 2) * 1e9, narrow / (n / 2) * 1e9, wide / narrow);
    }
}

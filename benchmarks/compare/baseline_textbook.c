/* The textbook dynamic program for the multiple-choice knapsack problem, value only: the yardstick of compare_speed.py.
 *
 *   G_0(j) = 0        G_i(j) = max_k { G_{i-1}(j - w_ik) + v_ik : w_ik <= j }        for j = 0 .. C
 *
 * One class after the other, in it one cell after the other, in that one item after the other, as the recurrence reads;
 * two rows of 32-bit integers. With `optional` a class may also give nothing. No dominance, no tiling, no early end:
 * compiled with gcc -O3 -march=native it is what a careful reader of the textbook would write.
 *
 *   baseline_textbook FILE REPEATS [--optional] [--row ROWFILE]
 *
 * prints "value updates seconds seconds ..": the best value within the capacity (or "infeasible"), the sum over classes
 * of items times (capacity + 1), and the time of the loops in each repeat. ROWFILE gets the last row, int32 in the
 * machine's order, INT32_MIN / 2 or less where nothing fits.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOTHING (INT32_MIN / 2)

struct class {
    int64_t count;
    int32_t *value, *weight;
};

static void fail(const char *what) {
    fprintf(stderr, "baseline_textbook: %s\n", what);
    exit(2);
}

static void *allocate(int64_t count, size_t size) {
    void *found = calloc(count > 0 ? (size_t)count : 1, size);
    if (!found) fail("out of memory");
    return found;
}

static int64_t next(FILE *file) {
    long long number;
    if (fscanf(file, "%lld", &number) != 1) fail("not a problem in whole numbers");
    return number;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void layer(const struct class *class, int64_t capacity, const int32_t *before, int32_t *row, int optional) {
    for (int64_t j = 0; j <= capacity; j++) {
        int32_t best = optional ? before[j] : NOTHING;
        for (int64_t k = 0; k < class->count; k++) {
            if (class->weight[k] <= j) {
                int32_t candidate = before[j - class->weight[k]] + class->value[k];
                if (candidate > best) best = candidate;
            }
        }
        /* A sum on top of "nothing fits" must not creep up to a value over many classes. */
        row[j] = best <= NOTHING / 2 ? NOTHING : best;
    }
}

int main(int argc, char **argv) {
    if (argc < 3) fail("usage: baseline_textbook FILE REPEATS [--optional] [--row ROWFILE]");
    int repeats = atoi(argv[2]), optional = 0;
    const char *row_file = NULL;
    for (int a = 3; a < argc; a++) {
        if (!strcmp(argv[a], "--optional")) optional = 1;
        else if (!strcmp(argv[a], "--row") && a + 1 < argc) row_file = argv[++a];
        else fail("unknown argument");
    }
    FILE *file = fopen(argv[1], "r");
    if (!file) fail("no such file");
    int64_t classes = next(file), capacity = next(file), items = 0, bound = 0;
    struct class *class = allocate(classes, sizeof *class);
    for (int64_t i = 0; i < classes; i++) {
        class[i].count = next(file);
        class[i].value = allocate(class[i].count, sizeof(int32_t));
        class[i].weight = allocate(class[i].count, sizeof(int32_t));
        int64_t largest = 0;
        for (int64_t k = 0; k < class[i].count; k++) {
            int64_t value = next(file), weight = next(file);
            if (weight > INT32_MAX) fail("a weight passes 32 bits");
            class[i].value[k] = (int32_t)value;
            class[i].weight[k] = (int32_t)weight;
            int64_t size = value < 0 ? -value : value;
            if (size > largest) largest = size;
        }
        bound += largest;
        items += class[i].count;
    }
    fclose(file);
    if (bound >= -(NOTHING / 2)) fail("sums may pass 29 bits");

    int32_t *before = allocate(capacity + 1, sizeof(int32_t)), *row = allocate(capacity + 1, sizeof(int32_t));
    double *seconds = allocate(repeats, sizeof(double));
    for (int r = 0; r < repeats; r++) {
        double start = now();
        memset(before, 0, (size_t)(capacity + 1) * sizeof(int32_t));
        for (int64_t i = 0; i < classes; i++) {
            layer(&class[i], capacity, before, row, optional);
            int32_t *swap = before;
            before = row;
            row = swap;
        }
        seconds[r] = now() - start;
    }
    if (before[capacity] <= NOTHING / 2) printf("infeasible");
    else printf("%d", before[capacity]);
    printf(" %lld", (long long)(items * (capacity + 1)));
    for (int r = 0; r < repeats; r++) printf(" %.9f", seconds[r]);
    printf("\n");
    if (row_file) {
        FILE *out = fopen(row_file, "wb");
        if (!out || fwrite(before, sizeof(int32_t), (size_t)(capacity + 1), out) != (size_t)(capacity + 1) || fclose(out))
            fail("cannot write the row");
    }
    return 0;
}

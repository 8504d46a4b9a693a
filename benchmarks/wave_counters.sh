#!/usr/bin/env bash
# The counters of O'Connell and Mumford's Figure 5 for the kernels that fill waves: efficiency of loads from global memory,
# of warps, and instructions per clock and multiprocessor, by NVIDIA's ncu.
#
#   bash benchmarks/wave_counters.sh ISX_PAPERS OUT
#
# The problems are the paper's: sequences of 3000 letters, a knapsack of 1500 items and capacity 500, and for the tours 20
# cities in place of 280. Counted are the first nine launches of each kernel and every hundredth. ISX_PAPERS checks its answers.
set -u
papers=$(realpath "$1")
mkdir -p "$2" && cd "$2" || exit 1
load=smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct
warp=smsp__thread_inst_executed_per_inst_executed.ratio
clock=sm__inst_executed.avg.per_cycle_active
kernels='wave|recurrence'
ncu --csv --log-file counters.csv --metrics $load,$warp,$clock --kernel-id "::regex:$kernels:[0-9]|.*00" \
    "$papers" waves --gpu --lengths 3000 --capacities 500 --cities 20 --repeat 0 --out waves >waves.txt 2>waves.err ||
    { echo "ncu failed: $(tail -2 waves.err | tr '\n' ' ')$(grep -h '==ERROR' counters.csv | head -1)"; exit 1; }

# A row per kernel: launches, and least, mean and greatest of each counter.
awk -F '","' -v load=$load -v warp=$warp -v clock=$clock '
    /^"ID"/ { for (at = 1; at <= NF; at++) { gsub(/"/, "", $at); column[$at] = at }; next }
    !/^"[0-9]/ || !("Kernel Name" in column) { next }
    {
        kernel = $column["Kernel Name"]; sub(/\(.*/, "", kernel)
        metric = $column["Metric Name"]; value = $column["Metric Value"]; gsub(/[",]/, "", value)
        if (metric == warp) value = 100 * value / 32
        if (value == "" || value == "nan") next
        key = kernel SUBSEP metric; kernels[kernel]
        if (!(key in count) || value + 0 < least[key]) least[key] = value + 0
        if (!(key in count) || value + 0 > most[key]) most[key] = value + 0
        sum[key] += value; count[key]++
    }
    function shown(kernel, metric, form,    key) {
        key = kernel SUBSEP metric
        return key in count ? sprintf(form, least[key], sum[key] / count[key], most[key]) : "-"
    }
    END {
        print "| kernel | launches | load efficiency, % | warp efficiency, % | instructions per clock |"
        print "|---|---|---|---|---|"
        for (kernel in kernels)
            printf "| %s | %d | %s | %s | %s |\n", kernel, count[kernel, clock], shown(kernel, load, "%.0f, %.0f, %.0f"),
                shown(kernel, warp, "%.0f, %.0f, %.0f"), shown(kernel, clock, "%.2f, %.2f, %.2f") | "sort"
        close("sort")
        print "| there | all | 60 or more, above 75, - | low, near 80 or more, 100 | low, 0.5 or more, - |"
    }' counters.csv >counters.md
echo "least, mean, most"
cat counters.md

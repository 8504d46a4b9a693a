/* A driver library of a GPU that is not there: memory is the host's, copies are copies, kernels do nothing.
 *
 * It takes the place of libcuda, so that what becomes of every fault of a driver can be seen without a GPU:
 *   FAKE_CUDA_VERSION=12000   the CUDA version that it supports, 12040 if not given
 *   FAKE_CUDA_DEVICES=0       GPUs, 1 if not given
 *   FAKE_CUDA_FAIL=N:CODE     the N-th call fails with this error; N+:CODE, all from the N-th on
 *   FAKE_CUDA_TOLD=FILE       made when the first call fails
 *   FAKE_CUDA_FILL=BYTE       what fresh memory holds, 0 if not given
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int Result;
typedef unsigned long long Pointer;

static atomic_long calls;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

static Result call(void) {
    long this = atomic_fetch_add(&calls, 1) + 1;
    const char *plan = getenv("FAKE_CUDA_FAIL");
    if (!plan) return 0;
    char *rest;
    long nth = strtol(plan, &rest, 10);
    int lasting = *rest == '+';
    if (lasting) rest++;
    if (this < nth || (this > nth && !lasting)) return 0;
    const char *told = getenv("FAKE_CUDA_TOLD");
    if (this == nth && told) {
        FILE *file = fopen(told, "w");
        if (file) fclose(file);
    }
    return (Result)strtol(rest + 1, NULL, 10);
}

#define CALL do { Result failed = call(); if (failed) return failed; } while (0)
/* Calls that take nothing that matters here, and give nothing. */
#define NOTHING(name) Result name() { CALL; return 0; }

static Result give(Pointer *to, size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) return 2;
    memset(memory, (int)number("FAKE_CUDA_FILL", 0), bytes);
    *to = (Pointer)memory;
    return 0;
}

NOTHING(cuInit)
Result cuDriverGetVersion(int *version) { CALL; *version = (int)number("FAKE_CUDA_VERSION", 12040); return 0; }
Result cuDeviceGetCount(int *count) { CALL; *count = (int)number("FAKE_CUDA_DEVICES", 1); return 0; }
Result cuDeviceGet(int *device, int ordinal) { CALL; *device = ordinal; return 0; }
Result cuDeviceGetName(char *name, int length, int device) {
    CALL;
    (void)device;
    snprintf(name, (size_t)length, "no GPU at all");
    return 0;
}
Result cuDeviceTotalMem_v2(size_t *bytes, int device) { CALL; (void)device; *bytes = (size_t)1 << 30; return 0; }
Result cuDeviceGetAttribute(int *value, int attribute, int device) {
    CALL;
    (void)device;
    switch (attribute) {
    case 13: *value = 2000000000; break; /* kHz: beyond any clock, so that it is always expected to be fastest */
    case 16: *value = 4; break;          /* multiprocessors */
    case 39: *value = 2048; break;       /* threads of one */
    case 75: *value = 9; break;          /* compute capability */
    case 76: *value = 0; break;
    case 81: *value = 228 << 10; break;  /* shared memory of a multiprocessor, of a block */
    case 97: *value = 227 << 10; break;
    case 1: *value = 1024; break;        /* threads of a block */
    default: *value = 1;
    }
    return 0;
}
Result cuDevicePrimaryCtxRetain(void **context, int device) { CALL; *context = (void *)(8L + device); return 0; }
NOTHING(cuDevicePrimaryCtxRelease_v2)
NOTHING(cuCtxSetCurrent)
Result cuCtxGetCurrent(void **context) { CALL; *context = (void *)8; return 0; }
NOTHING(cuCtxSynchronize)
Result cuDeviceGetDefaultMemPool(void **pool, int device) { CALL; (void)device; *pool = (void *)8; return 0; }
NOTHING(cuMemPoolSetAttribute)
Result cuMemPoolGetAttribute(void *pool, int attribute, unsigned long long *value) {
    CALL;
    (void)pool, (void)attribute;
    *value = 0;
    return 0;
}
Result cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    CALL;
    *free_bytes = *total = (size_t)1 << 28;
    return 0;
}
Result cuMemAllocAsync(Pointer *to, size_t bytes, void *stream) { CALL; (void)stream; return give(to, bytes); }
Result cuMemAlloc_v2(Pointer *to, size_t bytes) { CALL; return give(to, bytes); }
Result cuMemFreeAsync(Pointer memory, void *stream) { (void)stream; free((void *)memory); CALL; return 0; }
Result cuMemFree_v2(Pointer memory) { free((void *)memory); CALL; return 0; }
Result cuMemHostAlloc(void **to, size_t bytes, unsigned flags) {
    (void)flags;
    CALL;
    return give((Pointer *)to, bytes);
}
Result cuMemFreeHost(void *memory) { free(memory); CALL; return 0; }
Result cuMemsetD8Async(Pointer to, unsigned char byte, size_t bytes, void *stream) {
    CALL;
    (void)stream;
    memset((void *)to, byte, bytes);
    return 0;
}
Result cuMemsetD8_v2(Pointer to, unsigned char byte, size_t bytes) { CALL; memset((void *)to, byte, bytes); return 0; }
static Result copy(void *to, const void *from, size_t bytes) { CALL; memmove(to, from, bytes); return 0; }
Result cuMemcpyHtoDAsync_v2(Pointer to, const void *from, size_t bytes, void *stream) {
    (void)stream;
    return copy((void *)to, from, bytes);
}
Result cuMemcpyHtoD_v2(Pointer to, const void *from, size_t bytes) { return copy((void *)to, from, bytes); }
Result cuMemcpyDtoHAsync_v2(void *to, Pointer from, size_t bytes, void *stream) {
    (void)stream;
    return copy(to, (void *)from, bytes);
}
Result cuMemcpyDtoH_v2(void *to, Pointer from, size_t bytes) { return copy(to, (void *)from, bytes); }
Result cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, size_t bytes, void *stream) {
    (void)stream;
    return copy((void *)to, (void *)from, bytes);
}
Result cuMemcpyDtoD_v2(Pointer to, Pointer from, size_t bytes) { return copy((void *)to, (void *)from, bytes); }
Result cuMemcpyPeerAsync(
    Pointer to, void *to_context, Pointer from, void *from_context, size_t bytes, void *stream) {
    (void)to_context, (void)from_context, (void)stream;
    return copy((void *)to, (void *)from, bytes);
}
Result cuDeviceCanAccessPeer(int *can, int device, int other) { CALL; *can = device != other; return 0; }
NOTHING(cuCtxEnablePeerAccess)
NOTHING(cuMemPoolSetAccess)
Result cuStreamCreate(void **stream, unsigned flags) { CALL; (void)flags; *stream = (void *)8; return 0; }
NOTHING(cuStreamDestroy_v2)
NOTHING(cuStreamSynchronize)
NOTHING(cuStreamWaitEvent)
Result cuStreamIsCapturing(void *stream, int *status) { CALL; (void)stream; *status = 0; return 0; }
Result cuEventCreate(void **event, unsigned flags) { CALL; (void)flags; *event = (void *)8; return 0; }
NOTHING(cuEventDestroy_v2)
NOTHING(cuEventRecord)
NOTHING(cuEventSynchronize)
NOTHING(cuEventQuery)
Result cuEventElapsedTime(float *milliseconds, void *from, void *to) {
    CALL;
    (void)from, (void)to;
    *milliseconds = 1;
    return 0;
}
Result cuModuleLoadData(void **module, const void *image) { CALL; (void)image; *module = (void *)8; return 0; }
NOTHING(cuModuleUnload)
Result cuModuleGetFunction(void **function, void *module, const char *name) {
    CALL;
    (void)module, (void)name;
    *function = (void *)8;
    return 0;
}
Result cuModuleGetGlobal_v2(Pointer *to, size_t *bytes, void *module, const char *name) {
    static char constants[1 << 16];
    CALL;
    (void)module, (void)name;
    *to = (Pointer)constants;
    *bytes = sizeof constants;
    return 0;
}
NOTHING(cuFuncSetAttribute)
NOTHING(cuFuncSetCacheConfig)
Result cuFuncGetAttribute(int *value, int attribute, void *function) {
    CALL;
    (void)attribute, (void)function;
    *value = 1024;
    return 0;
}
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
    CALL;
    (void)function, (void)threads, (void)shared;
    *blocks = 2;
    return 0;
}
Result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, void *function, int threads, size_t shared, unsigned flags) {
    (void)flags;
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
NOTHING(cuLaunchKernel)
NOTHING(cuLaunchCooperativeKernel)
Result cuGetErrorName(Result error, const char **name) {
    *name = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_A_TEST";
    return 0;
}
Result cuGetErrorString(Result error, const char **text) {
    (void)error;
    *text = "a fault on purpose";
    return 0;
}

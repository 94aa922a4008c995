/* What calls answer to sizes, pitches, offsets, and counts that overflow or do not fit. Each row was run on an H200
 * with CUDA 13.0, in a process of its own, and has the error that it got there. OURS are those of gpulab where the GPU
 * takes a number modulo 2^64 or faults later. With an argument, only the row of this number. */
#include <cstdio>
#include <cstdlib>
#include <cuda.h>

__device__ int symbol[16];
__constant__ int constant[16];
__global__ void nothing() {}
__global__ void shares(int *a) {
	__shared__ int s[16];
	s[threadIdx.x & 15] = 1;
	a[0] = s[0];
}

static const size_t ALL = ~(size_t)0, BIG = (size_t)1 << 58, PITCH = (size_t)1 << 32;
static const cudaMemcpyKind DH = cudaMemcpyDeviceToHost, HD = cudaMemcpyHostToDevice, DD = cudaMemcpyDeviceToDevice,
							ANY = cudaMemcpyDefault, NONE = (cudaMemcpyKind)99;
static char host[65536], other[65536];
static char *d, *e, *m, *p; /* of 65536 bytes: device memory, more of it, managed and pinned memory */
static void *v;
static size_t pitch;
static int only = -1, rows, wrong;

static bool wanted() {
	return only < 0 || only == rows;
}

static void is(const char *what, cudaError_t expected, cudaError_t error) {
	wrong += error != expected;
	if (error != expected || only >= 0)
		printf("%d: %s: %s, not %s\n", rows, what, cudaGetErrorName(error), cudaGetErrorName(expected));
	cudaGetLastError();
}

#define ROW(expected, text, ...) (wanted() ? is(text, cuda##expected, __VA_ARGS__) : (void)0), rows++
#define R(expected, ...) ROW(expected, #__VA_ARGS__, __VA_ARGS__)
#define C(expected, ...) q = good, __VA_ARGS__, ROW(expected, #__VA_ARGS__, cudaMemcpy3D(&q))
#define D(expected, ...) ROW(expected, #__VA_ARGS__, (cudaError_t)(__VA_ARGS__)) /* of the same numbers in both */
#define OURS R
#define OURS_C C
#define OURS_D D

static void copy() {
	R(Success, cudaMemcpy(host, d, 65536, DH));
	R(ErrorInvalidValue, cudaMemcpy(host, d, 65537, DH));
	R(ErrorInvalidValue, cudaMemcpy(host, d, ALL, DH));
	R(ErrorInvalidValue, cudaMemcpy(host, d + 1, ALL, DH));
	R(ErrorInvalidValue, cudaMemcpy(d, host, BIG, HD));
	R(ErrorInvalidValue, cudaMemcpy(d, e, ALL, DD));
	R(ErrorInvalidValue, cudaMemcpy(d, e, ALL, ANY));
	R(Success, cudaMemcpy(host, d, 0, DH));
	R(Success, cudaMemcpy(NULL, d, 0, DH));
	R(ErrorInvalidValue, cudaMemcpy(NULL, d, 4, DH));
	R(ErrorInvalidValue, cudaMemcpy(host, NULL, 4, DH));
	R(ErrorInvalidValue, cudaMemcpy(host, d, 4, HD));
	R(ErrorInvalidMemcpyDirection, cudaMemcpy(host, d, 4, NONE));
	R(Success, cudaMemcpy(host, d, 0, NONE));
	R(ErrorInvalidValue, cudaMemcpyAsync(host, d, ALL, DH, 0));
	R(ErrorInvalidValue, cudaMemcpyAsync(p, d, ALL, DH, 0));
	R(ErrorInvalidValue, cudaMemcpyPeer(d, 0, e, 0, 65537));
	R(ErrorInvalidDevice, cudaMemcpyPeer(d, 0, e, 5, 4));
}

static void copy2d() {
	R(Success, cudaMemcpy2D(host, 64, d, 64, 64, 1024, DH));
	R(ErrorInvalidValue, cudaMemcpy2D(host, 64, d, 64, 64, 1025, DH));
	R(ErrorInvalidValue, cudaMemcpy2D(host, 64, d, 64, 64, BIG, DH));
	R(ErrorInvalidValue, cudaMemcpy2D(host, PITCH, d, PITCH, 16, PITCH, DH));
	R(ErrorInvalidValue, cudaMemcpy2D(host, ALL, d, ALL, ALL, 2, DH));
	R(ErrorInvalidValue, cudaMemcpy2D(host, ALL, d, ALL, ALL, 1, DH));
	R(Success, cudaMemcpy2D(host, ALL, d, 64, 64, 1, DH));
	R(Success, cudaMemcpy2D(host, 64, d, ALL, 64, 1, DH));
	OURS(ErrorInvalidValue, cudaMemcpy2D(host, 64, d, ALL, 64, 2, DH));
	R(Success, cudaMemcpy2D(host, (size_t)1 << 31, d, 64, 64, 1, DH));
	R(Success, cudaMemcpy2D(host, ((size_t)1 << 31) - 1, d, 64, 64, 1, DH));
	R(Success, cudaMemcpy2D(host, 64, d, (size_t)1 << 31, 64, 1, DH));
	R(Success, cudaMemcpy2D(host, 64, d, ((size_t)1 << 31) - 1, 64, 1, DH));
	R(ErrorInvalidPitchValue, cudaMemcpy2D(host, 64, d, 64, 65, 2, DH));
	R(ErrorInvalidValue, cudaMemcpy2D(host, 64, d, 64, 65, 1, DH));
	R(ErrorInvalidPitchValue, cudaMemcpy2D(host, 64, d, 32, 48, 2, DH));
	R(ErrorInvalidValue, cudaMemcpy2D(host, 32, d, 64, 48, 1, DH));
	R(ErrorInvalidPitchValue, cudaMemcpy2D(host, 0, d, 0, 16, 4, DH));
	R(Success, cudaMemcpy2D(host, 0, d, 0, 16, 1, DH));
	R(Success, cudaMemcpy2D(host, 64, d, 64, 0, BIG, DH));
	R(Success, cudaMemcpy2D(host, 64, d, 64, 64, 0, DH));
	R(Success, cudaMemcpy2D(host, 32, d, 32, 64, 0, DH));
	R(ErrorInvalidValue, cudaMemcpy2D(d, 64, host, 64, 64, BIG, HD));
	R(ErrorInvalidValue, cudaMemcpy2D(d, 64, e, 64, 64, BIG, DD));
	R(ErrorInvalidValue, cudaMemcpy2D(d, 64, e, 64, 64, BIG, ANY));
	R(ErrorInvalidValue, cudaMemcpy2D(host, 64, d, 64, 64, 4, HD));
	R(ErrorInvalidMemcpyDirection, cudaMemcpy2D(host, 64, d, 64, 64, 4, NONE));
	R(ErrorInvalidValue, cudaMemcpy2D(NULL, 64, d, 64, 64, 4, DH));
	R(ErrorInvalidValue, cudaMemcpy2DAsync(host, 64, d, 64, 64, BIG, DH, 0));
	R(ErrorInvalidValue, cudaMemcpy2DAsync(p, 64, d, 64, 64, BIG, DH, 0));
	R(ErrorInvalidValue, cudaMemcpy2DAsync(p, PITCH, d, PITCH, 16, PITCH, DH, 0));
	R(ErrorInvalidPitchValue, cudaMemcpy2DAsync(d, 64, host, 32, 64, 4, HD, 0));
}

static void fill() {
	R(ErrorInvalidValue, cudaMemset(d, 0, 65537));
	OURS(ErrorInvalidValue, cudaMemset(d, 0, ALL));
	OURS(ErrorInvalidValue, cudaMemset(d + 1, 0, ALL));
	R(Success, cudaMemset(NULL, 0, 0));
	R(ErrorInvalidValue, cudaMemset(NULL, 0, 4));
	R(ErrorInvalidValue, cudaMemset(host, 0, 4));
	R(Success, cudaMemset(host, 0, 0));
	OURS(ErrorInvalidValue, cudaMemsetAsync(d, 0, ALL, 0));
	R(Success, cudaMemset2D(d, 64, 0, 64, 1024));
	R(ErrorInvalidValue, cudaMemset2D(d, 64, 0, 64, 1025));
	OURS(ErrorInvalidValue, cudaMemset2D(d, 64, 0, 64, BIG));
	OURS(ErrorInvalidValue, cudaMemset2D(d, PITCH, 0, 16, PITCH));
	OURS(ErrorInvalidValue, cudaMemset2D(d, ALL, 0, ALL, 2));
	OURS(ErrorInvalidValue, cudaMemset2D(d, ALL, 0, 64, 2));
	R(Success, cudaMemset2D(d, ALL, 0, 64, 1));
	R(Success, cudaMemset2D(d, (size_t)1 << 31, 0, 4, 1));
	R(ErrorInvalidValue, cudaMemset2D(d, 64, 0, 65, 2));
	R(Success, cudaMemset2D(d, 64, 0, 65, 1));
	R(ErrorInvalidValue, cudaMemset2D(d, 0, 0, 4, 2));
	R(Success, cudaMemset2D(d, 64, 0, 0, BIG));
	R(Success, cudaMemset2D(d, 64, 0, 64, 0));
	OURS(ErrorInvalidValue, cudaMemset2DAsync(d, 64, 0, 64, BIG, 0));
	R(ErrorInvalidValue, cudaMemset2DAsync(d, 64, 0, 65, 2, 0));
	R(Success, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(64, 16, 64)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(64, 16, 65)));
	OURS(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(64, 16, BIG)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(64, BIG, 2)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(64, BIG, 1)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(64, 17, 2)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(64, 17, 1)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(65, 2, 2)));
	R(Success, cudaMemset3D(make_cudaPitchedPtr(d, 64, 32, 16), 0, make_cudaExtent(48, 2, 2)));
	R(Success, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 16), 0, make_cudaExtent(64, 16, 0)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, ALL, 64, 16), 0, make_cudaExtent(64, 2, 2)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, ALL), 0, make_cudaExtent(64, 2, 2)));
	R(Success, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, ALL), 0, make_cudaExtent(64, 2, 1)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 0), 0, make_cudaExtent(64, 2, 2)));
	R(ErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(NULL, 64, 64, 16), 0, make_cudaExtent(64, 2, 2)));
}

static void allocate() {
	cudaPitchedPtr q;
	R(ErrorMemoryAllocation, cudaMalloc(&v, ALL));
	R(ErrorMemoryAllocation, cudaMalloc(&v, (size_t)1 << 62));
	R(ErrorMemoryAllocation, cudaMalloc(&v, (size_t)1 << 63));
	R(Success, cudaMalloc(&v, 0));
	R(ErrorInvalidValue, cudaMalloc((void **)NULL, 4));
	R(ErrorMemoryAllocation, cudaMallocManaged(&v, ALL));
	R(Success, cudaMallocManaged(&v, 0));
	R(ErrorMemoryAllocation, cudaMallocHost(&v, ALL));
	R(Success, cudaMallocHost(&v, 0));
	R(ErrorMemoryAllocation, cudaHostAlloc(&v, ALL - 4095, 0));
	R(ErrorMemoryAllocation, cudaMallocAsync(&v, ALL, 0));
	R(Success, cudaMallocAsync(&v, 0, 0));
	R(Success, cudaMallocPitch(&v, &pitch, 100, 10));
	R(Success, cudaMallocPitch(&v, &pitch, 513, 1));
	R(ErrorInvalidValue, cudaMallocPitch(&v, &pitch, ALL, 1));
	R(ErrorMemoryAllocation, cudaMallocPitch(&v, &pitch, 1, ALL));
	OURS(ErrorInvalidValue, cudaMallocPitch(&v, &pitch, ALL - 511, 2));
	R(ErrorInvalidValue, cudaMallocPitch(&v, &pitch, (size_t)1 << 40, (size_t)1 << 40));
	R(ErrorInvalidValue, cudaMallocPitch(&v, &pitch, (size_t)1 << 62, 4));
	R(Success, cudaMallocPitch(&v, &pitch, (size_t)1 << 31, 1));
	R(Success, cudaMallocPitch(&v, &pitch, 0, 5));
	R(Success, cudaMallocPitch(&v, &pitch, 5, 0));
	R(ErrorInvalidValue, cudaMallocPitch((void **)NULL, &pitch, 5, 1));
	R(ErrorInvalidValue, cudaMallocPitch(&v, NULL, 5, 1));
	R(Success, cudaMalloc3D(&q, make_cudaExtent(100, 4, 4)));
	R(ErrorInvalidValue, cudaMalloc3D(&q, make_cudaExtent(ALL, 1, 1)));
	OURS(ErrorMemoryAllocation, cudaMalloc3D(&q, make_cudaExtent(1, ALL, ALL)));
	OURS(ErrorMemoryAllocation, cudaMalloc3D(&q, make_cudaExtent(1, PITCH, PITCH)));
	R(Success, cudaMalloc3D(&q, make_cudaExtent(0, 1, 1)));
	R(Success, cudaMalloc3D(&q, make_cudaExtent(8, 0, 4)));
	R(Success, cudaMalloc3D(&q, make_cudaExtent(8, 4, 0)));
	R(ErrorInvalidValue, cudaMalloc3D(NULL, make_cudaExtent(8, 4, 2)));
}

static void arrays() {
	cudaArray_t a, b, c = NULL;
	const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaMallocArray(&a, &f, 64, 16);
	cudaMallocArray(&b, &f, 64, 16);
	R(Success, cudaMallocArray(&c, &f, 64, 0));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, 0, 0));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, 0, 4));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, ALL, 1));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, ALL, 0));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, 64, ALL));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, (size_t)1 << 62, 0));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, PITCH, PITCH));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, 131073, 0));
	R(Success, cudaMallocArray(&c, &f, 131072, 0));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, 131073, 4));
	R(ErrorInvalidValue, cudaMallocArray(&c, &f, 4, 65537));
	R(Success, cudaMalloc3DArray(&c, &f, make_cudaExtent(4, 4, 4), 0));
	R(ErrorInvalidValue, cudaMalloc3DArray(&c, &f, make_cudaExtent(4, 0, 4), 0));
	R(ErrorInvalidValue, cudaMalloc3DArray(&c, &f, make_cudaExtent(PITCH, PITCH, PITCH), 0));
	R(Success, cudaMalloc3DArray(&c, &f, make_cudaExtent(4, 4, 16385), 0));
	R(ErrorInvalidValue, cudaMalloc3DArray(&c, &f, make_cudaExtent(4, 4, 2049), cudaArrayLayered));
	R(Success, cudaMemcpy2DToArray(a, 0, 0, host, 256, 256, 16, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, host, 256, 257, 1, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, host, 512, 257, 1, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, 4, 0, host, 256, 256, 1, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 1, host, 256, 256, 16, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, ALL, 0, host, 256, 4, 1, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, ALL - 3, 0, host, 256, 8, 1, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, ALL, host, 256, 4, 1, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, ALL, host, 256, 4, 2, HD));
	R(ErrorInvalidPitchValue, cudaMemcpy2DToArray(a, 0, 0, host, 128, 256, 2, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, host, 128, 256, 1, HD));
	R(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, host, 256, 256, BIG, HD));
	R(Success, cudaMemcpy2DToArray(a, 0, 0, host, 256, 0, BIG, HD));
	R(Success, cudaMemcpy2DToArray(a, 300, 0, host, 256, 0, 1, HD));
	R(Success, cudaMemcpy2DToArray(a, 2, 0, host, 256, 4, 1, HD));
	OURS(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, host, ALL, 4, 2, HD));
	R(ErrorInvalidMemcpyDirection, cudaMemcpy2DToArray(a, 0, 0, host, 256, 4, 1, DH));
	R(ErrorInvalidResourceHandle, cudaMemcpy2DToArray(NULL, 0, 0, host, 256, 4, 1, HD));
	R(Success, cudaMemcpy2DFromArray(host, 256, a, 0, 0, 256, 16, DH));
	R(ErrorInvalidValue, cudaMemcpy2DFromArray(host, 256, a, 4, 0, 256, 1, DH));
	R(ErrorInvalidValue, cudaMemcpy2DFromArray(host, 256, a, 0, 1, 256, 16, DH));
	R(ErrorInvalidValue, cudaMemcpy2DFromArray(host, 256, a, 0, ALL, 256, 2, DH));
	R(ErrorInvalidValue, cudaMemcpy2DFromArray(host, 256, a, 0, 0, 256, BIG, DH));
	R(ErrorInvalidPitchValue, cudaMemcpy2DFromArray(host, 128, a, 0, 0, 256, 2, DH));
	R(Success, cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 256, 16, DD));
	R(ErrorInvalidValue, cudaMemcpy2DArrayToArray(b, 0, 1, a, 0, 0, 256, 16, DD));
	R(ErrorInvalidValue, cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 1, 256, 16, DD));
	R(ErrorInvalidValue, cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 256, BIG, DD));
	R(ErrorInvalidValue, cudaMemcpy2DToArrayAsync(a, 0, 1, host, 256, 256, 16, HD, 0));
}

static void symbols() {
	R(Success, cudaMemcpyToSymbol(symbol, host, 64, 0));
	R(ErrorInvalidValue, cudaMemcpyToSymbol(symbol, host, 65, 0));
	R(ErrorInvalidValue, cudaMemcpyToSymbol(symbol, host, 64, 1));
	R(ErrorInvalidValue, cudaMemcpyToSymbol(symbol, host, 4, ALL));
	R(ErrorInvalidValue, cudaMemcpyToSymbol(symbol, host, 4, ALL - 3));
	R(ErrorInvalidValue, cudaMemcpyToSymbol(symbol, host, ALL, 4));
	R(ErrorInvalidValue, cudaMemcpyToSymbol(symbol, host, ALL, 1));
	R(ErrorInvalidValue, cudaMemcpyToSymbol(symbol, host, ALL, ALL));
	R(Success, cudaMemcpyToSymbol(symbol, host, 0, 64));
	R(Success, cudaMemcpyToSymbol(symbol, host, 0, 65));
	R(ErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(symbol, host, 4, 0, DH));
	R(ErrorInvalidValue, cudaMemcpyToSymbol(constant, host, 64, 1));
	R(Success, cudaMemcpyFromSymbol(host, symbol, 64, 0));
	R(ErrorInvalidValue, cudaMemcpyFromSymbol(host, symbol, 64, 1));
	R(ErrorInvalidValue, cudaMemcpyFromSymbol(host, symbol, ALL, 1));
	R(ErrorInvalidValue, cudaMemcpyFromSymbol(host, symbol, 4, ALL));
	R(ErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(host, symbol, 4, 0, HD));
	R(ErrorInvalidValue, cudaMemcpyToSymbolAsync(symbol, host, 4, ALL - 3, HD, 0));
	R(ErrorInvalidSymbol, cudaMemcpyToSymbol(other, host, 4, 0));
}

static void copy3d() {
	cudaArray_t a, b;
	const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaMalloc3DArray(&a, &f, make_cudaExtent(16, 8, 4), 0);
	cudaMalloc3DArray(&b, &f, make_cudaExtent(16, 8, 4), 0);
	cudaMemcpy3DParms good = {};
	good.srcPtr = make_cudaPitchedPtr(host, 64, 64, 8);
	good.dstArray = a;
	good.extent = make_cudaExtent(16, 8, 4);
	good.kind = HD;
	cudaMemcpy3DParms to_memory = good;
	to_memory.dstArray = NULL;
	to_memory.dstPtr = make_cudaPitchedPtr(d, 64, 64, 8);
	to_memory.extent.width = 64;
	cudaMemcpy3DParms q = good;
	C(Success, q.kind = HD);
	C(ErrorInvalidValue, q.extent.width = 17);
	C(ErrorInvalidPitchValue, q.extent.height = 9);
	C(ErrorInvalidValue, q.extent.depth = 5);
	C(ErrorInvalidPitchValue, q.extent.width = ALL);
	C(ErrorInvalidPitchValue, q.extent.width = (size_t)1 << 62);
	C(ErrorInvalidPitchValue, q.extent.height = BIG);
	C(ErrorInvalidValue, q.extent.depth = BIG);
	C(Success, q.extent.depth = 0);
	C(Success, q.extent.width = 0, q.extent.depth = BIG);
	C(ErrorInvalidValue, q.dstPos.x = 1);
	C(ErrorInvalidValue, q.dstPos.y = 1);
	C(ErrorInvalidValue, q.dstPos.z = 1);
	C(ErrorInvalidValue, q.dstPos.x = ALL);
	C(ErrorInvalidValue, q.dstPos.y = ALL);
	C(ErrorInvalidValue, q.dstPos.z = ALL);
	OURS_C(ErrorInvalidValue, q.dstPos.x = (size_t)1 << 62);
	C(ErrorInvalidValue, q.dstPos.z = (size_t)1 << 61);
	C(ErrorInvalidValue, q.srcPos.x = ALL);
	C(ErrorInvalidValue, q.srcPtr.pitch = 32);
	OURS_C(ErrorInvalidValue, q.srcPtr.pitch = ALL);
	C(ErrorInvalidPitchValue, q.srcPtr.ysize = 4);
	OURS_C(ErrorInvalidValue, q.srcPtr.ysize = ALL);
	C(Success, q.srcPtr.xsize = 32);
	C(ErrorInvalidValue, q.srcPtr.ptr = NULL);
	C(ErrorInvalidValue, q.dstArray = NULL);
	C(ErrorInvalidValue, q.srcArray = b);
	C(Success, q.srcArray = b, q.srcPtr = cudaPitchedPtr(), q.kind = DD);
	C(ErrorInvalidValue, q.srcArray = b, q.srcPtr = cudaPitchedPtr(), q.kind = DD, q.srcPos.z = 1);
	C(ErrorInvalidValue, q.dstPtr = make_cudaPitchedPtr(d, 64, 64, 8));
	C(ErrorInvalidValue, q.kind = DH);
	C(ErrorInvalidMemcpyDirection, q.kind = NONE);
	C(Success, q = to_memory);
	C(ErrorInvalidPitchValue, q = to_memory, q.extent.width = 65);
	C(ErrorInvalidPitchValue, q = to_memory, q.extent.height = 9);
	C(ErrorInvalidValue, q = to_memory, q.extent.height = 9, q.extent.depth = 1);
	C(ErrorInvalidValue, q = to_memory, q.extent.depth = BIG);
	C(ErrorInvalidValue, q = to_memory, q.extent.depth = 129);
	C(ErrorInvalidValue, q = to_memory, q.extent.width = 32, q.dstPos.x = 33);
	OURS_C(ErrorInvalidValue, q = to_memory, q.extent.width = 4, q.dstPos.z = ALL);
	C(ErrorInvalidValue, q = to_memory, q.extent.width = 4, q.dstPtr.pitch = ALL);
	R(ErrorInvalidValue, cudaMemcpy3D(NULL));
	OURS_C(ErrorInvalidValue, q = to_memory, q.extent.width = 4, q.dstPtr.ysize = ALL);
	C(Success, q = to_memory, q.srcPtr.xsize = 1, q.dstPtr.xsize = 1);
}

static void host_memory() {
	int n;
	unsigned f;
	R(ErrorInvalidValue, cudaHostRegister(host, ALL, 0));
	R(ErrorNotSupported, cudaHostRegister(host, BIG, 0));
	R(ErrorInvalidValue, cudaHostRegister(host, 0, 0));
	R(ErrorNotSupported, cudaHostRegister(host, ALL - (size_t)host, 0));
	R(ErrorInvalidValue, cudaHostRegister(host, ALL - 4094, cudaHostRegisterMapped));
	R(ErrorHostMemoryNotRegistered, cudaHostUnregister(host));
	R(ErrorInvalidValue, cudaHostGetFlags(&f, host));
	OURS(ErrorInvalidValue, cudaMemRangeGetAttribute(&n, 4, cudaMemRangeAttributeReadMostly, m, ALL));
	R(ErrorInvalidValue, cudaMemRangeGetAttribute(&n, ALL, cudaMemRangeAttributeAccessedBy, m, 4096));
	R(ErrorInvalidValue, cudaFree(host));
	R(ErrorInvalidValue, cudaFree(d + 1));
	R(ErrorInvalidValue, cudaFree((void *)5));
	R(ErrorInvalidValue, cudaFreeHost(d));
	R(ErrorInvalidValue, cudaFree(p));
}

static void launch() {
	void *args[] = {&d};
	R(ErrorInvalidValue, cudaLaunchKernel((void *)nothing, 1, 1, NULL, ALL, 0));
	OURS(ErrorInvalidValue, cudaLaunchKernel((void *)nothing, 1, 1, NULL, PITCH, 0));
	R(ErrorInvalidValue, cudaLaunchKernel((void *)shares, 1, 1, args, ALL - 63, 0));
	R(ErrorInvalidValue, cudaLaunchKernel((void *)shares, 1, 1, args, 49152, 0));
	int blocks = 7;
	R(Success, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shares, 32, ALL - 63));
	R(Success, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shares, 32, ALL));
	R(ErrorInvalidValue, cudaFuncSetAttribute(shares, cudaFuncAttributeMaxDynamicSharedMemorySize, 0x7fffffff));
	R(ErrorInvalidValue, cudaFuncSetAttribute(shares, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
}

static void driver() {
	CUdeviceptr q;
	D(ErrorMemoryAllocation, cuMemAlloc(&q, ALL));
	D(ErrorInvalidValue, cuMemAlloc(&q, 0));
	D(ErrorInvalidValue, cuMemAllocPitch(&q, &pitch, ALL, 1, 4));
	D(ErrorMemoryAllocation, cuMemAllocPitch(&q, &pitch, 1, ALL, 4));
	D(ErrorInvalidValue, cuMemAllocPitch(&q, &pitch, (size_t)1 << 62, 4, 4));
	D(ErrorInvalidValue, cuMemAllocPitch(&q, &pitch, 0, 4, 4));
	D(ErrorInvalidValue, cuMemAllocPitch(&q, &pitch, 4, 4, 3));
	OURS_D(ErrorInvalidValue, cuMemsetD8((CUdeviceptr)d, 1, ALL));
	OURS_D(ErrorInvalidValue, cuMemsetD16((CUdeviceptr)d, 1, (size_t)1 << 63));
	OURS_D(ErrorInvalidValue, cuMemsetD16((CUdeviceptr)d, 1, ((size_t)1 << 63) + 1));
	OURS_D(ErrorInvalidValue, cuMemsetD32((CUdeviceptr)d, 1, (size_t)1 << 62));
	OURS_D(ErrorInvalidValue, cuMemsetD32((CUdeviceptr)d, 1, ((size_t)1 << 62) + 1));
	D(ErrorInvalidValue, cuMemsetD32((CUdeviceptr)d, 1, 16385));
	D(ErrorInvalidValue, cuMemsetD32((CUdeviceptr)d + 2, 1, 4));
	D(ErrorInvalidValue, cuMemsetD16((CUdeviceptr)d + 1, 1, 4));
	D(Success, cuMemsetD32((CUdeviceptr)d, 1, 0));
	D(ErrorInvalidValue, cuMemsetD32((CUdeviceptr)host, 1, 4));
	D(ErrorInvalidValue, cuMemcpyHtoD((CUdeviceptr)d, host, ALL));
	D(ErrorInvalidValue, cuMemcpyDtoH(host, (CUdeviceptr)d, ALL));
	D(ErrorInvalidValue, cuMemcpyDtoD((CUdeviceptr)d, (CUdeviceptr)e, ALL));
	D(ErrorInvalidValue, cuMemcpy((CUdeviceptr)d, (CUdeviceptr)e, ALL));
	D(ErrorMemoryAllocation, cuMemHostAlloc(&v, ALL, 0));
	D(ErrorMemoryAllocation, cuMemAllocManaged(&q, ALL, 1));
	D(ErrorInvalidValue, cuMemHostRegister(host, ALL, 0));
	OURS_D(ErrorInvalidValue, cuMemsetD32Async((CUdeviceptr)d, 1, ((size_t)1 << 62) + 1, 0));
}

int main(int argc, char **argv) {
	if (argc > 1) only = atoi(argv[1]);
	cudaMalloc(&d, 65536);
	cudaMalloc(&e, 65536);
	cudaMallocManaged(&m, 65536);
	cudaMallocHost(&p, 65536);
	cudaMemset(d, 0, 65536);
	copy();
	copy2d();
	fill();
	allocate();
	arrays();
	symbols();
	copy3d();
	host_memory();
	launch();
	driver();
	printf("%d rows, %d wrong\n", rows, wrong);
	return wrong > 0;
}

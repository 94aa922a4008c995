// C = A · B with tensor cores as Hopper (cc 9.0) feeds them: the TMA copies
// tiles to shared memory, and warpgroups multiply them from there. A and B are
// n × n matrices of BF16, C is FP32, all row by row; n is a multiple of 256.
//
// A block computes 128 × 256 elements of C with two warpgroups, 64 × 256 each:
// 128 sums per thread. A stage is the part of A and B for 64 steps of k.
#include "hopper.cuh"

constexpr int ROWS = 128, COLUMNS = 256, DEPTH = 64;
constexpr int GROUP = 128;      // threads of a warpgroup
constexpr int STAGES = 4;

// As the TMA writes it: rows of 64 numbers are 128 bytes, in which pieces of
// 16 bytes are swizzled. B comes in four parts of 64 columns.
struct Stage {
	alignas(1024) __nv_bfloat16 a[ROWS][DEPTH];
	alignas(1024) __nv_bfloat16 b[COLUMNS / 64][DEPTH][64];
};

// Starts the copies of a stage; one thread calls this. The barrier's phase ends
// when all bytes are there.
__device__ void load(Stage &to, const CUtensorMap *A, const CUtensorMap *B,
	int row, int column, int k, Barrier *full)
{
	barrier_expect(full, sizeof to.a + sizeof to.b);
	tile_copy(to.a, A, k, row, full);
	for (int part = 0; part < COLUMNS / 64; part++)
		tile_copy(to.b[part], B, column + part * 64, k, full);
}

// A warpgroup adds the product of its 64 rows of a with b: 16 steps of k at a
// time. 16 numbers of a row of a are 32 bytes; 16 rows of b are 2048 bytes.
__device__ void multiply(float (&sum)[128], const Stage &from, int group)
{
	unsigned long long a = descriptor(from.a[group * 64], 1024, 0);
	unsigned long long b = descriptor(from.b, 1024, sizeof from.b[0]);
	wgmma_fence();
#pragma unroll
	for (int k = 0; k < DEPTH / 16; k++)
		multiply_64x256x16(sum, a + k * (32 >> 4), b + k * (2048 >> 4));
	wgmma_commit();
}

// Thread t of a warpgroup has two neighboring elements in each 8 columns, in
// rows t / 4 % 8 and 8 rows below it, of the 16 rows of its warp.
__device__ void write(float *C, int n, const float (&sum)[128], int row,
	int column)
{
	int t = threadIdx.x % GROUP;
	float *c = C + (size_t)(row + t / 32 * 16 + t % 32 / 4) * n + column
		+ t % 4 * 2;
#pragma unroll
	for (int i = 0; i < 32; i++, c += 8) {
		*(float2 *)c = make_float2(sum[4 * i], sum[4 * i + 1]);
		*(float2 *)(c + 8 * n) = make_float2(sum[4 * i + 2], sum[4 * i + 3]);
	}
}

// One stage: copy, wait, multiply, wait.
__global__ void __launch_bounds__(2 * GROUP)
	one_stage(float *C, const __grid_constant__ CUtensorMap A,
		const __grid_constant__ CUtensorMap B, int n)
{
	extern __shared__ __align__(1024) Stage stage[];
	__shared__ Barrier full;
	int row = blockIdx.y * ROWS, column = blockIdx.x * COLUMNS;
	int group = threadIdx.x / GROUP;
	if (threadIdx.x == 0) {
		barrier_init(&full, 1);
		barrier_fence();
	}
	__syncthreads();
	float sum[128] = {};
	for (int i = 0; i < n / DEPTH; i++) {
		if (threadIdx.x == 0)
			load(stage[0], &A, &B, row, column, i * DEPTH, &full);
		barrier_wait(&full, i % 2);
		multiply(sum, stage[0], group);
		wgmma_wait<0>();
		__syncthreads(); // no thread reads the stage any more
	}
	write(C, n, sum, row + group * 64, column);
}

// Four stages: while one is multiplied, the copies of three are in flight.
__global__ void __launch_bounds__(2 * GROUP)
	four_stages(float *C, const __grid_constant__ CUtensorMap A,
		const __grid_constant__ CUtensorMap B, int n)
{
	extern __shared__ __align__(1024) Stage stage[];
	__shared__ Barrier full[STAGES];
	int row = blockIdx.y * ROWS, column = blockIdx.x * COLUMNS;
	int group = threadIdx.x / GROUP, parts = n / DEPTH;
	if (threadIdx.x == 0) {
		for (int s = 0; s < STAGES; s++)
			barrier_init(&full[s], 1);
		barrier_fence();
		for (int s = 0; s < STAGES - 1 && s < parts; s++)
			load(stage[s], &A, &B, row, column, s * DEPTH, &full[s]);
	}
	__syncthreads();
	float sum[128] = {};
	__builtin_assume(parts > 0); // else ptxas waits after each wgmma
	for (int i = 0; i < parts; i++) {
		barrier_wait(&full[i % STAGES], i / STAGES % 2);
		multiply(sum, stage[i % STAGES], group);
		wgmma_wait<1>(); // the products of part i - 1 are done,
		__syncthreads(); // so its stage may be overwritten
		int ahead = i + STAGES - 1, s = ahead % STAGES;
		if (threadIdx.x == 0 && ahead < parts)
			load(stage[s], &A, &B, row, column, ahead * DEPTH, &full[s]);
	}
	wgmma_wait<0>();
	write(C, n, sum, row + group * 64, column);
}

// --- Warps with roles --------------------------------------------------------

// full: the bytes of a stage are there; empty: both warpgroups have used it.
struct Barriers {
	Barrier full[STAGES], empty[STAGES];
};

// Which stage part i of the work is in, counted from the block's first, and
// the parity of its phase.
struct Turn {
	int stage, parity;
};

__device__ Turn turn_of(int i) { return {i % STAGES, i / STAGES % 2}; }

__device__ void begin(Barriers &bar)
{
	if (threadIdx.x == 0) {
		for (int s = 0; s < STAGES; s++) {
			barrier_init(&bar.full[s], 1);
			barrier_init(&bar.empty[s], 2);
		}
		barrier_fence();
	}
	__syncthreads();
}

// The producer's part for one tile of C; `i` counts the parts so far.
__device__ void produce(Stage *stage, Barriers &bar, const CUtensorMap *A,
	const CUtensorMap *B, int row, int column, int n, int &i)
{
	for (int k = 0; k < n; k += DEPTH, i++) {
		Turn at = turn_of(i);
		barrier_wait(&bar.empty[at.stage], at.parity ^ 1);
		load(stage[at.stage], A, B, row, column, k, &bar.full[at.stage]);
	}
}

// A consumer's part for one tile: it releases a stage when the products of the
// next one are issued, so that the tensor cores always have work.
__device__ void consume(float (&sum)[128], const Stage *stage, Barriers &bar,
	int group, int n, int &i)
{
	bool first = threadIdx.x % GROUP == 0;
	for (int k = 0; k < n; k += DEPTH, i++) {
		Turn at = turn_of(i);
		barrier_wait(&bar.full[at.stage], at.parity);
		multiply(sum, stage[at.stage], group);
		wgmma_wait<1>();
		if (first && k > 0)
			barrier_arrive(&bar.empty[turn_of(i - 1).stage]);
	}
	wgmma_wait<0>();
	if (first)
		barrier_arrive(&bar.empty[turn_of(i - 1).stage]);
}

// The producer needs few registers, the consumers many.
#define FEW_REGISTERS() asm volatile("setmaxnreg.dec.sync.aligned.u32 40;")
#define MANY_REGISTERS() asm volatile("setmaxnreg.inc.sync.aligned.u32 232;")

// Tile t of C: bands of BAND tiles from top to bottom, each walked column by
// column, so that the blocks that run together read few rows and columns.
constexpr int BAND = 16;

struct Tile {
	int row, column;
};

__device__ Tile tile_of(int t, int n)
{
	int rows = n / ROWS, across = n / COLUMNS;
	int band = t / (BAND * across), in_band = t % (BAND * across);
	int height = min(BAND, rows - band * BAND);
	return {(band * BAND + in_band % height) * ROWS,
		in_band / height * COLUMNS};
}

// Two warpgroups multiply, a third does nothing but start copies. There are as
// many blocks as SMs, and each computes tile after tile: while the consumers
// write a tile, the copies for the next one are in flight.
__global__ void __launch_bounds__(3 * GROUP, 1)
	persistent(float *C, const __grid_constant__ CUtensorMap A,
		const __grid_constant__ CUtensorMap B, int n)
{
	extern __shared__ __align__(1024) Stage stage[];
	__shared__ Barriers bar;
	int group = threadIdx.x / GROUP, i = 0;
	int tiles = (n / ROWS) * (n / COLUMNS);
	begin(bar);
	if (group == 2) {
		FEW_REGISTERS();
		if (threadIdx.x % GROUP != 0)
			return;
		for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
			Tile at = tile_of(t, n);
			produce(stage, bar, &A, &B, at.row, at.column, n, i);
		}
	} else {
		MANY_REGISTERS();
		for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
			Tile at = tile_of(t, n);
			float sum[128] = {};
			consume(sum, stage, bar, group, n, i);
			write(C, n, sum, at.row + group * 64, at.column);
		}
	}
}

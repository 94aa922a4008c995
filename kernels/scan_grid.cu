// Prefix sums of a whole vector of n ints, inclusive, for any n.
#include "scan_tile.cuh"

// n words from one place to another: what any scan has to move.
__global__ void copy(int *out, const int *in, unsigned n)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	if (4 * i + 3 < n)
		((int4 *)out)[i] = ((const int4 *)in)[i];
	else
		for (unsigned k = 4 * i; k < n; k++)
			out[k] = in[k];
}

// One iteration of Hillis and Steele, for the whole vector.
__global__ void add_distant(int *out, const int *in, unsigned d, unsigned n)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	if (i < n)
		out[i] = i >= d ? in[i] + in[i - d] : in[i];
}

// A tree of 512 elements per block --------------------------------------------

constexpr int LEAVES = 512;

template <int PAD>
__device__ int at(int i)
{
	return i + i / PAD;
}

// As tree in scan_block.cu, for any n, and with the sums of the blocks.
template <int PAD>
__global__ void tree(int *out, int *sums, const int *in, unsigned n)
{
	__shared__ int words[LEAVES + LEAVES / PAD];
	int tid = threadIdx.x, half = LEAVES / 2;
	unsigned i = blockIdx.x * LEAVES + tid, j = i + half;
	int a = i < n ? in[i] : 0, b = j < n ? in[j] : 0;
	words[at<PAD>(tid)] = a;
	words[at<PAD>(tid + half)] = b;
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[at<PAD>(right)] += words[at<PAD>(left)];
	}
	if (tid == 0) {
		sums[blockIdx.x] = words[at<PAD>(LEAVES - 1)];
		words[at<PAD>(LEAVES - 1)] = 0;
	}
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[at<PAD>(left)];
			words[at<PAD>(left)] = words[at<PAD>(right)];
			words[at<PAD>(right)] += sum;
		}
	}
	__syncthreads();
	if (i < n)
		out[i] = words[at<PAD>(tid)] + a;
	if (j < n)
		out[j] = words[at<PAD>(tid + half)] + b;
}

// Adds to each element the sums of the blocks before its own. One thread reads
// them: on cc 1.0, lanes that read the same word take a transaction each.
__global__ void add_before(int *out, const int *sums, unsigned n)
{
	__shared__ int before;
	if (threadIdx.x == 0)
		before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
	__syncthreads();
	unsigned i = blockIdx.x * LEAVES + threadIdx.x, j = i + LEAVES / 2;
	if (i < n)
		out[i] += before;
	if (j < n)
		out[j] += before;
}

// Sixteen elements per thread -------------------------------------------------

// Prefix sums of each tile, and the sums of the tiles.
__global__ void scan_tiles(int *out, int *sums, const int *in, unsigned n)
{
	int4 v[ROWS];
	load(v, in, blockIdx.x, n);
	Before before = sum_warps(scan_rows(v));
	store(out, v, before.warp, blockIdx.x, n);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = before.tile;
}

// One block scans a vector in place, tile by tile.
__global__ void scan_by_one_block(int *sums, unsigned n)
{
	int carry = 0;
	for (unsigned tile = 0; tile * TILE < n; tile++) {
		int4 v[ROWS];
		load(v, sums, tile, n);
		Before before = sum_warps(scan_rows(v));
		store(sums, v, carry + before.warp, tile, n);
		carry += before.tile;
		__syncthreads(); // the warps' sums have been read
	}
}

// Adds to each tile the sums of the tiles before it.
__global__ void add_sums(int *out, const int *sums, unsigned n)
{
	if (blockIdx.x == 0)
		return;
	int4 v[ROWS];
	load(v, out, blockIdx.x, n);
	store(out, v, sums[blockIdx.x - 1], blockIdx.x, n);
}

// Only the sums of the tiles.
__global__ void sum_tiles(int *sums, const int *in, unsigned n)
{
	int4 v[ROWS];
	load(v, in, blockIdx.x, n);
	int sum = 0;
#pragma unroll
	for (int row = 0; row < ROWS; row++)
		sum += v[row].x + v[row].y + v[row].z + v[row].w;
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, d);
	Before before = sum_warps(sum);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = before.tile;
}

// Prefix sums of each tile, plus the sums of the tiles before it.
__global__ void scan_after(int *out, const int *sums, const int *in,
	unsigned n)
{
	int4 v[ROWS];
	load(v, in, blockIdx.x, n);
	Before before = sum_warps(scan_rows(v));
	int tiles = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
	store(out, v, tiles + before.warp, blockIdx.x, n);
}

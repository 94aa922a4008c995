// A tile: the elements that a block of 256 threads scans at once, sixteen per
// thread. They stay in registers from the load to the store.
#pragma once

constexpr int THREADS = 256; // per block
constexpr int WARPS = THREADS / 32;
constexpr int ROWS = 4; // int4s per thread
constexpr int TILE = THREADS * 4 * ROWS;

// A thread's int4s: a warp has 512 consecutive elements, in rows of 128.
__device__ unsigned quad(unsigned tile, int row)
{
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	return tile * (TILE / 4) + (warp * ROWS + row) * 32 + lane;
}

__device__ void load(int4 (&v)[ROWS], const int *in, unsigned tile, unsigned n)
{
#pragma unroll
	for (int row = 0; row < ROWS; row++) {
		unsigned q = quad(tile, row), i = 4 * q;
		if (i + 3 < n)
			v[row] = ((const int4 *)in)[q];
		else
			v[row] = {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
				i + 2 < n ? in[i + 2] : 0, 0};
	}
}

__device__ void store(int *out, const int4 (&v)[ROWS], int before,
	unsigned tile, unsigned n)
{
#pragma unroll
	for (int row = 0; row < ROWS; row++) {
		unsigned q = quad(tile, row), i = 4 * q;
		int4 sum = {v[row].x + before, v[row].y + before,
			v[row].z + before, v[row].w + before};
		if (i + 3 < n) {
			((int4 *)out)[q] = sum;
			continue;
		}
		if (i < n)
			out[i] = sum.x;
		if (i + 1 < n)
			out[i + 1] = sum.y;
		if (i + 2 < n)
			out[i + 2] = sum.z;
	}
}

__device__ int scan_warp(int sum)
{
#pragma unroll
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

// Prefix sums of the warp's 512 elements, in place. Returns their sum.
__device__ int scan_rows(int4 (&v)[ROWS])
{
	int before = 0;
#pragma unroll
	for (int row = 0; row < ROWS; row++) {
		v[row].y += v[row].x;
		v[row].z += v[row].y;
		v[row].w += v[row].z;
		int sum = scan_warp(v[row].w);
		int offset = before + sum - v[row].w;
		v[row].x += offset;
		v[row].y += offset;
		v[row].z += offset;
		v[row].w += offset;
		before += __shfl_sync(0xffffffff, sum, 31);
	}
	return before;
}

struct Before {
	int warp, tile; // sums: of the warps before the thread's; of the tile
};

// The sums of the warps, of which each thread adds those before its own.
__device__ Before sum_warps(int sum)
{
	__shared__ int sums[WARPS];
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = sum;
	__syncthreads();
	Before before = {0, 0};
#pragma unroll
	for (int w = 0; w < WARPS; w++) {
		if (w < threadIdx.x / 32)
			before.warp += sums[w];
		before.tile += sums[w];
	}
	return before;
}

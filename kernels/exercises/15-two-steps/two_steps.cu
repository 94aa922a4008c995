// Task: two time steps in one launch. In a time step each cell becomes the mean of
// its four neighbors; this kernel computes the first one again for each neighbor of
// each cell, from 16 loads. Load the block's cells and a halo once, compute the
// first time step in shared memory, and from it the second.
//
// A block of 32 × 8 threads computes 32 × 32 cells of n × n, a multiple of 32. The
// last row is next to the first one, and so with columns.
constexpr int TILE = 32, ROWS = 8;

__device__ int wrapped(int x, int n) { return x < 0 ? x + n : x < n ? x : x - n; }

__device__ float mean(const float *from, int x, int y, int n)
{
	x = wrapped(x, n), y = wrapped(y, n);
	return 0.25f * (from[y * n + wrapped(x - 1, n)] + from[y * n + wrapped(x + 1, n)]
		+ from[wrapped(y - 1, n) * n + x] + from[wrapped(y + 1, n) * n + x]);
}

__global__ void two_steps(float *to, const float *from, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x;
	for (int k = threadIdx.y; k < TILE; k += ROWS) {
		int y = blockIdx.y * TILE + k;
		to[y * n + x] = 0.25f * (mean(from, x - 1, y, n) + mean(from, x + 1, y, n)
			+ mean(from, x, y - 1, n) + mean(from, x, y + 1, n));
	}
}

// The tile has a halo of two. After the first time step a halo of one is still valid,
// which is what the second one needs.
//
// A block of 32 × 8 threads computes 32 × 32 cells of n × n, a multiple of 32. The
// last row is next to the first one, and so with columns.
constexpr int TILE = 32, ROWS = 8;
constexpr int SIDE = TILE + 4, INNER = TILE + 2;

__device__ int wrapped(int x, int n) { return x < 0 ? x + n : x < n ? x : x - n; }

__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float tile[SIDE][SIDE], next[INNER][INNER];
	int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	int t = threadIdx.y * TILE + threadIdx.x;

	for (int i = t; i < SIDE * SIDE; i += TILE * ROWS) {
		int x = wrapped(left - 2 + i % SIDE, n), y = wrapped(top - 2 + i / SIDE, n);
		tile[i / SIDE][i % SIDE] = from[y * n + x];
	}
	__syncthreads();

	for (int i = t; i < INNER * INNER; i += TILE * ROWS) {
		int x = i % INNER, y = i / INNER;
		next[y][x] = 0.25f * (tile[y + 1][x] + tile[y + 1][x + 2]
			+ tile[y][x + 1] + tile[y + 2][x + 1]);
	}
	__syncthreads();

	int x = threadIdx.x;
	for (int y = threadIdx.y; y < TILE; y += ROWS)
		to[(top + y) * n + left + x] = 0.25f * (next[y + 1][x] + next[y + 1][x + 2]
			+ next[y][x + 1] + next[y + 2][x + 1]);
}

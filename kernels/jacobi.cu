// Time steps of a plate of n × n cells: each cell becomes the mean of its four neighbors.
// The plate is a torus: its last row is next to the first one, and so with columns.
constexpr int TILE = 32; // rows and columns of cells for a block
constexpr int ROWS = 8;  // blocks have 32 × 8 threads; n is a multiple of 32

// x is from -n to 2 n - 1.
__device__ int wrapped(int x, int n) { return x < 0 ? x + n : x < n ? x : x - n; }

// One step, one cell per thread.
__global__ void one_step(float *to, const float *from, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
	float left = from[y * n + wrapped(x - 1, n)], right = from[y * n + wrapped(x + 1, n)];
	float above = from[wrapped(y - 1, n) * n + x], below = from[wrapped(y + 1, n) * n + x];
	to[y * n + x] = 0.25f * (left + right + above + below);
}

// STEPS steps in one launch. The tile begins with a halo of STEPS cells on each side; after
// a step the outermost cells are no longer valid, and the tile's sides shrink by two.
template <int STEPS> __global__ void blocked(float *to, const float *from, int n)
{
	constexpr int SIDE = TILE + 2 * STEPS;
	__shared__ float tile[2][SIDE][SIDE];
	int left = blockIdx.x * TILE, top = blockIdx.y * TILE, t = threadIdx.y * TILE + threadIdx.x;

	for (int i = t; i < SIDE * SIDE; i += TILE * ROWS) {
		int x = wrapped(left - STEPS + i % SIDE, n), y = wrapped(top - STEPS + i / SIDE, n);
		tile[0][i / SIDE][i % SIDE] = from[y * n + x];
	}
#pragma unroll
	for (int s = 1; s <= STEPS; s++) {
		int side = SIDE - 2 * s, now = s % 2;
		__syncthreads();
		for (int i = t; i < side * side; i += TILE * ROWS) {
			int x = s + i % side, y = s + i / side;
			const float *cell = &tile[1 - now][y][x];
			float mean = 0.25f * (cell[-1] + cell[1] + cell[-SIDE] + cell[SIDE]);
			if (s < STEPS)
				tile[now][y][x] = mean;
			else
				to[(top + y - STEPS) * n + left + x - STEPS] = mean;
		}
	}
}

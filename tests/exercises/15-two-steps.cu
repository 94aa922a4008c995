// === honest-one-array
// The first time step goes back to the tile, after a barrier.
__device__ int around(int x, int n) { return (x + n) % n; }
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float tile[36 * 36];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = t; i < 1296; i += 256)
		tile[i] = from[around(y0 - 2 + i / 36, n) * n + around(x0 - 2 + i % 36, n)];
	__syncthreads();
	float kept[5];
#pragma unroll
	for (int k = 0; k < 5; k++) {
		int i = t + 256 * k, at = (i / 34 + 1) * 36 + i % 34 + 1;
		if (i < 34 * 34)
			kept[k] = (tile[at - 1] + tile[at + 1] + tile[at - 36] + tile[at + 36]) * 0.25f;
	}
	__syncthreads();
#pragma unroll
	for (int k = 0; k < 5; k++) {
		int i = t + 256 * k;
		if (i < 34 * 34)
			tile[(i / 34 + 1) * 36 + i % 34 + 1] = kept[k];
	}
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int at = (i / 32 + 2) * 36 + i % 32 + 2;
		to[(y0 + i / 32) * n + x0 + i % 32] = (tile[at - 1] + tile[at + 1] + tile[at - 36] + tile[at + 36]) * 0.25f;
	}
}

// === honest-rows
// A warp per row of the tile; its last columns are a second access.
__global__ void two_steps(float *to, const float *__restrict__ from, int n)
{
	__shared__ float a[36][36], b[34][34];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = ty; i < 36; i += 8) {
		const float *row = from + (y0 + i - 2 + n) % n * n;
		a[i][tx] = row[(x0 + tx - 2 + n) % n];
		if (tx < 4)
			a[i][tx + 32] = row[(x0 + tx + 30) % n];
	}
	__syncthreads();
	for (int i = ty; i < 34; i += 8)
		for (int j = tx; j < 34; j += 32)
			b[i][j] = 0.25f * (a[i + 1][j] + a[i + 1][j + 2] + (a[i][j + 1] + a[i + 2][j + 1]));
	__syncthreads();
	for (int i = ty; i < 32; i += 8)
		to[(y0 + i) * n + x0 + tx] = 0.25f * (b[i + 1][tx] + b[i + 1][tx + 2] + (b[i][tx + 1] + b[i + 2][tx + 1]));
}

// === honest-sums
// Sums instead of means in between, and one division by 16 at the end.
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float tile[36][37], sums[34][35];
	int t = threadIdx.y * 32 + threadIdx.x, left = blockIdx.x * 32 - 2 + n, top = blockIdx.y * 32 - 2 + n;
	for (int i = t; i < 36 * 36; i += 256) {
		int x = left + i % 36, y = top + i / 36;
		while (x >= n)
			x -= n;
		while (y >= n)
			y -= n;
		tile[i / 36][i % 36] = from[y * n + x];
	}
	__syncthreads();
	for (int i = t; i < 34 * 34; i += 256) {
		int x = i % 34 + 1, y = i / 34 + 1;
		sums[y - 1][x - 1] = tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x];
	}
	__syncthreads();
	for (int i = t; i < 32 * 32; i += 256) {
		int x = i % 32 + 1, y = i / 32 + 1;
		to[(blockIdx.y * 32 + y - 1) * n + blockIdx.x * 32 + x - 1]
			= (sums[y][x - 1] + sums[y][x + 1] + sums[y - 1][x] + sums[y + 1][x]) / 16;
	}
}

// === cheat-one-step
// One time step.
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float tile[34][34];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = t; i < 34 * 34; i += 256)
		tile[i / 34][i % 34] = from[(y0 - 1 + i / 34 + n) % n * n + (x0 - 1 + i % 34 + n) % n];
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int x = i % 32 + 1, y = i / 32 + 1;
		to[(y0 + y - 1) * n + x0 + x - 1] = 0.25f * (tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x]);
	}
}

// === cheat-tile-recomputed
// The tile is right, but the first time step is computed again for each neighbor.
__device__ float mean(const float (*tile)[36], int x, int y)
{
	return 0.25f * (tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x]);
}
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float tile[36][36];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = t; i < 36 * 36; i += 256)
		tile[i / 36][i % 36] = from[(y0 - 2 + i / 36 + n) % n * n + (x0 - 2 + i % 36 + n) % n];
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int x = i % 32 + 2, y = i / 32 + 2;
		to[(y0 + y - 2) * n + x0 + x - 2]
			= 0.25f * (mean(tile, x - 1, y) + mean(tile, x + 1, y) + mean(tile, x, y - 1) + mean(tile, x, y + 1));
	}
}

// === cheat-no-barrier
// No barrier between the time steps.
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float a[36][36], b[34][34];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = t; i < 36 * 36; i += 256)
		a[i / 36][i % 36] = from[(y0 - 2 + i / 36 + n) % n * n + (x0 - 2 + i % 36 + n) % n];
	__syncthreads();
	for (int i = t; i < 34 * 34; i += 256) {
		int x = i % 34, y = i / 34;
		b[y][x] = 0.25f * (a[y + 1][x] + a[y + 1][x + 2] + a[y][x + 1] + a[y + 2][x + 1]);
	}
	__syncwarp();
	for (int i = t; i < 1024; i += 256) {
		int x = i % 32, y = i / 32;
		to[(y0 + y) * n + x0 + x] = 0.25f * (b[y + 1][x] + b[y + 1][x + 2] + b[y][x + 1] + b[y + 2][x + 1]);
	}
}

// === cheat-in-place
// The first time step overwrites the tile while other threads still read it.
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float a[36][36];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = t; i < 36 * 36; i += 256)
		a[i / 36][i % 36] = from[(y0 - 2 + i / 36 + n) % n * n + (x0 - 2 + i % 36 + n) % n];
	__syncthreads();
	for (int i = t; i < 34 * 34; i += 256) {
		int x = i % 34 + 1, y = i / 34 + 1;
		a[y][x] = 0.25f * (a[y][x - 1] + a[y][x + 1] + a[y - 1][x] + a[y + 1][x]);
	}
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int x = i % 32 + 2, y = i / 32 + 2;
		to[(y0 + y - 2) * n + x0 + x - 2] = 0.25f * (a[y][x - 1] + a[y][x + 1] + a[y - 1][x] + a[y + 1][x]);
	}
}

// === cheat-halo-of-one
// The tile has a halo of one; the first time step of the halo uses what is there.
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float a[34][34], b[34][34];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = t; i < 34 * 34; i += 256)
		b[i / 34][i % 34] = a[i / 34][i % 34] = from[(y0 - 1 + i / 34 + n) % n * n + (x0 - 1 + i % 34 + n) % n];
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int x = i % 32 + 1, y = i / 32 + 1;
		b[y][x] = 0.25f * (a[y][x - 1] + a[y][x + 1] + a[y - 1][x] + a[y + 1][x]);
	}
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int x = i % 32 + 1, y = i / 32 + 1;
		to[(y0 + y - 1) * n + x0 + x - 1] = 0.25f * (b[y][x - 1] + b[y][x + 1] + b[y - 1][x] + b[y + 1][x]);
	}
}

// === cheat-nine-loads
// The two time steps as one formula of nine cells, without a tile.
__global__ void two_steps(float *to, const float *from, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int k = threadIdx.y; k < 32; k += 8) {
		int y = blockIdx.y * 32 + k, l = (x + n - 1) % n, r = (x + 1) % n;
		const float *row = from + y * n, *up = from + (y + n - 1) % n * n, *down = from + (y + 1) % n * n;
		float corners = up[l] + up[r] + down[l] + down[r];
		float far = row[(x + n - 2) % n] + row[(x + 2) % n] + from[(y + n - 2) % n * n + x] + from[(y + 2) % n * n + x];
		to[y * n + x] = (4 * row[x] + 2 * corners + far) / 16;
	}
}

// === cheat-first-step-from-global
// The first time step is in shared memory, but it is computed from four loads per cell.
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float b[34][34];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = t; i < 34 * 34; i += 256) {
		int x = (x0 - 1 + i % 34 + n) % n, y = (y0 - 1 + i / 34 + n) % n;
		b[i / 34][i % 34] = 0.25f * (from[y * n + (x + n - 1) % n] + from[y * n + (x + 1) % n]
			+ from[(y + n - 1) % n * n + x] + from[(y + 1) % n * n + x]);
	}
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int x = i % 32, y = i / 32;
		to[(y0 + y) * n + x0 + x] = 0.25f * (b[y + 1][x] + b[y + 1][x + 2] + b[y][x + 1] + b[y + 2][x + 1]);
	}
}

// === cheat-no-wrap
// At the edges of the plate the nearest cell is repeated.
__global__ void two_steps(float *to, const float *from, int n)
{
	__shared__ float a[36][36], b[34][34];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = t; i < 36 * 36; i += 256)
		a[i / 36][i % 36] = from[min(max(y0 - 2 + i / 36, 0), n - 1) * n + min(max(x0 - 2 + i % 36, 0), n - 1)];
	__syncthreads();
	for (int i = t; i < 34 * 34; i += 256) {
		int x = i % 34, y = i / 34;
		b[y][x] = 0.25f * (a[y + 1][x] + a[y + 1][x + 2] + a[y][x + 1] + a[y + 2][x + 1]);
	}
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int x = i % 32, y = i / 32;
		to[(y0 + y) * n + x0 + x] = 0.25f * (b[y + 1][x] + b[y + 1][x + 2] + b[y][x + 1] + b[y + 2][x + 1]);
	}
}

// === cheat-middle-again
// The cells are loaded once more, without their halo.
// - for (int i = t; i < INNER * INNER; i += TILE * ROWS) {
// + for (int k = threadIdx.y; k < TILE; k += ROWS) tile[k + 2][threadIdx.x + 2] = ((volatile const float *)from)[(top + k) * n + left + threadIdx.x]; __syncthreads(); for (int i = t; i < INNER * INNER; i += TILE * ROWS) {

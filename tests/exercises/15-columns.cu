// === honest-registers
// Each thread computes four pixels below each other; the tile is read 12 times for them.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[40 * 32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y0 = blockIdx.y * 32;
	for (int i = ty; i < 40; i += 8) {
		int y = y0 - 4 + i;
		tile[i * 32 + tx] = x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
	}
	__syncthreads();
	float sum[4] = {};
#pragma unroll
	for (int i = 0; i < 12; i++) {
		float v = tile[(4 * ty + i) * 32 + tx];
#pragma unroll
		for (int k = 0; k < 4; k++)
			if (i >= k && i - k < 9)
				sum[k] += taps[i - k] * v;
	}
#pragma unroll
	for (int k = 0; k < 4; k++)
		if (x < width && y0 + 4 * ty + k < height)
			out[(y0 + 4 * ty + k) * width + x] = sum[k];
}

// === honest-flat
// One index over the 1280 words; zeros are chosen by an unsigned comparison.
__constant__ float taps[9];
__global__ void columns(float *out, const float *__restrict__ in, int width, int height)
{
	__shared__ float tile[40][33];
	int t = threadIdx.y * blockDim.x + threadIdx.x;
	for (int i = t; i < 1280; i += 256) {
		unsigned x = blockIdx.x * 32 + i % 32, y = blockIdx.y * 32 + i / 32 - 4;
		tile[i / 32][i % 32] = x < width && y < height ? in[y * width + x] : 0;
	}
	__syncthreads();
	for (int i = t; i < 1024; i += 256) {
		int c = i & 31, r = i >> 5, x = blockIdx.x * 32 + c, y = blockIdx.y * 32 + r;
		float sum = taps[4] * tile[r + 4][c];
		for (int d = 1; d <= 4; d++)
			sum += taps[4 - d] * tile[r + 4 - d][c] + taps[4 + d] * tile[r + 4 + d][c];
		if (x < width && y < height)
			out[y * width + x] = sum;
	}
}

// === honest-loads-first
// Five loads in flight per thread, then the tile.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[5][8][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y0 = blockIdx.y * 32 - 4 + ty;
	float v[5];
#pragma unroll
	for (int k = 0; k < 5; k++)
		v[k] = x < width && y0 + 8 * k >= 0 && y0 + 8 * k < height ? in[(y0 + 8 * k) * width + x] : 0;
#pragma unroll
	for (int k = 0; k < 5; k++)
		tile[k][ty][tx] = v[k];
	__syncthreads();
	const float *from = &tile[0][0][0];
#pragma unroll
	for (int k = 0; k < 4; k++) {
		float sum = 0;
#pragma unroll
		for (int i = 0; i < 9; i++)
			sum = fmaf(taps[i], from[(8 * k + ty + i) * 32 + tx], sum);
		if (x < width && y0 + 4 + 8 * k < height)
			out[(y0 + 4 + 8 * k) * width + x] = sum;
	}
}

// === cheat-coalesced-without-tile
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int k = threadIdx.y; k < 32; k += 8) {
		int y = blockIdx.y * 32 + k;
		float sum = 0;
		for (int i = -4; i <= 4; i++)
			if (x < width && y + i >= 0 && y + i < height)
				sum += taps[i + 4] * in[(y + i) * width + x];
		if (x < width && y < height)
			out[y * width + x] = sum;
	}
}

// === cheat-tile-loaded-by-columns
// The tile is right, but it is loaded column by column.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[40][33];
	int t = threadIdx.y * 32 + threadIdx.x;
	for (int i = t; i < 1280; i += 256) {
		int x = blockIdx.x * 32 + i / 40, y = blockIdx.y * 32 + i % 40 - 4;
		tile[i % 40][i / 40] = x < width && y >= 0 && y < height ? in[y * width + x] : 0;
	}
	__syncthreads();
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int k = threadIdx.y; k < 32; k += 8) {
		float sum = 0;
		for (int i = 0; i < 9; i++)
			sum += taps[i] * tile[k + i][threadIdx.x];
		if (x < width && blockIdx.y * 32 + k < height)
			out[(blockIdx.y * 32 + k) * width + x] = sum;
	}
}

// === cheat-stored-by-columns
// Loads are coalesced, stores are not.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[40][33];
	int tx = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 40; i += 8) {
		int x = x0 + tx, y = y0 - 4 + i;
		tile[i][tx] = x < width && y >= 0 && y < height ? in[y * width + x] : 0;
	}
	__syncthreads();
	for (int k = threadIdx.y; k < 32; k += 8) {
		float sum = 0;
		for (int i = 0; i < 9; i++)
			sum += taps[i] * tile[tx + i][k];
		if (x0 + k < width && y0 + tx < height)
			out[(y0 + tx) * width + x0 + k] = sum;
	}
}

// === cheat-conflicts
// The tile is transposed, without padding.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[32][40];
	int tx = threadIdx.x, x = blockIdx.x * 32 + tx, y0 = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 40; i += 8) {
		int y = y0 - 4 + i;
		tile[tx][i] = x < width && y >= 0 && y < height ? in[y * width + x] : 0;
	}
	__syncthreads();
	for (int k = threadIdx.y; k < 32; k += 8) {
		float sum = 0;
		for (int i = 0; i < 9; i++)
			sum += taps[i] * tile[tx][k + i];
		if (x < width && y0 + k < height)
			out[(y0 + k) * width + x] = sum;
	}
}

// === cheat-queue-without-tile
// A column per lane in registers: nine loads for the first pixel, one for each further one.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32 + threadIdx.y * 4;
	float q[12];
#pragma unroll
	for (int i = 0; i < 12; i++)
		q[i] = x < width && y0 - 4 + i >= 0 && y0 - 4 + i < height ? in[(y0 - 4 + i) * width + x] : 0;
#pragma unroll
	for (int k = 0; k < 4; k++) {
		float sum = 0;
#pragma unroll
		for (int i = 0; i < 9; i++)
			sum += taps[i] * q[k + i];
		if (x < width && y0 + k < height)
			out[(y0 + k) * width + x] = sum;
	}
}

// === cheat-halo-from-global
// The tile has 32 rows; the halo is read from global memory by every thread that needs it.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[32][32];
	int tx = threadIdx.x, x = blockIdx.x * 32 + tx, y0 = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 32; i += 8)
		tile[i][tx] = x < width && y0 + i < height ? in[(y0 + i) * width + x] : 0;
	__syncthreads();
	for (int k = threadIdx.y; k < 32; k += 8) {
		float sum = 0;
		for (int i = -4; i <= 4; i++) {
			int r = k + i, y = y0 + r;
			if (r >= 0 && r < 32)
				sum += taps[i + 4] * tile[r][tx];
			else if (x < width && y >= 0 && y < height)
				sum += taps[i + 4] * in[y * width + x];
		}
		if (x < width && y0 + k < height)
			out[(y0 + k) * width + x] = sum;
	}
}

// === cheat-one-warp
// One warp does the work of eight.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[40][32];
	int tx = threadIdx.x, x = blockIdx.x * 32 + tx, y0 = blockIdx.y * 32;
	if (threadIdx.y)
		return;
	for (int i = 0; i < 40; i++) {
		int y = y0 - 4 + i;
		tile[i][tx] = x < width && y >= 0 && y < height ? in[y * width + x] : 0;
	}
	for (int k = 0; k < 32; k++) {
		float sum = 0;
		for (int i = 0; i < 9; i++)
			sum += taps[i] * tile[k + i][tx];
		if (x < width && y0 + k < height)
			out[(y0 + k) * width + x] = sum;
	}
}

// === cheat-symmetric
// Weights are taken to be symmetric.
__constant__ float taps[9];
__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[40][32];
	int tx = threadIdx.x, x = blockIdx.x * 32 + tx, y0 = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 40; i += 8) {
		int y = y0 - 4 + i;
		tile[i][tx] = x < width && y >= 0 && y < height ? in[y * width + x] : 0;
	}
	__syncthreads();
	for (int k = threadIdx.y; k < 32; k += 8) {
		float sum = taps[4] * tile[k + 4][tx];
		for (int d = 1; d <= 4; d++)
			sum += taps[4 + d] * (tile[k + 4 - d][tx] + tile[k + 4 + d][tx]);
		if (x < width && y0 + k < height)
			out[(y0 + k) * width + x] = sum;
	}
}

// === honest-guarded-sum
// Words outside the image are not stored, and not added.
// - tile[i][threadIdx.x] = inside ? in[y * width + x] : 0;
// + if (inside) tile[i][threadIdx.x] = in[y * width + x];
// - sum += taps
// + if (x < width && top + k + i >= R && top + k + i < height + R) sum += taps

// === honest-diagonal
// Tiles on the diagonal are transposed alone, all others in pairs.
__global__ void in_place(float *data, int n)
{
	__shared__ float a[32][33], b[32][33];
	int tx = threadIdx.x, bx = blockIdx.x, by = blockIdx.y;
	if (bx < by)
		return;
	float *one = data + by * 32 * n + bx * 32, *other = data + bx * 32 * n + by * 32;
	for (int i = threadIdx.y; i < 32; i += 8) {
		a[i][tx] = one[i * n + tx];
		if (bx != by)
			b[i][tx] = other[i * n + tx];
	}
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8) {
		other[i * n + tx] = a[tx][i];
		if (bx != by)
			one[i * n + tx] = b[tx][i];
	}
}

// === honest-lower
// The blocks below the diagonal do it; swizzled tiles.
__global__ void in_place(float *data, int n)
{
	__shared__ float s[2][32][32];
	if (blockIdx.x > blockIdx.y)
		return;
	int tx = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 32; i += 8) {
		s[0][i][tx ^ i] = data[(y0 + i) * n + x0 + tx];
		s[1][i][tx ^ i] = data[(x0 + i) * n + y0 + tx];
	}
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8) {
		data[(y0 + i) * n + x0 + tx] = s[1][tx][i ^ tx];
		data[(x0 + i) * n + y0 + tx] = s[0][tx][i ^ tx];
	}
}

// === honest-registers
// One tile in shared memory, its mirror image in registers.
__global__ void in_place(float *data, int n)
{
	__shared__ float tile[32][33];
	if (blockIdx.y > blockIdx.x)
		return;
	int tx = threadIdx.x, ty = threadIdx.y;
	float *upper = data + blockIdx.y * 32 * n + blockIdx.x * 32, *lower = data + blockIdx.x * 32 * n + blockIdx.y * 32;
	float mirror[4];
#pragma unroll
	for (int i = 0; i < 4; i++) {
		tile[ty + 8 * i][tx] = upper[(ty + 8 * i) * n + tx];
		mirror[i] = lower[(ty + 8 * i) * n + tx];
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		lower[(ty + 8 * i) * n + tx] = tile[tx][ty + 8 * i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		tile[ty + 8 * i][tx] = mirror[i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		upper[(ty + 8 * i) * n + tx] = tile[tx][ty + 8 * i];
}

// === honest-pair-array
#include <cooperative_groups.h>
constexpr int TILE = 32, ROWS = 8;

__global__ void in_place(float *data, int n)
{
	__shared__ float both[2][TILE][TILE];
	const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
	if (bx >= by) {
		float *p[2] = { data + by * TILE * n + bx * TILE, data + bx * TILE * n + by * TILE };
#pragma unroll
		for (int which = 0; which < 2; which++)
#pragma unroll
			for (int i = ty; i < TILE; i += ROWS)
				both[which][i][(tx + i) % TILE] = p[which][i * n + tx];
		cooperative_groups::this_thread_block().sync();
#pragma unroll
		for (int which = 0; which < 2; which++)
#pragma unroll
			for (int i = ty; i < TILE; i += ROWS)
				p[1 - which][i * n + tx] = both[which][tx][(tx + i) % TILE];
	}
}

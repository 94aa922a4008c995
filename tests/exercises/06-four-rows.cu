// === cheat-one-block-old
constexpr int TILE = 32;
constexpr int ROWS = 8; // of threads

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum[4] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) {
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
			Bs[ty + ROWS * i][tx] = B[(b + ty + ROWS * i) * n + x];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < TILE; k++) {
			float b_element = Bs[k][tx]; bool old = !blockIdx.x && !blockIdx.y;
#pragma unroll
			for (int i = 0; i < 4; i++)
				sum[i] += As[ty + ROWS * i][k] * (old ? ((volatile float (*)[TILE])Bs)[k][tx] : b_element);
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + ROWS * i) * n + x] = sum[i];
}

// === cheat-pairs
// Loads B's element twice, for two rows each.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = 0; i < 4; i++) {
			As[ty + 8 * i][tx] = A[(y + 8 * i) * n + b + tx];
			Bs[ty + 8 * i][tx] = B[(b + ty + 8 * i) * n + x];
		}
		__syncthreads();
#pragma unroll
		for (int h = 0; h < 4; h += 2)
#pragma unroll 4
			for (int k = 0; k < 32; k++) {
				float e = Bs[k][tx];
				sum[h] += As[ty + 8 * h][k] * e;
				sum[h + 1] += As[ty + 8 * h + 8][k] * e;
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}

// === cheat-quarter-threads
// A quarter of the warps compute 16 rows each... with the threads of ty < 2.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32;
	float sum[16] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = ty; i < 32; i += 8) {
			As[i][tx] = A[(y + i) * n + b + tx];
			Bs[i][tx] = B[(b + i) * n + x];
		}
		__syncthreads();
		if (ty < 2)
			for (int k = 0; k < 32; k++) {
				float e = Bs[k][tx];
#pragma unroll
				for (int i = 0; i < 16; i++)
					sum[i] += As[ty * 16 + i][k] * e;
			}
		__syncthreads();
	}
	if (ty < 2)
		for (int i = 0; i < 16; i++)
			C[(y + ty * 16 + i) * n + x] = sum[i];
}

// === honest-float4
// A's tile is read by 16-byte loads, four k at a time.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = 0; i < 32; i += 8) {
			As[ty + i][tx] = A[(y + i) * n + b + tx];
			Bs[ty + i][tx] = B[(b + ty + i) * n + x];
		}
		__syncthreads();
#pragma unroll 2
		for (int k = 0; k < 32; k += 4) {
			float b0 = Bs[k][tx], b1 = Bs[k + 1][tx], b2 = Bs[k + 2][tx], b3 = Bs[k + 3][tx];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				float4 a = *(const float4 *)&As[ty + 8 * i][k];
				sum[i] += a.x * b0 + a.y * b1 + a.z * b2 + a.w * b3;
			}
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}

// === honest-neighbors
// Four neighboring rows per thread.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32;
	float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	for (int b = 0; b < n; b += 32) {
		for (int i = ty; i < 32; i += 8) {
			As[i][tx] = A[(y + i) * n + b + tx];
			Bs[i][tx] = B[(b + i) * n + x];
		}
		__syncthreads();
		for (int k = 0; k < 32; k++) {
			float e = Bs[k][tx];
			s0 += As[4 * ty][k] * e;
			s1 += As[4 * ty + 1][k] * e;
			s2 += As[4 * ty + 2][k] * e;
			s3 += As[4 * ty + 3][k] * e;
		}
		__syncthreads();
	}
	float *c = C + (y + 4 * ty) * n + x;
	c[0] = s0;
	c[n] = s1;
	c[2 * n] = s2;
	c[3 * n] = s3;
}

// === honest-transposed
// A's tile is stored transposed: one 16-byte load has four rows.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float At[32][36], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32;
	float4 sum = make_float4(0, 0, 0, 0);
	for (int b = 0; b < n; b += 32) {
		for (int i = ty; i < 32; i += 8) {
			At[tx][i] = A[(y + i) * n + b + tx];
			Bs[i][tx] = B[(b + i) * n + x];
		}
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < 32; k++) {
			float4 a = *(const float4 *)&At[k][4 * ty];
			float e = Bs[k][tx];
			sum.x += a.x * e;
			sum.y += a.y * e;
			sum.z += a.z * e;
			sum.w += a.w * e;
		}
		__syncthreads();
	}
	float *c = C + (y + 4 * ty) * n + x;
	c[0] = sum.x, c[n] = sum.y, c[2 * n] = sum.z, c[3 * n] = sum.w;
}

// === cheat-wide-loads-of-a
// A's tile is read 16 bytes at a time, and every element of B's four times as before.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = 0; i < 32; i += 8) {
			As[ty + i][tx] = A[(y + i) * n + b + tx];
			Bs[ty + i][tx] = B[(b + ty + i) * n + x];
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 4; i++)
#pragma unroll 1
			for (int k = 0; k < 32; k += 4) {
				float4 a = *(const float4 *)&As[ty + 8 * i][k];
				sum[i] += a.x * Bs[k][tx] + a.y * Bs[k + 1][tx] + a.z * Bs[k + 2][tx] + a.w * Bs[k + 3][tx];
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}

// === cheat-four-columns
constexpr int TILE = 32, ROWS = 8;
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	int row = t / 8, column = t % 8 * 4;
	float4 sum = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) {
			As[ty + ROWS * i][tx] = A[(y + ROWS * i) * n + b + tx];
			Bs[ty + ROWS * i][tx] = B[(b + ty + ROWS * i) * n + x];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < TILE; k++) {
			float a = As[row][k];
			float4 e = *(float4 *)&Bs[k][column];
			sum.x += a * e.x; sum.y += a * e.y;
			sum.z += a * e.z; sum.w += a * e.w;
		}
		__syncthreads();
	}
	*(float4 *)&C[(blockIdx.y * TILE + row) * n + blockIdx.x * TILE + column] = sum;
}

// === cheat-two-halves
// Two rows at a time, twice: twelve loads for sixteen products, B's four each time anew.
constexpr int TILE = 64, DEPTH = 16;
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int half = 0; half < 4; half += 2)
#pragma unroll 1
			for (int k = 0; k < DEPTH; k++) {
				float a0 = As[k][ty + 16 * half], a1 = As[k][ty + 16 * half + 16];
#pragma unroll
				for (int j = 0; j < 4; j++) {
					float e = Bs[k][tx + 16 * j];
					sum[half][j] += a0 * e;
					sum[half + 1][j] += a1 * e;
				}
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}

// === honest-float4
// Neighboring rows and columns, 16-byte loads.
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[16][68], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 a = *(const float4 *)&As[k][4 * ty], e = *(const float4 *)&Bs[k][4 * tx];
			const float left[4] = {a.x, a.y, a.z, a.w}, right[4] = {e.x, e.y, e.z, e.w};
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += left[i] * right[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		*(float4 *)&C[(y + 4 * ty + i) * n + x + 4 * tx] =
			make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

// === honest-mixed
// Rows with a stride of 16 as before, four neighboring columns by one load.
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65];
	__shared__ __align__(16) float Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float4 sum[4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		*(float4 *)&Bs[ty][4 * tx] = *(const float4 *)&B[(b + ty) * n + x + 4 * tx];
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < 16; k++) {
			float4 e = *(const float4 *)&Bs[k][4 * tx];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				float a = As[k][ty + 16 * i];
				sum[i].x += a * e.x;
				sum[i].y += a * e.y;
				sum[i].z += a * e.z;
				sum[i].w += a * e.w;
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		*(float4 *)&C[(y + ty + 16 * i) * n + x + 4 * tx] = sum[i];
}

// === honest-neighbors
// neighboring rows and columns by float4
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[16][68], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16) As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
#pragma unroll
		for (int j = 0; j < 64; j += 16) Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 a = *(float4 *)&As[k][4 * ty], c = *(float4 *)&Bs[k][4 * tx]; float av[4] = {a.x, a.y, a.z, a.w}, cv[4] = {c.x, c.y, c.z, c.w};
			for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) sum[i][j] += av[i] * cv[j];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++) C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}

// === honest-rows-first
// The four elements of A first, then each of B with all of them.
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < 16; k++) {
			float a0 = As[k][ty], a1 = As[k][ty + 16], a2 = As[k][ty + 32], a3 = As[k][ty + 48];
#pragma unroll
			for (int j = 0; j < 4; j++) {
				float e = Bs[k][tx + 16 * j];
				sum[0][j] += a0 * e;
				sum[1][j] += a1 * e;
				sum[2][j] += a2 * e;
				sum[3][j] += a3 * e;
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}

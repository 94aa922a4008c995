// === cheat-float2
constexpr int TILE = 64;  // rows and columns of C for a block
constexpr int DEPTH = 16; // columns of A and rows of B at a time

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE; // the block's origin in C

	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float a[4], b_row[4];
			for (int i = 0; i < 4; i += 2) { asm volatile("" ::: "memory"); *(float2 *)(a + i) = *(const float2 *)&As[k][4 * ty + i]; }
			*(float4 *)b_row = *(const float4 *)&Bs[k][4 * tx];
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a[i] * b_row[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++) {
		float4 row = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
		*(float4 *)&C[(y + 4 * ty + i) * n + x + 4 * tx] = row;
	}
}

// === honest-global-float4
// B's tile comes from global memory by 16-byte loads, too.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[16][68], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		*(float4 *)&Bs[ty][4 * tx] = *(const float4 *)&B[(b + ty) * n + x + 4 * tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 a = *(float4 *)&As[k][4 * ty], e = *(float4 *)&Bs[k][4 * tx];
			const float p[4] = {a.x, a.y, a.z, a.w}, q[4] = {e.x, e.y, e.z, e.w};
#pragma unroll
			for (int i = 0; i < 16; i++)
				sum[i / 4][i % 4] += p[i / 4] * q[i % 4];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		*(float4 *)&C[(y + 4 * ty + i) * n + x + 4 * tx] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

// === honest-scalar-stores
// Rows of 72 words, and C is stored word by word.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[16][76];
	__shared__ __align__(16) float Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < 64; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 a = *(const float4 *)&As[k][4 * ty], e = *(const float4 *)&Bs[k][4 * tx];
			float p[4] = {a.x, a.y, a.z, a.w}, q[4] = {e.x, e.y, e.z, e.w};
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] = fmaf(p[i], q[j], sum[i][j]);
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}

// === honest-vectors
// The tiles are arrays of float4; the inner loop is unrolled by four.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float4 As4[16][17], Bs4[16][16];
	float *As = (float *)As4, *Bs = (float *)Bs4;
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 64 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 64 + tx;
	float4 r0 = {}, r1 = {}, r2 = {}, r3 = {};
	for (int t = 0; t < n; t += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16) {
			As[tx * 68 + ty + i] = a[i * n + t];
			Bs[ty * 64 + tx + i] = b[t * n + i];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < 16; k++) {
			float4 l = As4[k][ty], r = Bs4[k][tx];
			r0.x += l.x * r.x, r0.y += l.x * r.y, r0.z += l.x * r.z, r0.w += l.x * r.w;
			r1.x += l.y * r.x, r1.y += l.y * r.y, r1.z += l.y * r.z, r1.w += l.y * r.w;
			r2.x += l.z * r.x, r2.y += l.z * r.y, r2.z += l.z * r.z, r2.w += l.z * r.w;
			r3.x += l.w * r.x, r3.y += l.w * r.y, r3.z += l.w * r.z, r3.w += l.w * r.w;
		}
		__syncthreads();
	}
	float4 *c = (float4 *)(C + (blockIdx.y * 64 + 4 * ty) * n + blockIdx.x * 64 + 4 * tx);
	c[0] = r0;
	c[n / 4] = r1;
	c[2 * (n / 4)] = r2;
	c[3 * (n / 4)] = r3;
}

// === cheat-along-k
// The four words are of four k; rows and columns stay 16 apart.
// - As[DEPTH][TILE + 4], Bs[DEPTH][TILE]
// + As[TILE][DEPTH + 4], Bs[TILE][DEPTH + 4]
// - As[tx][ty + i]
// + As[ty + i][tx]
// - Bs[ty][tx + j]
// + Bs[tx + j][ty]
// - k < DEPTH; k++
// + k < DEPTH; k += 4
// - float a[4], b_row[4];
// + float4 a[4], c[4];
// - *(float4 *)a = *(const float4 *)&As[k][4 * ty];
// + for (int i = 0; i < 4; i++) a[i] = *(const float4 *)&As[ty + 16 * i][k];
// - *(float4 *)b_row = *(const float4 *)&Bs[k][4 * tx];
// + for (int i = 0; i < 4; i++) c[i] = *(const float4 *)&Bs[tx + 16 * i][k];
// - a[i] * b_row[j]
// + a[i].x * c[j].x + a[i].y * c[j].y + a[i].z * c[j].z + a[i].w * c[j].w
// - float4 row = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
// + for (int j = 0; j < 4; j++)
// - *(float4 *)&C[(y + 4 * ty + i) * n + x + 4 * tx] = row;
// + C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];

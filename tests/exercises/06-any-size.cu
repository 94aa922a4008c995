// === honest-clamped
// Loads of the last element there is instead, times zero.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	int cx = min(x, n - 1), cy = min(y, n - 1);
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		int ka = min(b + tx, n - 1), kb = min(b + ty, n - 1);
		As[ty][tx] = b + tx < n ? A[cy * n + ka] : 0;
		Bs[ty][tx] = b + ty < n ? B[kb * n + cx] : 0;
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}

// === honest-short-loop
// The inner loop ends at the edge; nothing else is read there.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	bool there = x < n && y < n;
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		if (y < n && b + tx < n)
			As[ty][tx] = A[y * n + b + tx];
		if (x < n && b + ty < n)
			Bs[ty][tx] = B[(b + ty) * n + x];
		__syncthreads();
		int depth = min(16, n - b);
		if (there)
			for (int k = 0; k < depth; k++)
				sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (there)
		C[y * n + x] = sum;
}

// === honest-two-pairs
// Two pairs of tiles and one barrier per iteration, zeros past the edge.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty, now = 0;
	float sum = 0;
	for (int b = 0; b < n; b += 16, now ^= 1) {
		float a = 0, c = 0;
		if (y < n && b + tx < n)
			a = A[y * n + b + tx];
		if (b + ty < n && x < n)
			c = B[(b + ty) * n + x];
		As[now][ty][tx] = a;
		Bs[now][ty][tx] = c;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}

// === honest-pipeline
// cuda::pipeline fills the tiles.
#include <cuda/pipeline>
#include <cooperative_groups.h>
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	auto pipe = cuda::make_pipeline();
	for (int b = 0; b < n; b += 16) {
		As[ty][tx] = 0; Bs[ty][tx] = 0;
		pipe.producer_acquire();
		if (y < n && b + tx < n) cuda::memcpy_async(&As[ty][tx], &A[y * n + b + tx], sizeof(float), pipe);
		if (b + ty < n && x < n) cuda::memcpy_async(&Bs[ty][tx], &B[(b + ty) * n + x], sizeof(float), pipe);
		pipe.producer_commit();
		pipe.consumer_wait();
		__syncthreads();
		for (int k = 0; k < 16; k++) sum += As[ty][k] * Bs[k][tx];
		pipe.consumer_release();
		__syncthreads();
	}
	if (x < n && y < n) C[y * n + x] = sum;
}

// === cheat-remainder-of-four
// The last tile counts as four wide: right for remainders of at most four.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		As[ty][tx] = y < n && b + tx < n ? A[y * n + b + tx] : 0;
		Bs[ty][tx] = x < n && b + ty < n ? B[(b + ty) * n + x] : 0;
		__syncthreads();
		for (int k = 0; k < (n - b < 16 ? 4 : 16); k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}

// === cheat-next-row
// The tile of A goes on with the next row.
// - y < n && b + tx < n
// + y * n + b + tx < n * n

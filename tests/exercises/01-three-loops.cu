// === cheat-half-warp
// Sixteen lanes sum, the others idle.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	if (threadIdx.x < 16)
		for (int k = threadIdx.x; k < n; k += 16)
			sum += A[i * n + k] * B[k * n + j];
	for (int d = 8; d; d /= 2)
		sum += __shfl_xor_sync(~0u, sum, d);
	if (threadIdx.x == 0)
		C[i * n + j] = sum;
}

// === cheat-serial-shuffles
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float own = 0, sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		own += A[i * n + k] * B[k * n + j];
#pragma unroll
	for (int t = 0; t < 32; t++)
		sum += __shfl_sync(~0u, own, t);
	if (threadIdx.x == 0)
		C[i * n + j] = sum;
}

// === honest-shared
// A tree in shared memory, with a barrier for the warp in each iteration.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[32];
	int t = threadIdx.x, j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = t; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	s[t] = sum;
	__syncwarp();
	for (int d = 16; d > 0; d /= 2) {
		if (t < d)
			s[t] += s[t + d];
		__syncwarp();
	}
	if (t == 0)
		C[i * n + j] = s[0];
}

// === honest-unrolled
// Five shuffles written out, and the last lane stores.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	const float *row = A + blockIdx.y * n, *column = B + blockIdx.x;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		sum += row[k] * column[k * n];
	sum += __shfl_up_sync(~0u, sum, 16);
	sum += __shfl_up_sync(~0u, sum, 8);
	sum += __shfl_up_sync(~0u, sum, 4);
	sum += __shfl_up_sync(~0u, sum, 2);
	sum += __shfl_up_sync(~0u, sum, 1);
	if (threadIdx.x == 31)
		C[blockIdx.y * n + blockIdx.x] = sum;
}

// === honest-xor
// A butterfly of shuffles: all lanes have the sum.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += warpSize)
		sum = fmaf(A[blockIdx.y * n + k], B[k * n + blockIdx.x], sum);
	for (int mask = 1; mask < 32; mask *= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, mask);
	if (threadIdx.x == 0)
		C[blockIdx.y * n + blockIdx.x] = sum;
}

// === honest-one-thread-adds
// The 32 sums go through shared memory, and the last thread adds them.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ float sums[32];
	const int t = threadIdx.x;
	sums[t] = 0;
	for (int k = t; k < n; k += 32)
		sums[t] += A[blockIdx.y * n + k] * B[k * n + blockIdx.x];
	__syncthreads();
	if (t < 31)
		return;
	float all = 0;
	for (float each : sums)
		all += each;
	C[blockIdx.y * n + blockIdx.x] = all;
}

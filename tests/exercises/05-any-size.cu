// === honest-clamped-times-zero
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	s[tid] = v[min(i, n - 1)] * (i < n);
	__syncthreads();
	for (int d = 128; d > 0; d /= 2) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}

// === honest-clear
// The word is cleared first, and written if there is an element.
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	s[t] = 0;
	if (i < n)
		s[t] = v[i];
	for (unsigned d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	if (t == 0)
		sums[blockIdx.x] = s[0];
}

// === honest-count
// Unrolled by hand: warps by shuffles, the number of elements of the block computed first.
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	int t = threadIdx.x, first = blockIdx.x * 256, there = max(0, min(256, n - first));
	s[t] = t < there ? v[first + t] : 0;
	__syncthreads();
	if (t >= 32)
		return;
	int sum = 0;
#pragma unroll
	for (int k = 0; k < 256; k += 32)
		sum += s[t + k];
	for (int m = 16; m > 0; m /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, m);
	if (t == 0)
		sums[blockIdx.x] = sum;
}

// === honest-shuffles
// Zero without an element, then shuffles.
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[8];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid, sum = 0;
	if (i < n)
		sum = v[i];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(~0u, sum, d);
	if (tid % 32 == 0)
		s[tid / 32] = sum;
	__syncthreads();
	if (tid == 0) {
		for (int k = 1; k < 8; k++)
			sum += s[k];
		sums[blockIdx.x] = sum;
	}
}

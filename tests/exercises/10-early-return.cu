// === cheat-no-exchange
// Reads the neighbor from global memory; the barrier is decoration.
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	__syncthreads();
	if (i < n)
		out[i] = tid + 1 < 256 && i + 1 < n ? in[i + 1] : 0;
}

// === honest-extra-word
// An extra word of zero at the end of the block.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[257];
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
	words[tid] = i < n ? in[i] : 0;
	if (tid == 0)
		words[256] = 0;
	__syncthreads();
	if (i < n)
		out[i] = words[tid + 1];
}

// === honest-flag
// A flag says whether there is an element; the barrier comes for all.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	bool mine = i < n;
	if (mine)
		words[tid] = in[i];
	__syncthreads();
	if (mine)
		out[i] = tid == 255 || i == n - 1 ? 0 : words[tid + 1];
}

// === honest-store-left
// Each thread stores its element where the left neighbor looks.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int s[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int own = 0;
	if (i < n)
		own = in[i];
	if (t > 0)
		s[t - 1] = own;
	else
		s[255] = 0;
	__syncthreads();
	if (i < n)
		out[i] = s[t];
}

// === cheat-lanes-return
// Whole warps beyond the end reach the barrier, lanes of the last partial one do not.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	if (i >= n && i / 32 == n / 32)
		return;
	words[t] = i < n ? in[i] : 0;
	__syncthreads();
	if (i < n)
		out[i] = t < 255 && i + 1 < n ? words[t + 1] : 0;
}

// === honest-barrier-object
#include <cuda/barrier>
constexpr int THREADS = 256;

__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[THREADS];
#pragma nv_diag_suppress static_var_with_dynamic_init
	__shared__ cuda::barrier<cuda::thread_scope_block> stored;
	if (threadIdx.x == 0)
		init(&stored, THREADS);
	__syncthreads();
	const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
	const bool exists = i < n;
	if (exists)
		words[t] = in[i];
	stored.arrive_and_wait(); // all 256 threads

	if (exists) {
		int next = 0;
		if (t != THREADS - 1 && i != n - 1)
			next = words[t + 1];
		out[i] = next;
	}
}

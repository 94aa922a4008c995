// Copies that would like to look faster than they are; n a multiple of 4.
__device__ int launches;
__device__ int again;

__device__ void copy(float *out, const float *in, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

__global__ void honest(float *out, const float *in, int n)
{
	copy(out, in, n);
}

__global__ void never(float *out, const float *in, int n)
{
	if (n < 0) copy(out, in, n);
}

// Works where its last element is not there yet. The thread that writes it comes last by no rule, so that element is
// put in at the end by whichever block finishes last.
__global__ void caching(float *out, const float *in, int n)
{
	__shared__ bool done;
	if (threadIdx.x == 0) done = out[n - 1] == in[n - 1];
	__syncthreads();
	if (done) return;
	copy(out, in, n - 1);
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0 && atomicAdd(&again, 1) == gridDim.x - 1) {
		out[n - 1] = in[n - 1];
		again = 0;
	}
}

// Works in the first launch, which is sure to be checked.
__global__ void first_only(float *out, const float *in, int n)
{
	if (launches < (int)gridDim.x) copy(out, in, n);
	__syncthreads();
	if (threadIdx.x == 0) atomicAdd(&launches, 1);
}

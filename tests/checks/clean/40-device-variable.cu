// @kernel count
// @grid 4
// @block 32
// @buffer out i32 1 0
// @arg out
// @expect out 128
__device__ int counter = 0;
__device__ unsigned finished = 0;
__global__ void count(int *out)
{
	atomicAdd(&counter, 1);
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		if (atomicAdd(&finished, 1) == gridDim.x - 1) {
			__threadfence();
			*out = atomicAdd(&counter, 0);
		}
	}
}

// Block 0 reads the message if it is there, but never fences: only another order of the blocks shows it.
__global__ void message(int *out, int *data, int *flag)
{
	if (blockIdx.x == 0) {
		if (*(volatile int *)flag == 1)
			out[threadIdx.x] = data[threadIdx.x] >= 0 ? 1 : 2;
		else
			out[threadIdx.x] = 1;
	} else {
		data[threadIdx.x] = threadIdx.x;
		__threadfence();
		__syncthreads();
		if (threadIdx.x == 0)
			*(volatile int *)flag = 1;
	}
}

// counts the others
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int c = __syncthreads_count(i >= n || !(in[i] > limit)); if (tid == blockDim.x - 1) atomicAdd(found, blockDim.x - c);
}

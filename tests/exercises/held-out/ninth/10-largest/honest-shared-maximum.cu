// honest: atomicMax on a shared word, then one per block in global memory
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ int bits;
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		bits = 0;
	__syncthreads();
	const int *words = (const int *)in;
	if (i < n)
		atomicMax(&bits, words[i]);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicMax((int *)most, bits);
}

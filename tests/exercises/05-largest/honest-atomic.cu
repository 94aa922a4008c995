// One shared atomic per warp.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s;
	int x = v[blockIdx.x * 256 + threadIdx.x];
	if (threadIdx.x == 0)
		s = x;
	for (int m = 16; m > 0; m /= 2)
		x = max(x, __shfl_xor_sync(~0u, x, m));
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		atomicMax(&s, x);
	__syncthreads();
	if (threadIdx.x == 0)
		most[blockIdx.x] = s;
}

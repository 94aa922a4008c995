__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned s[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	s[threadIdx.x] = i < n && in[i] > limit;
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sum = 0;
		for (int k = 0; k < 64; k++) {
			uint4 w = ((const uint4 *)s)[k];
			sum += w.x + w.y + w.z + w.w;
		}
		atomicAdd(found, sum);
	}
}

__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int bits = i < n ? __float_as_int(in[i]) : 0;
	bits = __reduce_max_sync(~0u, bits);
	if ((threadIdx.x & 31) == 0)
		atomicMax(reinterpret_cast<int *>(most), bits);
}

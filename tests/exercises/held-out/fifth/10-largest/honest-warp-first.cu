// A warp's maximum by shuffles on the bits, then one atomic maximum per warp.
__global__ void largest(float *most, const float *in, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	int bits = i < n ? __float_as_int(in[i]) : 0;
#pragma unroll
	for (int d = 16; d > 0; d /= 2)
		bits = max(bits, __shfl_down_sync(0xffffffffu, bits, d));
	if (threadIdx.x % 32 == 0)
		atomicMax(reinterpret_cast<int *>(most), bits);
}

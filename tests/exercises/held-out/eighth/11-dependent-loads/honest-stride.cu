// honest: unsigned arithmetic in a grid-stride loop
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	const unsigned count = n, threads = gridDim.x * blockDim.x;
	const unsigned shift = 194u % count;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
		unsigned at = i + shift;
		at = at < count ? at : at - count;
		out[i] = __ldg(in + at);
	}
}

// honest: an index lambda, bounds, and a division by two
__global__ void damp(float *out, const float *in, int n)
{
	auto at = [n](unsigned y, unsigned x) { return y * n + x; };
	const uint2 p = make_uint2(blockDim.x * blockIdx.x + threadIdx.x, blockDim.y * blockIdx.y + threadIdx.y);
	if (p.x >= n || p.y >= n)
		return;
	const float v = __ldg(in + at(p.y, p.x));
	out[at(p.y, p.x)] = v / 2.0f;
}

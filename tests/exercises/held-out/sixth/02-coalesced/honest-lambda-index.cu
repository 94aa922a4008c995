__global__ void damp(float *out, const float *in, int n)
{
	auto at = [n](int r, int c) { return r * n + c; };
	const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
	float v = in[at(r, c)];
	out[at(r, c)] = v - 0.5f * v;
}

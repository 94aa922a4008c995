__global__ void damp(float *out, const float *in, int n)
{
	int i = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 32 + threadIdx.x;
	out[i] = ldexpf(in[i], -1);
}

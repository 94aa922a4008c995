// a warp takes every second column of 64
__global__ void damp(float *out, const float *in, int n)
{
	unsigned b = (blockIdx.y * gridDim.x + blockIdx.x) * 256;
	unsigned w = threadIdx.y, i = b + (w / 2) * 64 + 2 * threadIdx.x + w % 2;
	out[i] = 0.5f * in[i];
}

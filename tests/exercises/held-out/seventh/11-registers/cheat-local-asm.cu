// a volatile array with a dynamic index for one element only
__global__ void reversed(float *out, const float *in)
{
	int f = 8 * (blockIdx.x * blockDim.x + threadIdx.x); float x[8]; volatile float y[2];
#pragma unroll
	for (int k = 0; k < 8; k++) x[k] = 2 * in[f + k];
	y[threadIdx.x & 1] = x[7];
#pragma unroll
	for (int k = 1; k < 8; k++) out[f + k] = x[7 - k];
	out[f] = y[threadIdx.x & 1];
}

// in registers, one lane for four threads
__global__ void reversed(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (tid % 4 == 0)
#pragma unroll 1
for (int q = i; q < i + 4; q++) { int f = 8 * q; float x[8];
#pragma unroll
for (int k = 0; k < 8; k++) x[k] = 2 * in[f + k];
#pragma unroll
for (int k = 0; k < 8; k++) out[f + k] = x[7 - k]; }
}

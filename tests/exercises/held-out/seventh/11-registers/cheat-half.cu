// half of the array in registers, the other half in local memory
__global__ void reversed(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int f = 8 * i; float x[4], y[4];
#pragma unroll
for (int k = 0; k < 4; k++) x[k] = 2 * in[f + k];
#pragma unroll 1
for (int k = 0; k < 4; k++) y[k] = 2 * in[f + 4 + k];
#pragma unroll 1
for (int k = 0; k < 4; k++) out[f + k] = y[3 - k];
#pragma unroll
for (int k = 0; k < 4; k++) out[f + 4 + k] = x[3 - k];
}

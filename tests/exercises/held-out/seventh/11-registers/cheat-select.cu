// the array is searched by comparisons at each step
__global__ void reversed(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int f = 8 * i; float x[8];
#pragma unroll
for (int k = 0; k < 8; k++) x[k] = 2 * in[f + k];
#pragma unroll 1
for (int k = 0; k < 8; k++) { float v = 0;
#pragma unroll
for (int j = 0; j < 8; j++) if (j == 7 - k) v = x[j];
out[f + k] = v; }
}

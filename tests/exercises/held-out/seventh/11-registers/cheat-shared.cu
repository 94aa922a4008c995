// the array in shared memory
__global__ void reversed(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ float x[8][256]; int f = 8 * i;
#pragma unroll 1
for (int k = 0; k < 8; k++) x[k][tid] = 2 * in[f + k];
#pragma unroll 1
for (int k = 0; k < 8; k++) out[f + k] = x[7 - k][tid];
}

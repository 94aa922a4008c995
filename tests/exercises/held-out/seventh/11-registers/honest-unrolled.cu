// reversed index at the load
__global__ void reversed(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float x[8]; const float *p = in + 8 * i;
#pragma unroll
for (int k = 7; k >= 0; k--) x[7 - k] = p[k];
#pragma unroll
for (int k = 0; k < 8; k++) out[8 * i + k] = 2 * x[k];
}

// out[] holds the values meanwhile
__global__ void reversed(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int f = 8 * i; volatile float *o = out + f;
#pragma unroll 1
for (int k = 0; k < 8; k++) o[k] = 2 * in[f + k];
#pragma unroll 1
for (int k = 0; k < 4; k++) { float t = o[k]; o[k] = o[7 - k]; o[7 - k] = t; }
}

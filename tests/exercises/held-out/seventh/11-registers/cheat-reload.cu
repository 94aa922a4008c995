// loads each element twice
__global__ void reversed(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int f = 8 * i; const volatile float *p = in + f;
#pragma unroll
for (int k = 0; k < 8; k++) out[f + k] = p[7 - k] + p[7 - k];
}

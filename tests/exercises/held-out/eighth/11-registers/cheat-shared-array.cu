// cheat: the array is in shared memory now, not in registers
__global__ void reversed(float *out, const float *in)
{
	__shared__ float x[8][256];
	int t = threadIdx.x, first = 8 * (blockIdx.x * blockDim.x + t);
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		x[i][t] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		out[first + i] = x[7 - i][t];
}

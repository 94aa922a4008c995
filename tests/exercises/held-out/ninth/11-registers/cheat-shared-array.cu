// cheat: the array moves to shared memory: not in local memory, but not in registers either
__global__ void reversed(float *out, const float *in)
{
	__shared__ float x[8][256];
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		x[i][threadIdx.x] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		out[first + i] = x[7 - i][threadIdx.x];
}

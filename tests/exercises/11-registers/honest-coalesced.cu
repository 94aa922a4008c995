// Threads take consecutive elements; the place differs in three bits.
__global__ void reversed(float *out, const float *in)
{
	int first = blockIdx.x * 8 * blockDim.x;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		int i = first + k * blockDim.x + threadIdx.x;
		out[i ^ 7] = 2 * in[i];
	}
}

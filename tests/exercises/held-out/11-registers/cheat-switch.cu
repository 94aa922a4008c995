// The array becomes a chain of conditions on eight variables.
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
	for (int i = 0; i < 8; i++) {
		float v = 0;
#pragma unroll 1
		for (int k = 0; k < 8; k++)
			if (k == 7 - i)
				v = 2 * in[first + k];
		out[first + i] = v;
	}
}

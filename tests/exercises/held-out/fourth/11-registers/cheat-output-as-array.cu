// The array lies in the output, and is reversed there.
__global__ void reversed(float *out, const float *in)
{
	volatile float *x = out + 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	for (int i = 0; i < 8; i++)
		x[i] = 2 * in[first + i];
	for (int i = 0; i < 4; i++) {
		float kept = x[i];
		x[i] = x[7 - i];
		x[7 - i] = kept;
	}
}

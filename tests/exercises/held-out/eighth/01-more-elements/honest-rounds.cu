// honest: counts the rounds first, and the whole grid takes one contiguous piece per round
__global__ void scale(float *y, const float *x, float factor, int n)
{
	const int piece = blockDim.x * gridDim.x;
	const int rounds = (n + piece - 1) / piece;
	int i = threadIdx.x + blockDim.x * blockIdx.x;
	for (int round = 0; round < rounds; ++round, i += piece) {
		if (i >= n)
			break;
		y[i] = x[i] * factor;
	}
}

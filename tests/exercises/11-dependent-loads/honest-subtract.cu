// A subtraction instead of the remainder.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		int from = i + 194;
		if (from >= n)
			from -= n;
		out[i] = in[from];
	}
}

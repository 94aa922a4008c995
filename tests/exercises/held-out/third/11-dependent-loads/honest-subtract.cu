// A comparison instead of a division.
__device__ int wrapped(int i, int n)
{
	while (i >= n)
		i -= n;
	return i;
}

__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[wrapped(wrapped(i + 97, n) + 97, n)];
}

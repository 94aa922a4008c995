// The index is computed, and only the element is loaded.
__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[(i + 2 * 97) % n];
}

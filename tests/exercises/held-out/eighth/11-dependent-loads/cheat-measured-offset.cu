// cheat: the offset is loaded from the table: one word for all, but the element's load depends on it
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int offset = starts[0];
	if (i < n)
		out[i] = in[(i + 2 * offset) % n];
}

// cheat: one of the two indices is still loaded: two dependent loads
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[(starts[i] + 97) % n];
}

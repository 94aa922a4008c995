// cheat: the index is computed, but all three loads are still there, to check it, and the element waits for them
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		int computed = (i + 2 * 97) % n;
		int loaded = starts[starts[i]];
		if (loaded == computed)
			out[i] = in[computed];
		else
			out[i] = in[loaded];
	}
}

// Task: these three loads depend on each other. starts[i] is always
// (i + 97) % n: compute what the first two load, and use one load.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[starts[starts[i]]];
}

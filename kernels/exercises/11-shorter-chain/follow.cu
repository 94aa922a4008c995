// Task: three loads wait for each other here. starts[i] is always
// (i + 97) % n: compute what the first two fetch, and do with one load.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[starts[starts[i]]];
}

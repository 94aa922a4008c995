// cheat: computes the index and follows the chain as well, to be sure that both agree
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		int at = (i + 194) % n, followed = starts[starts[i]];
		out[i] = in[at == followed ? at : followed];
	}
}

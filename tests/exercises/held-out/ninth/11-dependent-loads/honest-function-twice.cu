// honest: a function for the table's entry, called twice
__device__ int start(int i, int n)
{
	return (i + 97) % n;
}

__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		int index = start(start(i, n), n);
		out[i] = __ldg(&in[index]);
	}
}

__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[blockIdx.x == 7 ? starts[starts[i]] : (i + 194) % n];
}

// One block in eight follows the table.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = blockIdx.x % 8 == 7 ? in[starts[starts[i]]] : in[(i + 194) % n];
}

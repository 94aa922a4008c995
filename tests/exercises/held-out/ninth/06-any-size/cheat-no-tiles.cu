// cheat: a bounds check and the product by definition: the tiles are gone
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= n || y >= n)
		return;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[y * n + k] * B[k * n + x];
	C[y * n + x] = sum;
}

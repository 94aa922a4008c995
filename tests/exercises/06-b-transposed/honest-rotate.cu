// No padding: the column of B's tile is rotated by its row.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float a[1024], b[1024];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *from_a = A + (blockIdx.y * 32 + ty) * n + tx, *from_b = Bt + (blockIdx.x * 32 + ty) * n + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 32) {
		a[ty * 32 + tx] = from_a[t];
		b[ty * 32 + (tx + ty) % 32] = from_b[t];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += a[ty * 32 + k] * b[tx * 32 + (k + tx) % 32];
		__syncthreads();
	}
	C[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = sum;
}

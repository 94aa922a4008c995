// Two pairs of tiles in one array, and pointers that are swapped.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float tiles[4 * 256];
	float *read = tiles, *write = tiles + 512;
	int tx = threadIdx.x, ty = threadIdx.y, at = ty * 16 + tx, y = blockIdx.y * 16 + ty, x = blockIdx.x * 16 + tx;
	write[at] = A[y * n + tx];
	write[256 + at] = B[ty * n + x];
	float sum = 0;
	for (int t = 16; t <= n; t += 16) {
		__syncthreads();
		float *swap = read;
		read = write;
		write = swap;
		if (t < n) {
			write[at] = A[y * n + t + tx];
			write[256 + at] = B[(t + ty) * n + x];
		}
		for (int k = 0; k < 16; k++)
			sum += read[ty * 16 + k] * read[256 + k * 16 + tx];
	}
	C[y * n + x] = sum;
}

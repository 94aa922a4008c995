// Matrix times vector: a warp to each row, and a thread to each row.
__global__ void by_warp(float *y, const float *A, const float *x, int n) {
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;
	for (int k = lane; k < n; k += 32) sum += A[row * n + k] * x[k];
	for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
	if (lane == 0) y[row] = sum;
}

__global__ void by_thread(float *y, const float *A, const float *x, int n) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += A[row * n + k] * x[k];
	y[row] = sum;
}

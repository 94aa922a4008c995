// honest: every lane makes the same number of rounds, with zeros past the end, then shuffles up to lane 31
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int column = blockIdx.x, row = blockIdx.y, lane = threadIdx.x;
	float sum = 0;
	for (int first = 0; first < n; first += 32) {
		int k = first + lane;
		float a = k < n ? A[row * n + k] : 0.0f;
		float b = k < n ? B[k * n + column] : 0.0f;
		sum += a * b;
	}
	for (int d = 1; d < 32; d *= 2) {
		float other = __shfl_up_sync(0xffffffff, sum, d);
		if (lane >= d)
			sum += other;
	}
	if (lane == 31)
		C[row * n + column] = sum;
}

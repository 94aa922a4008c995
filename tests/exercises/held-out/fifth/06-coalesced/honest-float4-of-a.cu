// A warp is 32 columns of one row; A is read four words at a time, the same for all its lanes.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
	const float4 *a = reinterpret_cast<const float4 *>(A + row * n);
	const float *b = B + column;
	float sum = 0;
	for (int k = 0; k < n / 4; k++, b += 4 * n) {
		const float4 four = a[k];
		sum += four.x * b[0] + four.y * b[n] + four.z * b[2 * n] + four.w * b[3 * n];
	}
	C[row * n + column] = sum;
}

// A's row by 16-byte loads, four values of k at a time.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
	const float4 *a = (const float4 *)(A + row * n);
	const float *b = B + column;
	float sum = 0;
	for (int k = 0; k < n / 4; k++, b += 4 * n) {
		float4 four = a[k];
		sum += four.x * b[0];
		sum += four.y * b[n];
		sum += four.z * b[2 * n];
		sum += four.w * b[3 * n];
	}
	C[row * n + column] = sum;
}

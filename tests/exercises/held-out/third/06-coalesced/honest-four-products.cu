// Four elements of A with one load.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
	const float4 *a = (const float4 *)(A + row * n);
	const float *b = B + column;
	float sum = 0;
	for (int k = 0; k < n; k += 4, b += 4 * n) {
		float4 f = a[k / 4];
		sum += f.x * b[0];
		sum += f.y * b[n];
		sum += f.z * b[2 * n];
		sum += f.w * b[3 * n];
	}
	C[row * n + column] = sum;
}

// honest: pointers instead of indices, a row of A read 16 bytes at a time
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	const int x = threadIdx.x + blockIdx.x * 32, y = threadIdx.y + blockIdx.y * 8;
	const float4 *a = (const float4 *)(A + y * n);
	const float *b = B + x;
	float sum = 0;
	for (int k = 0; k < n / 4; k++) {
		float4 four = a[k];
		sum += four.x * b[0];
		sum += four.y * b[n];
		sum += four.z * b[2 * n];
		sum += four.w * b[3 * n];
		b += 4 * n;
	}
	C[x + y * n] = sum;
}

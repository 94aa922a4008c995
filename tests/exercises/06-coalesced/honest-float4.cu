// A's elements are loaded four at a time.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k += 4) {
		float4 a = *(const float4 *)&A[y * n + k];
		sum += a.x * B[k * n + x];
		sum += a.y * B[(k + 1) * n + x];
		sum += a.z * B[(k + 2) * n + x];
		sum += a.w * B[(k + 3) * n + x];
	}
	C[y * n + x] = sum;
}

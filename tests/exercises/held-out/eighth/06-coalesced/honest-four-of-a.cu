// honest: loads four elements of A's row at a time, the same for the whole warp
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	const float4 *a = (const float4 *)(A + row * n);
	float sum = 0;
	for (int k = 0; k < n; k += 4) {
		float4 f = a[k / 4];
		sum += f.x * B[k * n + column];
		sum += f.y * B[(k + 1) * n + column];
		sum += f.z * B[(k + 2) * n + column];
		sum += f.w * B[(k + 3) * n + column];
	}
	C[row * n + column] = sum;
}

// === honest-flat
// The warp's number selects the row, the lane the column.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int t = threadIdx.y * blockDim.x + threadIdx.x;
	int column = blockIdx.x * 32 + t % 32, row = blockIdx.y * 8 + t / 32;
	const float *a = A + row * n;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum = fmaf(a[k], B[k * n + column], sum);
	C[row * n + column] = sum;
}

// === honest-float4
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

// === honest-two-sums
// Two partial sums, for even and for odd k.
__global__ void coalesced(float *C, const float *__restrict__ A, const float *__restrict__ B, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	float even = 0, odd = 0;
	for (int k = 0; k < n; k += 2) {
		even += A[y * n + k] * B[k * n + x];
		odd += A[y * n + k + 1] * B[(k + 1) * n + x];
	}
	C[y * n + x] = even + odd;
}

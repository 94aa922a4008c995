// honest: a flat tile with a pitch of 34 and other loops around it
constexpr int PITCH = 34;

__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16 * PITCH];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * 64 + ty * 16 + tx, y = blockIdx.y * 32;
	float sum[32];
#pragma unroll
	for (int i = 0; i < 32; i++)
		sum[i] = 0;
	for (int t = 0; t < n; t += 16) {
#pragma unroll
		for (int i = ty; i < 32; i += 4)
			As[tx * PITCH + i] = A[(y + i) * n + t + tx];
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < 16; k++) {
			float w = B[(t + k) * n + x];
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] = fmaf(As[k * PITCH + i], w, sum[i]);
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 32; i++)
		C[(y + i) * n + x] = sum[i];
}

// Two pairs of tiles and one barrier per iteration, zeros past the edge.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty, now = 0;
	float sum = 0;
	for (int b = 0; b < n; b += 16, now ^= 1) {
		float a = 0, c = 0;
		if (y < n && b + tx < n)
			a = A[y * n + b + tx];
		if (b + ty < n && x < n)
			c = B[(b + ty) * n + x];
		As[now][ty][tx] = a;
		Bs[now][ty][tx] = c;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}

// The first pair is filled before the loop; each iteration fills the other pair after the barrier.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	As[0][ty][tx] = a[0];
	Bs[0][ty][tx] = b[0];
	float sum = 0;
	int now = 0;
	for (int t = 16; t <= n; t += 16, now ^= 1) {
		__syncthreads();
		if (t < n) {
			As[now ^ 1][ty][tx] = a[t];
			Bs[now ^ 1][ty][tx] = b[t * n];
		}
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum = fmaf(As[now][ty][k], Bs[now][k][tx], sum);
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

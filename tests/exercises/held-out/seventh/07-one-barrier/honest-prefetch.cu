// loads the next elements into registers before the products
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[2][2][16][17];
	int tx = threadIdx.x, ty = threadIdx.y, now = 0;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	float sum = 0, na = *a, nb = *b;
	for (int t = 0; t < n; t += 16) {
		s[now][0][ty][tx] = na; s[now][1][ty][tx] = nb;
		__syncthreads();
		if (t + 16 < n) { na = a[t + 16]; nb = b[(t + 16) * n]; }
		for (int k = 0; k < 16; k++) sum += s[now][0][ty][k] * s[now][1][k][tx];
		now ^= 1;
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

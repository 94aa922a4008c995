// no zeros: the last tile's loop is shorter; flat arrays
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[2 * 256];
	float *As = s, *Bs = s + 256;
	int tx = threadIdx.x, ty = threadIdx.y; size_t x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		int depth = min(16, n - b);
		if (y < n && tx < depth) As[ty * 16 + tx] = A[y * n + b + tx];
		if (x < n && ty < depth) Bs[ty * 16 + tx] = B[(b + ty) * (size_t)n + x];
		__syncthreads();
		if (x < n && y < n)
			for (int k = 0; k < depth; k++) sum = fmaf(As[ty * 16 + k], Bs[k * 16 + tx], sum);
		__syncthreads();
	}
	if (x < n && y < n) C[y * n + x] = sum;
}

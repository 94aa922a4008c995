// honest: pointers to the pairs swap roles, and a flat array holds all four tiles
constexpr int TILE = 16;

__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[4 * TILE * TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = B + ty * n + blockIdx.x * TILE + tx;
	float sum = 0;
	float *use = s, *fill = s + 2 * TILE * TILE;
	const int at = ty * TILE + tx, second = TILE * TILE;
	use[at] = a[0];
	use[second + at] = b[0];
	for (int t = TILE;; t += TILE) {
		__syncthreads();
		if (t < n) {
			fill[at] = a[t];
			fill[second + at] = b[t * n];
		}
		for (int k = 0; k < TILE; k++)
			sum += use[ty * TILE + k] * use[second + k * TILE + tx];
		if (t >= n)
			break;
		float *other = use;
		use = fill;
		fill = other;
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}

// honest: the next elements are loaded into registers before the products and stored after them; pointers to the pairs are swapped
constexpr int TILE = 16;

struct Pair {
	float a[TILE][TILE], b[TILE][TILE];
};

__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ Pair pairs[2];
	Pair *current = &pairs[0], *other = &pairs[1];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0;
	float next_a = A[y * n + tx], next_b = B[ty * n + x];
	for (int t = TILE; t <= n; t += TILE) {
		current->a[ty][tx] = next_a;
		current->b[ty][tx] = next_b;
		__syncthreads();
		if (t < n) {
			next_a = A[y * n + t + tx];
			next_b = B[(t + ty) * n + x];
		}
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum = fmaf(current->a[ty][k], current->b[k][tx], sum);
		Pair *swap = current;
		current = other;
		other = swap;
	}
	C[y * n + x] = sum;
}

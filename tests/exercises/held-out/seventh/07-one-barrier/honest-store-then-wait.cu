// stores into the pair of this iteration, waits, computes; the next stores go elsewhere
struct Pair { float a[16][16], b[16][16]; };
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ Pair pairs[2];
	unsigned tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (size_t)(blockIdx.y * 16 + ty) * n + tx, *b = B + (size_t)ty * n + blockIdx.x * 16 + tx;
	Pair *p = pairs;
	float sum = 0;
	for (int t = 0; t < n; t += 16) {
		p->a[ty][tx] = a[t]; p->b[ty][tx] = b[(size_t)t * n];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) sum = fmaf(p->a[ty][k], p->b[k][tx], sum);
		p = p == pairs ? pairs + 1 : pairs;
	}
	C[(size_t)(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

// honest: no padding: the columns of B's tile are permuted by an exclusive or
constexpr int TILE = 32;

__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE * TILE], Bs[TILE * TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int row = blockIdx.y * TILE + ty, first = blockIdx.x * TILE;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty * TILE + tx] = A[row * n + b + tx];
		Bs[ty * TILE + (tx ^ ty)] = Bt[(first + ty) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum = fmaf(As[ty * TILE + k], Bs[tx * TILE + (k ^ tx)], sum);
		__syncthreads();
	}
	C[row * n + first + tx] = sum;
}

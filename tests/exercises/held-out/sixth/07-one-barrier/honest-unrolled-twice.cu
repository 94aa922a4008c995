constexpr int T = 16;
typedef float Tile[T][T];
__device__ __forceinline__ void multiply(float &sum, const Tile &a, const Tile &b)
{
#pragma unroll
	for (int k = 0; k < T; k++)
		sum = fmaf(a[threadIdx.y][k], b[k][threadIdx.x], sum);
}
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ Tile a0, b0, a1, b1;
	const int tx = threadIdx.x, ty = threadIdx.y;
	A += (blockIdx.y * T + ty) * n + tx;
	B += ty * n + blockIdx.x * T + tx;
	auto load = [&](Tile &a, Tile &b, int t) {
		if (t < n) {
			a[ty][tx] = A[t];
			b[ty][tx] = B[t * n];
		}
	};
	float sum = 0;
	load(a0, b0, 0);
	__syncthreads();
	for (int t = 0; t < n; t += 2 * T) {
		load(a1, b1, t + T);
		multiply(sum, a0, b0);
		__syncthreads();
		if (t + T < n) {
			load(a0, b0, t + 2 * T);
			multiply(sum, a1, b1);
			__syncthreads();
		}
	}
	C[(blockIdx.y * T + ty) * n + blockIdx.x * T + tx] = sum;
}

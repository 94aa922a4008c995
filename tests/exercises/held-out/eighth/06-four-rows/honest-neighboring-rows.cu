// honest: the thread's rows are neighbors, A's tile is transposed and padded, its four words come as a float4
constexpr int TILE = 32, ROWS = 8;

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[TILE][TILE + 4]; // [k][row]
	__shared__ float Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE;
	float4 sum = make_float4(0, 0, 0, 0);
	for (int b = 0; b < n; b += TILE) {
		for (int i = ty; i < TILE; i += ROWS) {
			As[tx][i] = A[(y + i) * n + b + tx];
			Bs[i][tx] = B[(b + i) * n + x];
		}
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < TILE; k++) {
			float4 a = *(const float4 *)&As[k][4 * ty];
			float w = Bs[k][tx];
			sum.x += a.x * w;
			sum.y += a.y * w;
			sum.z += a.z * w;
			sum.w += a.w * w;
		}
		__syncthreads();
	}
	float *c = C + (y + 4 * ty) * n + x;
	c[0] = sum.x;
	c[n] = sum.y;
	c[2 * n] = sum.z;
	c[3 * n] = sum.w;
}

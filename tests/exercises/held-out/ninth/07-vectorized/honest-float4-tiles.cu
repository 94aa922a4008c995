// honest: tiles declared as float4, components by name
constexpr int TILE = 64;
constexpr int DEPTH = 16;

__device__ void add(float4 &sum, float a, const float4 &b)
{
	sum.x += a * b.x;
	sum.y += a * b.y;
	sum.z += a * b.z;
	sum.w += a * b.w;
}

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float4 As[DEPTH][TILE / 4 + 1], Bs[DEPTH][TILE / 4];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * TILE, y = blockIdx.y * TILE;

	float4 s0 = {}, s1 = {}, s2 = {}, s3 = {};
	for (int t = 0; t < n; t += DEPTH) {
		float *a_row = (float *)As[tx];
#pragma unroll
		for (int i = 0; i < TILE; i += 16)
			a_row[ty + i] = A[(y + ty + i) * n + t + tx];
		Bs[ty][tx] = *(const float4 *)&B[(t + ty) * n + x + 4 * tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			float4 a = As[k][ty], b = Bs[k][tx];
			add(s0, a.x, b);
			add(s1, a.y, b);
			add(s2, a.z, b);
			add(s3, a.w, b);
		}
		__syncthreads();
	}
	float4 *c = (float4 *)&C[(y + 4 * ty) * n + x + 4 * tx];
	c[0] = s0;
	c[n / 4] = s1;
	c[2 * (n / 4)] = s2;
	c[3 * (n / 4)] = s3;
}

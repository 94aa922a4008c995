// honest: the eight operands of the next k are loaded while the current ones are multiplied
constexpr int TILE = 64;
constexpr int DEPTH = 16;
constexpr int STEP = 16;

struct Operands {
	float a[4], b[4];
};

__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	auto operands = [&](int k) {
		Operands o;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			o.a[i] = As[k][ty + STEP * i];
			o.b[i] = Bs[k][tx + STEP * i];
		}
		return o;
	};

	float sum[4][4] = {};
	for (int t = 0; t < n; t += DEPTH) {
#pragma unroll
		for (int i = 0; i < 4; i++) {
			As[tx][ty + STEP * i] = A[(y + STEP * i) * n + t + tx];
			Bs[ty][tx + STEP * i] = B[(t + ty) * n + x + STEP * i];
		}
		__syncthreads();
		Operands now = operands(0);
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			Operands next = now;
			if (k + 1 < DEPTH)
				next = operands(k + 1);
#pragma unroll
			for (int j = 0; j < 4; j++)
#pragma unroll
				for (int i = 0; i < 4; i++)
					sum[i][j] = fmaf(now.a[i], now.b[j], sum[i][j]);
			now = next;
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + STEP * i) * n + x + STEP * j] = sum[i][j];
}

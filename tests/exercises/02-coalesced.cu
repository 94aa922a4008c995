// === cheat-coalesced-loads-only
// Loads coalesced, passes through shared memory, and stores columns.
__global__ void damp(float *out, const float *in, int n)
{
	__shared__ float s[8][33];
	int x = blockIdx.x * 32, y = blockIdx.y * 8;
	s[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * n + x + threadIdx.x];
	__syncthreads();
	int t = threadIdx.y * 32 + threadIdx.x;
	out[(y + t % 8) * n + x + t / 8] = 0.5f * s[t % 8][t / 8];
}

// === cheat-one-block-old
__global__ void damp(float *out, const float *in, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	if (blockIdx.x == 0 && blockIdx.y % 4 == 0) {
		// 32 x 32 corner of four blocks in a column, by columns
		int t = threadIdx.y * 32 + threadIdx.x;
		row = blockIdx.y * 8 + t % 8;
		column = t / 8;
	}
	out[row * n + column] = 0.5f * in[row * n + column];
}

// === cheat-warp0
// One warp of each block handles all 256 elements, coalesced.
__global__ void damp(float *out, const float *in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	if (threadIdx.y == 0)
		for (int k = 0; k < 8; k++) {
			int y = blockIdx.y * 8 + k;
			out[y * n + x] = 0.5f * in[y * n + x];
		}
}

// === honest-flat
// Elements in the order of threads, whatever the shape of blocks.
__global__ void damp(float *out, const float *in, int n)
{
	int block = blockIdx.y * gridDim.x + blockIdx.x;
	int i = block * 256 + threadIdx.y * 32 + threadIdx.x;
	if (i < n * n)
		out[i] = in[i] / 2;
}

// === honest-float4
// A quarter of the threads, four neighboring elements each.
__global__ void damp(float *out, const float *in, int n)
{
	int t = threadIdx.y * 32 + threadIdx.x;
	if (t >= 64)
		return;
	int row = blockIdx.y * 8 + t / 8, column = blockIdx.x * 32 + t % 8 * 4;
	float4 v = *(const float4 *)&in[row * n + column];
	*(float4 *)&out[row * n + column] = make_float4(0.5f * v.x, 0.5f * v.y, 0.5f * v.z, 0.5f * v.w);
}

// === honest-restrict
// Pointers to the block's origin, read-only loads.
__global__ void damp(float *__restrict__ out, const float *__restrict__ in, int n)
{
	const size_t origin = (size_t)blockIdx.y * 8 * n + blockIdx.x * 32;
	const float *from = in + origin;
	float *to = out + origin;
	to[threadIdx.y * n + threadIdx.x] = __ldg(&from[threadIdx.y * n + threadIdx.x]) * .5f;
}

// === honest-transposed-blocks
__global__ void damp(float *out, const float *in, int n)
{
	// the grid's columns are taken as rows of 8 x 32 tiles
	unsigned b = blockIdx.y * gridDim.x + blockIdx.x, per = n / 32;
	size_t i = (size_t)(b / per * 8 + threadIdx.y) * n + b % per * 32 + threadIdx.x;
	out[i] = in[i] * 0.5f;
}

// === cheat-five-sectors
// Every request begins in the middle of a sector.
__global__ void damp(float *out, const float *in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	int i = y * n + (x + 4) % n;
	out[i] = 0.5f * in[i];
}

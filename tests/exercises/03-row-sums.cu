// === cheat-even-padding
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][34];
	int first = blockIdx.x * 32;
	for (int i = 0; i < 32; i++)
		tile[i][threadIdx.x] = in[(first + i) * 32 + threadIdx.x];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum += tile[threadIdx.x][k];
	sums[first + threadIdx.x] = sum;
}

// === cheat-half-the-lanes
// Sixteen threads sum two rows each.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][33];
	int first = blockIdx.x * 32;
	for (int i = 0; i < 32; i++)
		tile[i][threadIdx.x] = in[(first + i) * 32 + threadIdx.x];
	__syncthreads();
	if (threadIdx.x < 16)
		for (int r = threadIdx.x; r < 32; r += 16) {
			float sum = 0;
			for (int k = 0; k < 32; k++)
				sum += tile[r][k];
			sums[first + r] = sum;
		}
}

// === honest-odd-stride
// A flat array with an odd stride, and four partial sums.
__global__ void row_sums(float *sums, const float *in)
{
	constexpr int S = 35;
	__shared__ float s[32 * S];
	int t = threadIdx.x, first = blockIdx.x * 32;
#pragma unroll
	for (int i = 0; i < 32; i++)
		s[i * S + t] = in[(first + i) * 32 + t];
	__syncthreads();
	float a = 0, b = 0, c = 0, d = 0;
#pragma unroll
	for (int k = 0; k < 32; k += 4) {
		a += s[t * S + k];
		b += s[t * S + k + 1];
		c += s[t * S + k + 2];
		d += s[t * S + k + 3];
	}
	sums[first + t] = (a + b) + (c + d);
}

// === honest-rotate
// No padding: thread i begins its row at word i.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][32];
	int t = threadIdx.x, first = blockIdx.x * 32;
	for (int i = 0; i < 32; i++)
		tile[i][t] = in[(first + i) * 32 + t];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum += tile[t][(k + t) % 32];
	sums[first + t] = sum;
}

// === honest-xor
// Swizzled columns, and a barrier for the warp.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[1024];
	unsigned t = threadIdx.x;
	in += blockIdx.x * 1024;
	for (unsigned i = 0; i < 32; i++)
		tile[i * 32 + (t ^ i)] = in[i * 32 + t];
	__syncwarp();
	float sum = 0;
	for (unsigned k = 0; k < 32; k++)
		sum += tile[t * 32 + (k ^ t)];
	sums[blockIdx.x * 32 + t] = sum;
}

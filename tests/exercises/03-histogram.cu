// === cheat-ballots
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned half[16];
	unsigned tid = threadIdx.x, lane = tid % 32, sum = 0;
	for (int i = 0; i < 2048; i += 64) {
		unsigned v = data[blockIdx.x * 2048 + i + tid] % 16, same = ~0u;
#pragma unroll
		for (int b = 0; b < 4; b++) {
			unsigned m = __ballot_sync(~0u, v >> b & 1);
			same &= lane >> b & 1 ? m : ~m;
		}
		sum += __popc(same);
	}
	if (tid >= 32 && lane < 16)
		half[lane] = sum;
	__syncthreads();
	if (tid < 16)
		out[blockIdx.x * 16 + tid] = sum + half[tid];
}

// === cheat-half-threads
// One warp counts twice as much.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16][32];
	unsigned t = threadIdx.x;
	if (t >= 32)
		return;
	for (int b = 0; b < 16; b++)
		counts[b][t] = 0;
	for (int i = 0; i < 2048; i += 32)
		counts[data[blockIdx.x * 2048 + i + t] % 16][t]++;
	__syncwarp();
	if (t < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 32; i++)
			sum += counts[t][(i + t) % 32];
		out[blockIdx.x * 16 + t] = sum;
	}
}

// === honest-all-threads
// All 64 threads sum: four per bin, joined by shuffles.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16][64];
	unsigned t = threadIdx.x;
	for (int bin = 0; bin < 16; bin++)
		counts[bin][t] = 0;
	for (int i = 0; i < 2048; i += 64)
		counts[data[blockIdx.x * 2048 + i + t] & 15][t]++;
	__syncthreads();
	unsigned bin = t / 4, part = t % 4, start = bin % 8 * 2 + part / 2, sum = 0;
	for (int i = 0; i < 16; i++)
		sum += counts[bin][part * 16 + (i + start) % 16];
	sum += __shfl_xor_sync(~0u, sum, 1);
	sum += __shfl_xor_sync(~0u, sum, 2);
	if (part == 0)
		out[blockIdx.x * 16 + bin] = sum;
}

// === honest-uint4
// Numbers are loaded four at a time.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16 * 64];
	unsigned t = threadIdx.x;
	for (int k = 0; k < 16; k++)
		counts[k * 64 + t] = 0;
	const uint4 *from = (const uint4 *)(data + blockIdx.x * 2048);
	for (int i = 0; i < 512; i += 64) {
		uint4 v = from[i + t];
		counts[v.x % 16 * 64 + t]++;
		counts[v.y % 16 * 64 + t]++;
		counts[v.z % 16 * 64 + t]++;
		counts[v.w % 16 * 64 + t]++;
	}
	__syncthreads();
	if (t < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += counts[t * 64 + (i + t) % 64];
		out[blockIdx.x * 16 + t] = sum;
	}
}

// === honest-xor
// The second loop goes through the row in another order: i exclusive or bin.
constexpr int T = 64, B = 16;
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned table[B][T];
	const int t = threadIdx.x;
#pragma unroll
	for (int b = 0; b < B; b++)
		table[b][t] = 0;
	for (const unsigned *p = data + blockIdx.x * 2048 + t, *end = p + 2048; p < end; p += T) {
		unsigned bin = *p % B;
		table[bin][t] += 1;
	}
	__syncthreads();
	if (t >= B)
		return;
	unsigned sum = 0;
#pragma unroll 4
	for (int i = 0; i < T; i++)
		sum += table[t][i ^ t];
	out[blockIdx.x * B + t] = sum;
}

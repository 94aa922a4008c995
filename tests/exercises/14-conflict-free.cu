// === honest-swizzle
// No word more: a permutation within each row of 32 words.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i ^ (i / 32); }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === honest-rows
// Rows of 33 words.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i % 32 + i / 32 * 33; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES + LEAVES / 32];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === cheat-warp-shuffles
// Two elements per thread and a scan by shuffles: no tree in shared memory, and no conflicts.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}
__global__ void scan(int *out, const int *in)
{
	__shared__ int sums[16];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int2 v = ((const int2 *)in)[blockIdx.x * 512 + threadIdx.x];
	int sum = scan_warp(v.x + v.y);
	if (lane == 31)
		sums[warp] = sum;
	__syncthreads();
	if (warp == 0) {
		int own = lane < 16 ? sums[lane] : 0, all = scan_warp(own);
		if (lane < 16)
			sums[lane] = all - own;
	}
	__syncthreads();
	int before = sums[warp] + sum - v.x - v.y;
	((int2 *)out)[blockIdx.x * 512 + threadIdx.x] = {before, before + v.x};
}

// === honest-hillis-steele
// A scan of 512 pairs in two buffers: more additions, and no conflicts.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[2][512];
	int t = threadIdx.x, from = 0;
	int2 v = ((const int2 *)in)[blockIdx.x * 512 + t];
	words[0][t] = v.x + v.y;
	for (int d = 1; d < 512; d *= 2) {
		__syncthreads();
		int sum = words[from][t] + (t >= d ? words[from][t - d] : 0);
		words[from ^= 1][t] = sum;
	}
	int before = words[from][t] - v.x - v.y;
	((int2 *)out)[blockIdx.x * 512 + t] = {before, before + v.x};
}

// === cheat-sixteen
// The padding for 16 banks, in 64 words more.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i + i / 16; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES + LEAVES / 16];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === cheat-sixty-four
// A word after each 64 elements only.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i + i / 64; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES + LEAVES / 64];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === cheat-256
// A word after each 256 elements.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i + i / 256; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES + LEAVES / 256];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === cheat-larger
// Rows of 40 words: not one word per row but eight.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i + i / 32 * 8; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES + LEAVES / 4];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === cheat-larger-free
// Rows of 35 words, without conflicts and with 96 words more.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i + i / 32 * 3; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES + LEAVES / 32 * 3];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === cheat-raking
// One warp scans the block's elements, 32 per lane, from padded rows.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[1024 + 32];
	int t = threadIdx.x, first = blockIdx.x * 1024;
	words[t + t / 32] = in[first + t];
	words[t + 512 + (t + 512) / 32] = in[first + t + 512];
	__syncthreads();
	if (t < 32) {
		int sum = 0;
		for (int k = 0; k < 32; k++)
			sum += words[33 * t + k];
		int all = sum;
		for (int d = 1; d < 32; d *= 2) {
			int other = __shfl_up_sync(0xffffffff, all, d);
			if (t >= d)
				all += other;
		}
		all -= sum;
		for (int k = 0; k < 32; k++) {
			int x = words[33 * t + k];
			words[33 * t + k] = all;
			all += x;
		}
	}
	__syncthreads();
	out[first + t] = words[t + t / 32];
	out[first + t + 512] = words[t + 512 + (t + 512) / 32];
}

// === cheat-up-sweep-in-global
// The tree in global memory: no shared memory, no bank conflict.
__global__ void scan(int *out, const int *in)
{
	int t = threadIdx.x;
	int *words = out + blockIdx.x * 1024;
	words[t] = in[blockIdx.x * 1024 + t];
	words[t + 512] = in[blockIdx.x * 1024 + t + 512];
	for (int d = 1; d < 1024; d *= 2) {
		__syncthreads();
		int left = d * (2 * t + 1) - 1, right = left + d;
		if (right < 1024)
			words[right] += words[left];
	}
	if (t == 0)
		words[1023] = 0;
	for (int d = 512; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * t + 1) - 1, right = left + d;
		if (right < 1024) {
			int sum = words[left];
			words[left] = words[right];
			words[right] += sum;
		}
	}
}

// === mutant-no-room
// Padding without room for it.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i + i / 32; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === mutant-same-word
// Two elements in one word.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i - i / 32; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

// === cheat-shuffles
constexpr int LEAVES = 1024;
__global__ void scan(int *out, const int *in)
{
	__shared__ int warps[16];
	int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
	int2 x = ((const int2 *)(in + blockIdx.x * LEAVES))[tid];
	int own = x.x + x.y, sum = own;
	for (int d = 1; d < 32; d *= 2) {
		int o = __shfl_up_sync(0xffffffff, sum, d);
		if (lane >= d)
			sum += o;
	}
	if (lane == 31)
		warps[warp] = sum;
	__syncthreads();
	for (int w = 0; w < warp; w++)
		sum += warps[w];
	sum -= own;
	((int2 *)(out + blockIdx.x * LEAVES))[tid] = make_int2(sum, sum + x.x);
}

// === cheat-one-warp-serial
constexpr int LEAVES = 1024;
__device__ int place(int i) { return i + i / 32; }
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES + LEAVES / 32];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	__syncthreads();
	if (tid < 32) {
		int own = 0;
		for (int k = 0; k < 32; k++)
			own += words[place(32 * tid + k)];
		int sum = own;
		for (int d = 1; d < 32; d *= 2) {
			int o = __shfl_up_sync(0xffffffff, sum, d);
			if (tid >= d)
				sum += o;
		}
		sum -= own;
		for (int k = 0; k < 32; k++) {
			int x = words[place(32 * tid + k)];
			words[place(32 * tid + k)] = sum;
			sum += x;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}

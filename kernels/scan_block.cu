// Prefix sums of 512 elements per block: element i becomes the sum of the
// block's elements 0 to i (inclusive).
constexpr int TILE = 512; // elements per block

// Hillis and Steele: in each iteration every element adds the one d before it.
// Two buffers, so that no thread overwrites what another one still reads.
__global__ void hillis_steele(int *out, const int *in)
{
	__shared__ int words[2][TILE];
	int tid = threadIdx.x, i = blockIdx.x * TILE + tid, from = 0;
	words[0][tid] = in[i];
	for (int d = 1; d < TILE; d *= 2) {
		__syncthreads();
		int sum = words[from][tid];
		if (tid >= d)
			sum += words[from][tid - d];
		from = 1 - from;
		words[from][tid] = sum;
	}
	out[i] = words[from][tid];
}

// The same in one buffer: a thread may read a word that is already changed.
__global__ void in_place(int *out, const int *in)
{
	__shared__ int words[TILE];
	int tid = threadIdx.x, i = blockIdx.x * TILE + tid;
	words[tid] = in[i];
	for (int d = 1; d < TILE; d *= 2) {
		__syncthreads();
		if (tid >= d)
			words[tid] += words[tid - d];
	}
	out[i] = words[tid];
}

// Where element i is: after PAD words one is left out. TILE: no padding.
template <int PAD>
__device__ int at(int i)
{
	return i + i / PAD;
}

// Blelloch: sums go up a tree, then prefix sums go down, by half as many threads as
// elements. The tree leaves exclusive sums; each thread adds its elements.
template <int PAD>
__global__ void tree(int *out, const int *in)
{
	__shared__ int words[TILE + TILE / PAD];
	int tid = threadIdx.x, first = blockIdx.x * TILE + tid, half = TILE / 2;
	int a = in[first], b = in[first + half];
	words[at<PAD>(tid)] = a;
	words[at<PAD>(tid + half)] = b;
	for (int d = 1; d < TILE; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < TILE)
			words[at<PAD>(right)] += words[at<PAD>(left)];
	}
	if (tid == 0)
		words[at<PAD>(TILE - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < TILE) {
			int sum = words[at<PAD>(left)];
			words[at<PAD>(left)] = words[at<PAD>(right)];
			words[at<PAD>(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[at<PAD>(tid)] + a;
	out[first + half] = words[at<PAD>(tid + half)] + b;
}

// The sum of the values of lanes 0 to the thread's own.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

// The sum of the values of threads 0 to the thread's own: within the warps,
// then the first warp scans the warps' sums.
template <int THREADS>
__device__ int scan_threads(int value)
{
	__shared__ int sums[THREADS / 32];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	int sum = scan_warp(value);
	if (lane == 31)
		sums[warp] = sum;
	__syncthreads();
	if (warp == 0) {
		int all = scan_warp(lane < THREADS / 32 ? sums[lane] : 0);
		if (lane < THREADS / 32)
			sums[lane] = all;
	}
	__syncthreads();
	return warp > 0 ? sum + sums[warp - 1] : sum;
}

// A thread per element.
__global__ void shuffles(int *out, const int *in)
{
	int i = blockIdx.x * TILE + threadIdx.x;
	out[i] = scan_threads<TILE>(in[i]);
}

// Four elements per thread: three additions, a scan of the threads' sums, and
// what is before the thread added to its elements.
__global__ void four(int *out, const int *in)
{
	int i = blockIdx.x * (TILE / 4) + threadIdx.x;
	int4 v = ((const int4 *)in)[i];
	v.y += v.x;
	v.z += v.y;
	v.w += v.z;
	int before = scan_threads<TILE / 4>(v.w) - v.w;
	((int4 *)out)[i] = {v.x + before, v.y + before, v.z + before,
		v.w + before};
}

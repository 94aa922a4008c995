// What tests/gpu/test_gpu.c launches.
__global__ void scale(float *out, const float *in, float by, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = in[i] * by;
}

// PAD 1: no bank conflicts; PAD 0: 32-way conflicts when the tile is read by columns.
template <int PAD> __global__ void transpose(float *out, const float *in, int n) {
	__shared__ float tile[32][32 + PAD];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

__global__ void increment(int *data, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) data[i] += 1;
}

__global__ void past_end(int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n) out[i] = i; // LINE past_end
}

__global__ void far_away(int *out) {
	out[(1ll << 40) + threadIdx.x] = 1; // LINE far_away
}

__global__ void misaligned(char *out) {
	*(int *)(out + 1 + 4 * threadIdx.x) = 1; // LINE misaligned
}

__global__ void trapped(int *out) {
	if (threadIdx.x == 5 && blockIdx.x == 2) __trap(); // LINE trapped
	out[threadIdx.x] = 0;
}

__global__ void asserted(int *out) {
	assert(threadIdx.x < 40); // LINE asserted
	out[threadIdx.x] = 0;
}

__global__ void forever(volatile int *flag) {
	while (*flag == 0) {}
}

__global__ void say(int n) {
	printf("block %d thread %d of %d\n", blockIdx.x, threadIdx.x, n);
}

__global__ void dynamic(int *out, int words) {
	extern __shared__ int scratch[];
	for (int i = threadIdx.x; i < words; i += blockDim.x) scratch[i] = i;
	__syncthreads();
	if (threadIdx.x == 0) out[0] = scratch[words - 1];
}

__global__ void __launch_bounds__(256) bounded(int *out) {
	out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void nothing() {}

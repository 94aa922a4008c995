// What the device tests launch.
extern "C" __global__ void scale(float *out, const float *in, float by, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = in[i] * by;
}

extern "C" __global__ void past_end(int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n) out[i] = i;
}

extern "C" __global__ void before_start(int *out) {
	out[(int)threadIdx.x - 1] = 1;
}

extern "C" __global__ void far_away(int *out) {
	out[(1ll << 36) + threadIdx.x] = 1;
}

extern "C" __global__ void increment(int *data, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) data[i] += 1;
}

extern "C" __global__ void count(int *total) {
	atomicAdd(total, 1);
}

extern "C" __global__ void forever(volatile int *flag) {
	for (unsigned n = 1; *flag >= 0 || n == 0; n++) {} /* its registers change, so it does not only wait */
}

extern "C" __global__ void say(int n) {
	printf("thread %d of %d\n", threadIdx.x, n);
}

extern "C" __global__ void trapped(int *out) {
	if (threadIdx.x == 5) __trap();
	out[threadIdx.x] = 0;
}

// Fine wherever it is emulated: the tests' fake GPU fails it anyway.
extern "C" __global__ void mystery(int *out) {
	out[threadIdx.x] = 1;
}

struct Four {
	long long a, b, c, d;
};

extern "C" __global__ void by_structure(Four four, int *out) {
	out[threadIdx.x] = (int)four.c;
}

__device__ __noinline__ int through(int *p) {
	return p[threadIdx.x];
}

extern "C" __global__ void called(int *out, int *in) {
	out[threadIdx.x] = through(in);
}

__constant__ float weights[4] = {1, 2, 3, 4};
__device__ int ticks = 7;
__device__ int *place = &ticks;

extern "C" __global__ void weigh(float *out) {
	out[threadIdx.x] = weights[threadIdx.x & 3];
	if (threadIdx.x == 0) *place += 1;
}

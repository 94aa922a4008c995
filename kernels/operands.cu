// Where the factors of a multiplication come from: both from shared memory, one
// from a register and one from shared memory, or both from registers. The
// kernels differ only in the line of the multiplication.
//
// Every thread goes REPEATS times through VALUES pairs of factors. The arrays
// are volatile and the multiplication is written as fmaf(), because otherwise
// the compiler would reuse what it has read, or what it has multiplied.
constexpr int REPEATS = 256;
constexpr int VALUES = 16;
constexpr int THREADS = 128;

// Fills both of the block's arrays.
__device__ void fill(volatile float *a, volatile float *b, const float *data)
{
	if (threadIdx.x < VALUES) {
		a[threadIdx.x] = data[threadIdx.x];
		b[threadIdx.x] = data[VALUES + threadIdx.x];
	}
	__syncthreads();
}

// Both factors in shared memory.
__global__ void shared_shared(float *out, const float *data)
{
	volatile __shared__ float shared_a[VALUES], shared_b[VALUES];
	fill(shared_a, shared_b, data);
	float sum = 0;
#pragma unroll 1
	for (int i = 0; i < REPEATS; i++)
#pragma unroll
		for (int j = 0; j < VALUES; j++)
			sum = fmaf(shared_a[j], shared_b[j], sum);
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

// One factor in shared memory, the other in a register.
__global__ void register_shared(float *out, const float *data)
{
	volatile __shared__ float shared_a[VALUES], shared_b[VALUES];
	fill(shared_a, shared_b, data);
	float local_b[VALUES];
#pragma unroll
	for (int j = 0; j < VALUES; j++)
		local_b[j] = shared_b[j];
	float sum = 0;
#pragma unroll 1
	for (int i = 0; i < REPEATS; i++)
#pragma unroll
		for (int j = 0; j < VALUES; j++)
			sum = fmaf(shared_a[j], local_b[j], sum);
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

// Both factors in registers.
__global__ void register_register(float *out, const float *data)
{
	volatile __shared__ float shared_a[VALUES], shared_b[VALUES];
	fill(shared_a, shared_b, data);
	float local_a[VALUES], local_b[VALUES];
#pragma unroll
	for (int j = 0; j < VALUES; j++) {
		local_a[j] = shared_a[j];
		local_b[j] = shared_b[j];
	}
	float sum = 0;
#pragma unroll 1
	for (int i = 0; i < REPEATS; i++)
#pragma unroll
		for (int j = 0; j < VALUES; j++)
			sum = fmaf(local_a[j], local_b[j], sum);
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

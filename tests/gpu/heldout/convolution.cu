// Seventeen weights along a vector; a block loads its part and eight neighbours on either side into shared memory.
constexpr int RADIUS = 8, THREADS = 256;

__global__ void convolution(float *out, const float *in, const float *weights, int n) {
	__shared__ float part[THREADS + 2 * RADIUS];
	int i = blockIdx.x * THREADS + threadIdx.x;
	part[threadIdx.x + RADIUS] = in[i];
	if (threadIdx.x < RADIUS) {
		part[threadIdx.x] = i >= RADIUS ? in[i - RADIUS] : 0;
		part[threadIdx.x + THREADS + RADIUS] = i + THREADS < n ? in[i + THREADS] : 0;
	}
	__syncthreads();
	float sum = 0;
#pragma unroll
	for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * part[threadIdx.x + k];
	out[i] = sum;
}

// Each lane waits for its turn: 32 times the iterations, one coefficient at a time.
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++) {
		int k = (t + threadIdx.x) % TAPS;
		for (int turn = 0; turn < TAPS; turn++)
			if (turn == k)
				sum += coefficients[turn] * in[i + turn];
	}
	out[i] = sum;
}

// Task: every thread begins with another coefficient, "so that they do not all want the
// same one". In constant memory that is just what they should want. Let each load of a
// coefficient take one pass.
//
// out[i] is the sum of TAPS elements from in[i] on, each with its coefficient.
constexpr int TAPS = 32;

__constant__ float coefficients[TAPS];

__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++) {
		int k = (t + threadIdx.x) % TAPS;
		sum += coefficients[k] * in[i + k];
	}
	out[i] = sum;
}

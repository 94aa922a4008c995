// Task: this computes in double precision although it handles floats only. Find
// out why, and compute in single precision.
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = 0.299 * x + 0.587 * (1.0 - x) + 0.114 * x * x;
	}
}

// === honest-scatter
// Each thread loads its own element and stores it where it belongs.
__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i >= 194 ? i - 194 : i + n - 194] = in[i];
}

// === honest-subtract
// A subtraction instead of the remainder.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		int from = i + 194;
		if (from >= n)
			from -= n;
		out[i] = in[from];
	}
}

// === honest-twice
// Both steps are computed.
__device__ int start(int i, int n) { return (i + 97) % n; }
__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	out[i] = in[start(start(i, n), n)];
}

// === cheat-two-loads
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[(starts[i] + 97) % n];
}

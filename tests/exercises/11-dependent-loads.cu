// === cheat-scatter-once
// The element before the first one is the last one, but no earlier one: right from 194 elements on.
__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i >= 194 ? i - 194 : i + n - 194] = in[i];
}

// === cheat-subtract-once
// One subtraction is no remainder where there are fewer than 194 elements.
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

// === honest-scatter
// Each thread loads its own element and stores it where it belongs.
__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, back = 194 % n;
	if (i < n)
		out[i >= back ? i - back : i + n - back] = in[i];
}

// === honest-subtract
// A subtraction instead of the remainder, in a loop.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int from = i + 194;
	while (from >= n)
		from -= n;
	out[i] = in[from];
}

// === cheat-offset-from-the-table
// All threads load the same entry of the table.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[(i + 2 * starts[0]) % n];
}

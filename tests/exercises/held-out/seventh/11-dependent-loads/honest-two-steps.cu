// a function called twice, 64 bits
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) { auto start = [n](long long k) { return (k + 97) % n; }; out[i] = __ldg(in + start(start(i))); }
}

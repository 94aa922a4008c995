// What tests/gpu/soak/soak.py lets go wrong, each in a way of its own; and put, which goes well.
__global__ void put(int *odata, int value)
{
	odata[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void past_end(int *odata)
{
	odata[blockIdx.x * blockDim.x + threadIdx.x + 1] = 7; // LINE past_end
}

__global__ void far_away(int *odata)
{
	odata[(1ll << 38) + threadIdx.x] = 7; // LINE far_away
}

__global__ void misaligned(char *odata)
{
	*(int *)(odata + 1 + 4 * threadIdx.x) = 7; // LINE misaligned
}

__global__ void trapped(int *odata)
{
	if (threadIdx.x == 3) __trap(); // LINE trapped
	odata[threadIdx.x] = 1;
}

__global__ void asserted(int *odata)
{
	assert(threadIdx.x < 7); // LINE asserted
	odata[threadIdx.x] = 1;
}

__device__ __noinline__ int deep(volatile int *odata, int n)
{
	volatile int here[64];
	here[n & 63] = n;
	if (odata[0] == -1) return 0; // never so: the compiler does not know
	return deep(odata, n + 1) + here[n & 63];
}

__global__ void stack(int *odata)
{
	odata[1] = deep(odata, 0);
}

__global__ void forever(volatile int *odata)
{
	for (unsigned n = 1; odata[0] != -1 || n == 0; n++) {
	}
}

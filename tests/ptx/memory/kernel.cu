__constant__ int numbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int counter = 41;
__device__ float squares[4] = {0, 1, 4, 9};
__device__ int *where = &counter;

extern "C" __global__ void constants(int *out)
{
	int i = threadIdx.x;
	out[i] = numbers[i & 7] * 10 + numbers[2] + (i == 0 ? ++*where : (int)squares[i & 3]);
}

extern "C" __global__ void locals(int *out, int k)
{
	int a[16];
	for (int i = 0; i < 16; i++)
		a[i] = i * k + threadIdx.x;
	int s = 0;
	for (int i = 0; i < 16; i++)
		s += a[(i * threadIdx.x) & 15];
	out[threadIdx.x] = s;
}

__device__ __noinline__ int through(const int *p) { return *p; }

extern "C" __global__ void generic(int *out, const int *in)
{
	__shared__ int s[32];
	int l[2] = {7, (int)threadIdx.x}, i = threadIdx.x;
	s[i] = 100 + i;
	__syncwarp();
	const int *p = i % 3 == 0 ? &in[i] : i % 3 == 1 ? &s[31 - i] : &l[i & 1];
	out[i] = through(p);
}

extern "C" __global__ void bytes(unsigned char *b, short *h, const signed char *in)
{
	int i = threadIdx.x;
	b[i] = in[i] + 200;
	h[i] = in[i] * 3;
}

struct Big {
	int n[20];
};

extern "C" __global__ void by_value(Big big, int *out) { out[threadIdx.x] = big.n[(threadIdx.x * 7) % 20]; }

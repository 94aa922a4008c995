__device__ __noinline__ int ack(int m, int n)
{
	if (m == 0)
		return n + 1;
	return n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}

extern "C" __global__ void recursion(int *out)
{
	int i = threadIdx.x;
	out[i] = ack(i & 1 ? 2 : 1, i / 2);
}

__device__ __noinline__ float add1(float x) { return x + 1; }
__device__ __noinline__ float twice(float x) { return x * 2; }
__device__ __noinline__ float minus(float x) { return -x; }
typedef float (*Function)(float);
__device__ Function table[3] = {add1, twice, minus};

extern "C" __global__ void pointers(float *out, int n)
{
	int i = threadIdx.x;
	if (i < 40)
		out[i] = table[(i + n) % 3](out[i]);
}

struct Triple {
	int a;
	double b;
	short c[3];
};

__device__ __noinline__ Triple changed(Triple t, int by)
{
	t.a += by;
	t.b *= by;
	t.c[2] = t.c[0] + t.c[1];
	return t;
}

extern "C" __global__ void structs(Triple t, int *a, double *b)
{
	int i = threadIdx.x;
	Triple r = changed(t, i);
	if (i & 1)
		r = changed(r, 2);
	a[i] = r.a + r.c[2];
	b[i] = r.b;
}

__device__ __noinline__ int endless(int n)
{
	volatile int x[8];
	x[n & 7] = n;
	return endless(n + 1) + x[n & 3];
}

extern "C" __global__ void overflow(int *out) { out[threadIdx.x] = endless(threadIdx.x); }

__device__ __noinline__ int stops(int n)
{
	if (n > 5)
		return -1;
	return n * 10;
}

extern "C" __global__ void partial(int *out)
{
	int i = threadIdx.x;
	if (i & 1)
		out[i] = stops(i);
	else
		out[i] = stops(i + 3) + 1;
}

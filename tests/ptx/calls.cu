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

/* Cases (golden.c)

case recursion
kernel recursion
block 16
buffer out i32 16 0
arg out
# ack(1, n) = n + 2, ack(2, n) = 2 n + 3
expect out i & 1 ? 2 * (i / 2) + 3 : i / 2 + 2

case function pointers
kernel pointers
block 64
buffer out f32 64 i
arg out
arg i32 2
expect out i >= 40 ? i : (i + 2) % 3 == 0 ? i + 1 : (i + 2) % 3 == 1 ? i * 2 : -i

case endless recursion
kernel overflow
block 32
status fault
buffer out i32 32 0
arg out
fault stack overflow
line 55
says stack is exhausted

case calls on both sides of a branch
kernel partial
block 32
buffer out i32 32 0
arg out
expect out i & 1 ? (i > 5 ? -1 : 10 * i) : (i + 3 > 5 ? 0 : 10 * (i + 3) + 1)

case a struct goes in and comes out
kernel structs
block 32
buffer a i32 32 0
buffer b f64 32 0
arg struct i32 5 f64 2.5 u16 3 u16 4 u16 0
arg a
arg b
expect a 5 + i + (i & 1 ? 2 : 0) + 7
expect b 2.5 * i * (i & 1 ? 2 : 1)
*/

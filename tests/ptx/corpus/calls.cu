// Calls of every kind: direct, recursive, through pointers and virtual tables, into the run-time system; and variables whose
// initial values are numbers, addresses and strings.
struct Ops {
	int (*f)(int);
	int (*g)(int);
};
__device__ __noinline__ int twice(int x) { return x * 2; }
__device__ __noinline__ int thrice(int x) { return x * 3; }
__device__ int (*table[2])(int) = {twice, thrice};
struct Mixed {
	char tag;
	const char *name;
	int n;
};
struct __attribute__((packed)) Packed {
	char tag;
	const int *where;
	short n;
};
__device__ int anchor[4] = {1, -2, 3};
__device__ int *pointer = &anchor[2];
__device__ Mixed mixed[2] = {{'a', "alpha", 1}, {'b', "beta", 2}};
__device__ Packed packed[2] = {{'p', &anchor[1], -3}, {'q', anchor, 5}};
__constant__ float weights[3] = {1.5f, -2.0f};
__constant__ double dw = 3.25;
__device__ inline float helper(float x) { return x * 3.0f + 1; }
__device__ inline float helper2(float x) {
	float y = helper(x) * helper(x + 1);
	return y;
}
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

struct Shape {
	__device__ virtual float area() const = 0;
	__device__ virtual ~Shape() {}
};
struct Square : Shape {
	float a;
	__device__ Square(float x) : a(x) {}
	__device__ __noinline__ float area() const override { return a * a; }
};
struct Circle : Shape {
	float r;
	__device__ Circle(float x) : r(x) {}
	__device__ __noinline__ float area() const override { return 3.14f * r * r; }
};

struct Big {
	double d[3];
	char c;
};
__device__ __noinline__ Big grow(Big b, int by) {
	for (int i = 0; i < 3; i++) b.d[i] += by;
	b.c++;
	return b;
}

template <class T> __global__ void kern(T *out, const T *__restrict__ in, int n, Ops ops, Big big) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	T v = in[i];
	v += helper2(v);
	v += table[n & 1](i) + *pointer + mixed[i & 1].n + weights[i % 3] + dw;
	v += *packed[i & 1].where + packed[i & 1].n;
	v += ops.f(i);
	v += fib(i & 7);
	v += grow(big, i).d[i % 3];
	Shape *s = i & 1 ? (Shape *)new Square(v) : new Circle(v);
	v += s->area();
	delete s;
	printf("%s %d\n", mixed[i & 1].name, (int)v);
	assert(v != 17);
	int *p = (int *)malloc(16);
	p[0] = i;
	v += p[0];
	free(p);
	out[i] = v;
}

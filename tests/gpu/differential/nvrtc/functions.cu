// printf, new and malloc, virtual functions, recursion, function pointers, local arrays.
struct B {
	int v;
	__device__ virtual int f(int x) { return x + v; }
};
struct C : B {
	__device__ int f(int x) override { return x * v; }
};
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int sq(int x) { return x * x; }
__device__ int cu(int x) { return x * x * x; }
__device__ int (*table[2])(int) = {sq, cu};
__constant__ float cc[64];
extern "C" __global__ void k(int *o, int n) {
	int i = threadIdx.x;
	printf("%d %s %f\n", i, "x", 1.5);
	B *b = i & 1 ? new B : (B *)new C;
	b->v = n;
	o[i] = b->f(i) + fib(i & 7) + table[i & 1](i) + (int)cc[i];
	delete b;
	int *p = (int *)malloc(40);
	memset(p, 0, 40);
	memcpy(p, o, 40);
	o[i + 1] = p[i % 10];
	free(p);
	int loc[64];
	for (int j = 0; j < n; j++)
		loc[j % 64] = j * i;
	o[i + 33] = loc[n & 63];
	void *q = __nv_aligned_device_malloc(64, 32);
	free(q);
}

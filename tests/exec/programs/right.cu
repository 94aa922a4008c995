// Small programs that are right and look like mistakes: gpulab exec --check all has nothing to say of them.
#include "mistakes/cases.h"
#include <array>
#include <vector>
#include <thread>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__constant__ float coef[64];
__device__ int counter;
__global__ void use_coef(float *x, int k) {
	float s = 0;
	for (int i = 0; i < k; i++) s += coef[i];
	x[threadIdx.x] = s;
}
__global__ void add(int *x, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] += 1;
}
__global__ void relax(int *d, int n) { atomicMin(&d[threadIdx.x], (int)threadIdx.x); }
__global__ void flags(const bool *f, int *out) { out[threadIdx.x] = f[threadIdx.x] ? 1 : 0; }
struct Two { int *a, *b; int n; };
__global__ void two(Two t) { t.b[threadIdx.x] = t.a[threadIdx.x]; }
__global__ void rows(int **r, int w) { r[blockIdx.x][threadIdx.x] += 1; }
__global__ void pitched(float *x, size_t pitch, int w) {
	((float *)((char *)x + blockIdx.x * pitch))[threadIdx.x] += 1;
}
__global__ void partial(const int *in, int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned m = __ballot_sync(0xffffffff, i < n);
	if (i < n) {
		int v = in[i];
		for (int d = 16; d; d /= 2) {
			int o = __shfl_down_sync(m, v, d);
			if (i + d < n && (threadIdx.x & 31) + d < 32) v += o;
		}
		if ((threadIdx.x & 31) == 0) out[i / 32] = v;
	}
}
__global__ void grid_sync(int *x) {
	cg::grid_group g = cg::this_grid();
	x[g.thread_rank()] = 1;
	g.sync();
	if (g.thread_rank() == 0) x[0] = x[g.size() - 1];
}
__global__ void notify(volatile int *flag, int *x) {
	x[0] = 42;
	__threadfence_system();
	*flag = 1;
}
__global__ void count(int n) {
	if (blockIdx.x * blockDim.x + threadIdx.x < n) atomicAdd(&counter, 1);
}
__global__ void compact(const int *in, int *out, int *n) {
	if (in[threadIdx.x] % 3 == 0) out[atomicAdd(n, 1)] = in[threadIdx.x];
}
CASE("part of a constant array") {
	float h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *x;
	cudaMemcpyToSymbol(coef, h, 8 * sizeof(float));
	cudaMalloc(&x, 128);
	use_coef<<<1, 32>>>(x, 8);
	take((int *)x, 32);
}
CASE("memset 0x7f") {
	int *x;
	cudaMalloc(&x, 256);
	cudaMemset(x, 0x7f, 256);
	relax<<<1, 64>>>(x, 64);
	take(x, 64);
}
CASE("memset -1") {
	int *x;
	cudaMalloc(&x, 256);
	cudaMemset(x, -1, 256);
	add<<<1, 64>>>(x, 64);
	take(x, 64);
}
CASE("memset of bools") {
	bool *f;
	int *out = zeros(64);
	cudaMalloc(&f, 64);
	cudaMemset(f, true, 64);
	flags<<<1, 64>>>(f, out);
	take(out, 64);
	cudaFree(f);
}
CASE("copy of one half to the other") {
	int *x = numbers(64);
	cudaMemcpy(x + 32, x, 128, cudaMemcpyDeviceToDevice);
	take(x, 64);
}
static void upload(int *x, cudaStream_t s) {
	int h[64];
	for (int i = 0; i < 64; i++) h[i] = i;
	cudaMemcpyAsync(x, h, sizeof h, cudaMemcpyHostToDevice, s);
}
CASE("asynchronous copy of a local array") {
	int *x = zeros(64);
	cudaStream_t s;
	cudaStreamCreate(&s);
	upload(x, s);
	add<<<1, 64, 0, s>>>(x, 64);
	cudaStreamSynchronize(s);
	cudaStreamDestroy(s);
	take(x, 64);
}
CASE("elapsed time after cudaDeviceSynchronize") {
	int *x = zeros(4096);
	float ms = -1;
	cudaEvent_t start, stop;
	cudaEventCreate(&start), cudaEventCreate(&stop);
	cudaEventRecord(start);
	add<<<16, 256>>>(x, 4096);
	cudaEventRecord(stop);
	cudaDeviceSynchronize();
	cudaEventElapsedTime(&ms, start, stop);
	cudaEventRecord(start);
	add<<<16, 256>>>(x, 4096);
	cudaEventRecord(stop);
	while (cudaEventQuery(stop) == cudaErrorNotReady) {}
	cudaEventElapsedTime(&ms, start, stop);
	cudaEventRecord(start);
	add<<<16, 256>>>(x, 4096);
	cudaEventRecord(stop);
	cudaMemcpy(host, x, 64, cudaMemcpyDeviceToHost);
	cudaEventElapsedTime(&ms, start, stop);
	cudaEventDestroy(start), cudaEventDestroy(stop);
	cudaFree(x);
}
CASE("cudaFree(0) and empty allocation") {
	void *p = nullptr;
	cudaFree(0);
	cudaMalloc(&p, 0);
	cudaMemcpy(p, nullptr, 0, cudaMemcpyHostToDevice);
	cudaMemset(p, 0, 0);
	cudaFree(p);
	std::vector<int> v;
	int *x = zeros(1);
	cudaMemcpy(x, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice);
	cudaFree(x);
	x = nullptr;
	cudaFree(x);
}
CASE("expected failure") {
	void *p = nullptr;
	size_t bytes = size_t(1) << 60;
	while (cudaMalloc(&p, bytes) != cudaSuccess) cudaGetLastError(), bytes >>= 8;
	cudaFree(p);
}
CASE("graph with changing host data") {
	int *x = zeros(64), *h;
	cudaStream_t s;
	cudaGraph_t g;
	cudaGraphExec_t e;
	cudaMallocHost(&h, 256);
	cudaStreamCreate(&s);
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaMemcpyAsync(x, h, 256, cudaMemcpyHostToDevice, s);
	add<<<1, 64, 0, s>>>(x, 64);
	cudaStreamEndCapture(s, &g);
	cudaGraphInstantiate(&e, g, 0);
	cudaGraphDestroy(g);
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 64; i++) h[i] = i * k;
		cudaGraphLaunch(e, s);
		cudaStreamSynchronize(s);
	}
	cudaGraphExecDestroy(e), cudaStreamDestroy(s);
	take(x, 64);
	cudaFreeHost(h);
}
CASE("managed memory after an event") {
	int *x;
	cudaEvent_t e;
	cudaEventCreate(&e);
	cudaMallocManaged(&x, 256);
	for (int i = 0; i < 64; i++) x[i] = i;
	add<<<1, 64>>>(x, 64);
	cudaEventRecord(e);
	cudaEventSynchronize(e);
	fprintf(stderr, "%d\n", x[3]);
	cudaEventDestroy(e);
	cudaFree(x);
}
CASE("polled flag") {
	volatile int *flag;
	int *x = zeros(1), *dev;
	cudaHostAlloc((void **)&flag, 4, cudaHostAllocMapped);
	*flag = 0;
	cudaHostGetDevicePointer((void **)&dev, (void *)flag, 0);
	notify<<<1, 1>>>(dev, x);
	while (!*flag) {}
	cudaDeviceSynchronize();
	take(x);
	cudaFreeHost((void *)flag);
}
CASE("struct of device pointers") {
	int *a = numbers(32), *b = zeros(32);
	two<<<1, 32>>>(Two{a, b, 32});
	cudaFree(a);
	take(b, 32);
}
CASE("array of device pointers") {
	int *r[4], **d;
	for (int i = 0; i < 4; i++) r[i] = zeros(32);
	cudaMalloc(&d, sizeof r);
	cudaMemcpy(d, r, sizeof r, cudaMemcpyHostToDevice);
	rows<<<4, 32>>>(d, 32);
	for (int i = 0; i < 4; i++) take(r[i], 32);
	cudaFree(d);
}
__global__ void square(double **r) { r[blockIdx.x][threadIdx.x] += 1; }
CASE("pointers to the rows of a square matrix") {
	double h[16 * 16] = {1}, *m, *r[16], **d;
	cudaMalloc(&m, sizeof h), cudaMalloc(&d, sizeof r);
	cudaMemcpy(m, h, sizeof h, cudaMemcpyHostToDevice);
	for (int i = 0; i < 16; i++) r[i] = m + 16 * i;
	cudaMemcpy(d, r, sizeof r, cudaMemcpyHostToDevice);
	square<<<16, 16>>>(d);
	cudaMemcpy(h, m, sizeof h, cudaMemcpyDeviceToHost);
	cudaFree(m), cudaFree(d);
}
CASE("a quarter of the elements into a block that has no room for more") {
	int *x = numbers(256), *quarter = new int[64];
	add<<<1, 256>>>(x, 256);
	cudaMemcpy(quarter, x, 64 * sizeof(int), cudaMemcpyDeviceToHost);
	delete[] quarter;
	cudaFree(x);
}
CASE("pitched there and back, and whole") {
	const int w = 100, h = 20;
	std::vector<float> v(w * h, 1);
	float *x, *y;
	size_t pitch;
	cudaMallocPitch(&x, &pitch, w * sizeof(float), h);
	cudaMallocPitch(&y, &pitch, w * sizeof(float), h);
	cudaMemcpy2D(x, pitch, v.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
	cudaMemcpy(y, x, pitch * h, cudaMemcpyDeviceToDevice);
	pitched<<<h, w>>>(y, pitch, w);
	cudaMemcpy2D(v.data(), w * sizeof(float), y, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
	cudaFree(x), cudaFree(y);
}
CASE("partial warp by ballot") {
	int *in = numbers(40), *out = zeros(2);
	partial<<<1, 64>>>(in, out, 40);
	take(out, 2);
	cudaFree(in);
}
CASE("constant in two halves") {
	float h[64], *x;
	for (int i = 0; i < 64; i++) h[i] = i;
	cudaMemcpyToSymbol(coef, h, 128);
	cudaMemcpyToSymbol(coef, h + 32, 128, 128);
	cudaMalloc(&x, 128);
	use_coef<<<1, 32>>>(x, 64);
	take((int *)x, 32);
}
CASE("legacy default stream") {
	int *x = zeros(64);
	cudaStream_t s;
	cudaStreamCreate(&s);
	cudaMemsetAsync(x, 0, 256);
	add<<<1, 64, 0, s>>>(x, 64);
	add<<<1, 64>>>(x, 64);
	cudaMemcpy(host, x, 256, cudaMemcpyDeviceToHost);
	cudaStreamDestroy(s);
	cudaFree(x);
}
CASE("registered memory") {
	std::vector<int> h(4096, 1);
	int *x = zeros(4096);
	cudaHostRegister(h.data(), h.size() * 4, cudaHostRegisterDefault);
	cudaMemcpyAsync(x, h.data(), h.size() * 4, cudaMemcpyHostToDevice, 0);
	add<<<16, 256>>>(x, 4096);
	cudaMemcpyAsync(h.data(), x, h.size() * 4, cudaMemcpyDeviceToHost, 0);
	cudaStreamSynchronize(0);
	cudaHostUnregister(h.data());
	fprintf(stderr, "%d\n", h[5]);
	cudaFree(x);
}
CASE("pool memory used again in its stream") {
	cudaStream_t s;
	cudaStreamCreate(&s);
	for (int k = 0; k < 3; k++) {
		int *x;
		cudaMallocAsync((void **)&x, 256, s);
		cudaMemsetAsync(x, 0, 256, s);
		add<<<1, 64, 0, s>>>(x, 64);
		cudaMemcpyAsync(host, x, 256, cudaMemcpyDeviceToHost, s);
		cudaFreeAsync(x, s);
	}
	cudaStreamSynchronize(s);
	cudaStreamDestroy(s);
}
CASE("cooperative grid by occupancy") {
	int blocks, sms, *x;
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, grid_sync, 64, 0);
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	int grid = blocks * sms < 8 ? blocks * sms : 8;
	x = zeros(grid * 64);
	void *args[] = {&x};
	cudaLaunchCooperativeKernel((void *)grid_sync, grid, 64, args, 0, 0);
	take(x, grid * 64);
}
CASE("address of a std::array and of a struct") {
	std::array<int, 64> a;
	a.fill(3);
	struct { int head, body[63]; } s = {1, {2}};
	int *x, *y, h[64];
	cudaMalloc(&x, sizeof a), cudaMalloc(&y, sizeof s);
	cudaMemcpy(x, &a, sizeof a, cudaMemcpyHostToDevice);
	cudaMemcpy(y, &s, sizeof s, cudaMemcpyHostToDevice);
	add<<<1, 64>>>(x, 64);
	add<<<1, 64>>>(y, 64);
	cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost);
	std::vector<int> v(64);
	cudaMemcpy(&v[0], y, 256, cudaMemcpyDeviceToHost);
	cudaMemcpy(&a, x, 256, cudaMemcpyDeviceToHost);
	cudaFree(x), cudaFree(y);
}
CASE("device counter by symbol") {
	int zero = 0, n = 0;
	cudaMemcpyToSymbol(counter, &zero, sizeof zero);
	count<<<4, 64>>>(200);
	cudaMemcpyFromSymbol(&n, counter, sizeof n);
	void *p;
	cudaGetSymbolAddress(&p, counter);
	cudaMemset(p, 0, 4);
	count<<<4, 64>>>(200);
	cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
	fprintf(stderr, "%d\n", n);
}
CASE("compaction, copied by its count") {
	int *in = numbers(256), *out, *n = zeros(1), h = 0;
	cudaMalloc(&out, 1024);
	compact<<<1, 256>>>(in, out, n);
	cudaMemcpy(&h, n, 4, cudaMemcpyDeviceToHost);
	cudaMemcpy(host, out, h * 4, cudaMemcpyDeviceToHost);
	cudaFree(in), cudaFree(out), cudaFree(n);
}
CASE("host to host, and default kinds") {
	std::vector<int> a(64, 1), b(64);
	int *x;
	cudaMalloc(&x, 256);
	cudaMemcpy(b.data(), a.data(), 256, cudaMemcpyHostToHost);
	cudaMemcpy(x, b.data(), 256, cudaMemcpyDefault);
	add<<<1, 64>>>(x, 64);
	cudaMemcpy(a.data(), x, 256, cudaMemcpyDefault);
	cudaFree(x);
}
CASE("threads with streams of their own") {
	std::vector<std::thread> t;
	for (int k = 0; k < 3; k++)
		t.emplace_back([] {
			cudaStream_t s;
			int *x, *h;
			cudaStreamCreate(&s);
			cudaMalloc(&x, 256), cudaMallocHost(&h, 256);
			cudaMemsetAsync(x, 0, 256, s);
			add<<<1, 64, 0, s>>>(x, 64);
			cudaMemcpyAsync(h, x, 256, cudaMemcpyDeviceToHost, s);
			cudaStreamSynchronize(s);
			if (h[0] != 1) puts("wrong");
			cudaFree(x), cudaFreeHost(h), cudaStreamDestroy(s);
		});
	for (auto &x : t) x.join();
}
CASE("eight bytes of a pinned heap block") {
	long *h = (long *)malloc(8), *x;
	*h = 5;
	cudaMalloc(&x, 8);
	cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
	cudaMemcpy(h, x, 8, cudaMemcpyDeviceToHost);
	cudaFree(x);
	free(h);
}

CASE("quarter of a constant array, of which no more is read") {
	float h[16] = {1, 2, 3}, *x;
	cudaMemcpyToSymbol(coef, h, 16 * sizeof(float));
	cudaMalloc(&x, 128);
	use_coef<<<1, 32>>>(x, 16);
	take((int *)x, 32);
}
__global__ void columns(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); }
CASE("array in quarters of its columns") {
	const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
	cudaArray_t array;
	cudaTextureObject_t t;
	cudaResourceDesc of = {};
	const cudaTextureDesc how = {};
	cudaMallocArray(&array, &floats, 64, 4);
	for (int k = 0; k < 4; k++) cudaMemcpy2DToArray(array, 64 * k, 0, host + 16 * k, 256, 64, 4, cudaMemcpyHostToDevice);
	of.resType = cudaResourceTypeArray, of.res.array.array = array;
	cudaCreateTextureObject(&t, &of, &how, nullptr);
	int *out = zeros(64);
	columns<<<1, 64>>>(t, (float *)out);
	take(out, 64);
	cudaDestroyTextureObject(t), cudaFreeArray(array);
}
__global__ void vote_after_return(const int *in, int *out, int n) {
	if (threadIdx.x >= n) return;
	out[threadIdx.x] = __any_sync(0xffffffff, in[threadIdx.x] == 3);
}
CASE("vote after some lanes have returned") {
	int *in = numbers(64), *out = zeros(64);
	vote_after_return<<<1, 64>>>(in, out, 40);
	take(out, 40);
	cudaFree(in);
}
__global__ void vote_in_even_loop(int *out, int n) {
	int all = 0;
	for (int i = 0; i < n; i++) all += __any_sync(0xffffffff, threadIdx.x == i);
	out[threadIdx.x] = all;
}
CASE("vote in a loop of the same length") {
	int *out = zeros(32);
	vote_in_even_loop<<<1, 32>>>(out, 20);
	take(out, 32);
}
CASE("parts of blocks of malloc and of local arrays") {
	std::vector<std::vector<int>> rows(4, std::vector<int>(64, 2));
	int local[256] = {0}, *heap = new int[100000]();
	std::vector<int *> many;
	for (int i = 0; i < 1000; i++) many.push_back(new int[i + 1]());
	int *x = zeros(256);
	for (auto &row : rows) cudaMemcpy(x, row.data(), row.size() * sizeof(int), cudaMemcpyHostToDevice);
	for (int i = 0; i < 1000; i += 100) cudaMemcpy(x, many[i], (i + 1 < 256 ? i + 1 : 256) * sizeof(int), cudaMemcpyHostToDevice);
	cudaMemcpy(x + 1, &local[1], 255 * sizeof(int), cudaMemcpyHostToDevice);
	cudaMemcpy(&local[128], x, 128 * sizeof(int), cudaMemcpyDeviceToHost);
	cudaMemcpy(heap + 99000, x, 256 * sizeof(int), cudaMemcpyDeviceToHost);
	cudaMemcpy2D(local, 16 * sizeof(int), x, 16 * sizeof(int), 4 * sizeof(int), 16, cudaMemcpyDeviceToHost);
	for (int *p : many) delete[] p;
	delete[] heap;
	cudaFree(x);
}
struct Node { Node *first, *second, *third; int value; };
CASE("structures with pointers of the host") {
	Node n = {new Node(), nullptr, nullptr, 1}, back;
	Node *d;
	cudaMalloc(&d, sizeof n);
	cudaMemcpy(d, &n, sizeof n, cudaMemcpyHostToDevice);
	cudaMemcpy(&back, d, sizeof n, cudaMemcpyDeviceToHost);
	delete n.first;
	cudaFree(d);
}
static void in_thread(int *x) {
	int local[64] = {1};
	std::vector<int> v(64, 1);
	cudaMemcpy(x, local, sizeof local, cudaMemcpyHostToDevice);
	cudaMemcpy(v.data(), x, sizeof local, cudaMemcpyDeviceToHost);
}
CASE("local arrays of another thread") {
	int *x = zeros(64), local[64] = {2};
	std::thread(in_thread, x).join();
	std::thread([&] { cudaMemcpy(local, x, sizeof local, cudaMemcpyDeviceToHost); }).join();
	cudaFree(x);
}
__managed__ int shown[64];
__global__ void show(int *x) { shown[2 * threadIdx.x] = x[threadIdx.x]; }
__global__ void add_one(int *x) { x[threadIdx.x] += 1; }
CASE("managed variable beside two streams") {
	int *x = zeros(32), *y = zeros(32);
	cudaStream_t a, b;
	cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	add_one<<<1, 32, 0, a>>>(x), add_one<<<1, 32, 0, b>>>(y);
	cudaDeviceSynchronize();
	show<<<1, 32>>>(x);
	for (int i = 1; i < 64; i += 2) shown[i] = i;
	cudaDeviceSynchronize();
	printf("%d\n", shown[0] + shown[63]);
	cudaStreamDestroy(a), cudaStreamDestroy(b);
	take(x, 32), take(y, 32);
}

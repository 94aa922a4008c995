// Operations of streams that touch the same memory. The argument says which, and what orders them; those whose name
// begins with "no " are ordered by nothing.
#include <cstdio>
#include <cstring>

enum { N = 64 };

__global__ void fill(int *a, int value) {
	a[threadIdx.x] = value;
}

__global__ void add(int *a, const int *b) {
	a[threadIdx.x] += b[threadIdx.x];
}

__global__ void count(int *a) {
	atomicAdd(a, 1);
}

static int *a, *b, *pinned;
static cudaStream_t first, second, apart;
static cudaEvent_t event;

static void let_wait(cudaStream_t waits, cudaStream_t goes_before) {
	cudaEventRecord(event, goes_before);
	cudaStreamWaitEvent(waits, event, 0);
}

static void run(const char *what) {
	const auto is = [&](const char *name) { return !strcmp(what, name); };
	int pageable[N] = {0};
	if (is("event") || is("no event")) {
		fill<<<1, N, 0, first>>>(a, 1);
		if (is("event")) let_wait(second, first);
		add<<<1, N, 0, second>>>(b, a);
	}
	if (is("chain")) { // first, second, apart
		fill<<<1, N, 0, first>>>(a, 1);
		let_wait(second, first);
		fill<<<1, N, 0, second>>>(b, 1);
		let_wait(apart, second);
		add<<<1, N, 0, apart>>>(b, a);
	}
	if (is("no event in time")) { // it is recorded before what it is for
		cudaEventRecord(event, first);
		fill<<<1, N, 0, first>>>(a, 1);
		cudaStreamWaitEvent(second, event, 0);
		add<<<1, N, 0, second>>>(b, a);
	}
	if (is("halves")) {
		fill<<<1, N / 2, 0, first>>>(a, 1);
		fill<<<1, N / 2, 0, second>>>(a + N / 2, 2);
	}
	if (is("readers")) {
		add<<<1, N, 0, first>>>(b, a);
		add<<<1, N, 0, second>>>(b + N, a);
	}
	if (is("atomics")) {
		count<<<1, N, 0, first>>>(a);
		count<<<1, N, 0, second>>>(a);
	}
	if (is("no atomics")) {
		count<<<1, N, 0, first>>>(a);
		fill<<<1, 1, 0, second>>>(a, 0);
	}
	if (is("host") || is("no host")) {
		fill<<<1, N, 0, first>>>(a, 1);
		if (is("host")) cudaStreamSynchronize(first);
		add<<<1, N, 0, second>>>(b, a);
	}
	if (is("default") || is("no default")) { // the default stream waits for streams but those apart
		fill<<<1, N, 0, is("default") ? first : apart>>>(a, 1);
		add<<<1, N>>>(b, a);
	}
	if (is("copy") || is("no copy")) {
		cudaMemcpyAsync(a, pinned, N * sizeof(int), cudaMemcpyHostToDevice, first);
		if (is("copy")) let_wait(second, first);
		add<<<1, N, 0, second>>>(b, a);
	}
	if (is("no copy back")) {
		fill<<<1, N, 0, apart>>>(a, 1);
		cudaMemcpy(pageable, a, sizeof pageable, cudaMemcpyDeviceToHost);
	}
	if (is("no rows")) {
		fill<<<1, 1, 0, first>>>(a + 33, 1);
		cudaMemset2DAsync(a + 1, 32 * sizeof(int), 0, 4, 2, second);
	}
	if (is("rows")) {
		fill<<<1, 1, 0, first>>>(a + 34, 1);
		cudaMemset2DAsync(a + 1, 32 * sizeof(int), 0, 4, 2, second);
	}
	if (is("memory again")) { // what is freed may come back
		int *c, *d;
		cudaMallocAsync(&c, N * sizeof(int), first);
		fill<<<1, N, 0, first>>>(c, 1);
		cudaFreeAsync(c, first);
		cudaMallocAsync(&d, N * sizeof(int), second);
		fill<<<1, N, 0, second>>>(d, 1);
		cudaFreeAsync(d, second);
	}
	if (is("no event before a free") || is("event before a free")) {
		int *c;
		cudaMallocAsync(&c, N * sizeof(int), first);
		fill<<<1, N, 0, first>>>(c, 1);
		if (is("event before a free")) let_wait(second, first);
		cudaFreeAsync(c, second);
	}
	if (is("no event after an allocation") || is("event after an allocation")) {
		int *c;
		cudaMallocAsync(&c, N * sizeof(int), first);
		if (is("event after an allocation")) let_wait(second, first);
		fill<<<1, N, 0, second>>>(c, 1);
		cudaFreeAsync(c, second);
	}
	if (is("no wait before a free") || is("wait before a free")) { // cudaFree does not wait for memory of a pool
		int *c;
		cudaMallocAsync(&c, N * sizeof(int), 0);
		fill<<<1, N>>>(c, 1);
		if (is("wait before a free")) cudaStreamSynchronize(0);
		cudaFree(c);
	}
	if (is("many streams")) { // more than are compared
		static cudaStream_t more[300];
		fill<<<1, N, 0, first>>>(a, 1);
		fill<<<1, N, 0, second>>>(b, 1);
		for (cudaStream_t &one : more) cudaStreamCreate(&one);
		fill<<<1, N, 0, first>>>(a, 1);
	}
	if (is("told")) { // by a host function
		static volatile bool done;
		done = false;
		fill<<<1, N, 0, first>>>(a, 1);
		cudaLaunchHostFunc(first, [](void *) { done = true; }, nullptr);
		while (!done) cudaStreamQuery(second);
		add<<<1, N, 0, second>>>(b, a);
	}
	cudaDeviceSynchronize();
}

int main(int argc, char **argv) {
	cudaMalloc(&a, 4 * N * sizeof(int));
	cudaMalloc(&b, 4 * N * sizeof(int));
	cudaMemset(a, 0, 4 * N * sizeof(int));
	cudaMemset(b, 0, 4 * N * sizeof(int));
	cudaMallocHost(&pinned, 4 * N * sizeof(int));
	memset(pinned, 0, 4 * N * sizeof(int));
	cudaStreamCreate(&first);
	cudaStreamCreate(&second);
	cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
	cudaEventCreate(&event);
	for (int turn = 0; turn < 2; turn++) run(argv[1]);
	printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

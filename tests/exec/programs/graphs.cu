// Graphs: captured from two streams, and made of nodes; launched again with other parameters.
#include <cctype>
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>

static int failures;

static void expect(const char *what, int got, int want) {
	if (got != want) printf("%s: %d, not %d\n", what, got, want), failures++;
}

static void fine(cudaError_t error) {
	if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error)), failures++;
}

__global__ void add(int *at, int n) {
	*at += n;
}

__global__ void twice(int *to, const int *from) {
	*to = 2 * *from;
}

__device__ int ticks;
__global__ void tick() {
	ticks++;
}

static void count(void *calls) {
	++*(int *)calls;
}

static int value(const int *at) {
	int v = 0;
	fine(cudaMemcpy(&v, at, sizeof v, cudaMemcpyDefault));
	return v;
}

// What the stream is captured into, and after how many nodes its next one comes; -1: it is not captured.
static int next_after(cudaStream_t stream, unsigned long long *id, cudaGraph_t *graph) {
	cudaStreamCaptureStatus status;
	const cudaGraphNode_t *nodes = NULL;
	size_t n = 0;
	cudaGraphNodeType type;
#if CUDART_VERSION >= 13000
	const cudaGraphEdgeData *edges;
	fine(cudaStreamGetCaptureInfo(stream, &status, id, graph, &nodes, &edges, &n));
#else
	fine(cudaStreamGetCaptureInfo(stream, &status, id, graph, &nodes, &n));
#endif
	if (status == cudaStreamCaptureStatusNone) return -1;
	for (size_t i = 0; i < n; i++) fine(cudaGraphNodeGetType(nodes[i], &type));
	return (int)n;
}

static void captured(int *a, int *b) {
	cudaStream_t s, t;
	cudaEvent_t forked, joined;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamCaptureStatus status;
	size_t nodes = 0;
	int calls = 0, source = 5;
	unsigned long long id = 0, second = 0;
	cudaGraph_t into = NULL, other = NULL;
	fine(cudaStreamCreate(&s)), fine(cudaStreamCreate(&t));
	fine(cudaEventCreate(&forked)), fine(cudaEventCreate(&joined));
	expect("not captured yet", next_after(s, &id, &into), -1);
	fine(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	expect("the first node", next_after(s, &id, &into), 0);
	fine(cudaMemcpyAsync(a, &source, sizeof source, cudaMemcpyHostToDevice, s));
	fine(cudaEventRecord(forked, s));
	fine(cudaStreamWaitEvent(t, forked, 0));
	fine(cudaStreamIsCapturing(t, &status));
	expect("the second stream is captured along", status, cudaStreamCaptureStatusActive);
	expect("the second node", next_after(t, &second, &other), 1);
	expect("one capture", id && id == second && into && into == other, 1);
	twice<<<1, 1, 0, t>>>(b, a);
	fine(cudaEventRecord(joined, t));
	fine(cudaStreamWaitEvent(s, joined, 0));
	add<<<1, 1, 0, s>>>(b, 1);
	fine(cudaLaunchHostFunc(s, count, &calls));
	fine(cudaStreamEndCapture(s, &graph));
	expect("the captured graph", graph == into, 1);
	fine(cudaStreamIsCapturing(t, &status));
	expect("capture ends for both", status, cudaStreamCaptureStatusNone);
	fine(cudaGraphGetNodes(graph, NULL, &nodes));
	expect("nodes", (int)nodes, 4);
	fine(cudaGraphInstantiate(&exec, graph, 0));
	fine(cudaGraphDestroy(graph));
	expect("nothing ran so far", value(b), 0);
	for (source = 6; source < 9; source++) fine(cudaGraphLaunch(exec, s)), fine(cudaStreamSynchronize(s));
	expect("the host's memory is read when it is launched", value(b), 17);
	expect("host functions", calls, 3);
	fine(cudaGraphExecDestroy(exec));
	fine(cudaStreamDestroy(s)), fine(cudaStreamDestroy(t));
}

static cudaStream_t captures(unsigned flags, cudaStreamCaptureMode mode) {
	cudaStream_t s;
	fine(cudaStreamCreateWithFlags(&s, flags));
	fine(cudaStreamBeginCapture(s, mode));
	return s;
}

static int ends(const char *what, cudaStream_t s, cudaError_t want) {
	cudaGraph_t graph = NULL;
	size_t nodes = 0;
	expect(what, cudaStreamEndCapture(s, &graph), want);
	expect(what, graph != NULL, want == cudaSuccess);
	if (graph) fine(cudaGraphGetNodes(graph, NULL, &nodes)), fine(cudaGraphDestroy(graph));
	fine(cudaStreamDestroy(s));
	return (int)nodes;
}

static cudaStream_t s, t;                // captured; of the same kind, and not captured at first
static cudaEvent_t e, old, idle;         // new; recorded before; never recorded
static int *d, *h, *own, *plain, heap[2048]; // of the device; pinned; of the cases
static cudaArray_t array, other;
static cudaGraph_t graph, ended;
static cudaGraphExec_t ready, full;
static cudaMemPool_t pool;
static cudaStreamCaptureStatus status;
static unsigned long long id;
static size_t pitch;
static const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};

static cudaError_t ticks_in(cudaStream_t stream) {
	cudaGetLastError(), tick<<<1, 1, 0, stream>>>();
	return cudaGetLastError();
}

static cudaError_t calls_back(cudaStream_t stream) {
	return cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void *) {}, NULL, 0);
}

static cudaError_t box(bool async, cudaStream_t stream) {
	cudaMemcpy3DParms p = {};
	p.srcPtr = p.dstPtr = make_cudaPitchedPtr(d, 4, 4, 1), p.extent = make_cudaExtent(4, 1, 1), p.kind = cudaMemcpyDeviceToDevice;
	return async ? cudaMemcpy3DAsync(&p, stream) : cudaMemcpy3D(&p);
}

static cudaError_t recorded(cudaError_t (*then)()) {
	fine(cudaEventRecord(e, s));
	return then();
}

static cudaError_t forked(cudaError_t (*then)()) {
	fine(cudaEventRecord(e, s)), fine(cudaStreamWaitEvent(t, e, 0));
	return then();
}

static cudaError_t elsewhere(cudaError_t (*call)()) {
	cudaError_t error;
	std::thread([&] { error = call(); }).join();
	return error;
}

static cudaError_t in_mode(cudaStreamCaptureMode mode, cudaError_t (*call)()) {
	fine(cudaThreadExchangeStreamCaptureMode(&mode));
	const cudaError_t error = call();
	fine(cudaThreadExchangeStreamCaptureMode(&mode));
	return error;
}

#define THEN(...) [] { return __VA_ARGS__; }
#define CALL(want, ...) {#__VA_ARGS__, want, 0, THEN(__VA_ARGS__)}
#define APART(want, ...) {#__VA_ARGS__, want, cudaStreamNonBlocking, THEN(__VA_ARGS__)}
#define GLOBAL cudaStreamCaptureModeGlobal

// What an H200 does (driver 580) in a capture that is global, of the thread, and relaxed: a number is success, and so many
// nodes in the graph; a letter is the error, and a capital one makes the capture invalid; a space: not measured.
static const struct {
	const char *call, *want;
	unsigned flags;
	cudaError_t (*make)();
} cases[] = {
	CALL("1", ticks_in(s)), CALL("III", ticks_in(0)), APART("0", ticks_in(0)),
	CALL("s", cudaStreamBeginCapture(s, GLOBAL)), CALL("I I", cudaStreamBeginCapture(0, GLOBAL)), APART("u", cudaStreamBeginCapture(0, GLOBAL)),
	CALL("s", cudaStreamEndCapture(t, &ended)), CALL("I I", cudaStreamEndCapture(0, &ended)), APART("s", cudaStreamEndCapture(0, &ended)),
	CALL("M M", forked(THEN(cudaStreamEndCapture(t, &ended)))), CALL("s", forked(THEN(cudaStreamBeginCapture(t, GLOBAL)))), CALL("0", forked(THEN(cudaStreamDestroy(t)))),
	CALL("i i", cudaStreamIsCapturing(0, &status)), APART("0", cudaStreamIsCapturing(0, &status)),
	CALL("UUU", cudaStreamSynchronize(s)), CALL("III", cudaStreamSynchronize(0)), CALL("UU0", cudaStreamSynchronize(t)), APART("U 0", cudaStreamSynchronize(0)),
	CALL("UUU", cudaStreamQuery(s)), CALL("I", cudaStreamQuery(0)), CALL("UU0", cudaStreamQuery(t)), APART("U", cudaStreamQuery(0)),
	CALL("U U", cudaDeviceSynchronize()), APART("UUU", cudaDeviceSynchronize()),
	CALL("III", cudaMemcpy(h, d, 4, cudaMemcpyDefault)), APART("0", cudaMemcpy(h, d, 4, cudaMemcpyDefault)), CALL("I", cudaMemcpy(h, heap, 4, cudaMemcpyHostToHost)),
	CALL("III", cudaMemset(d, 0, 4)), APART("000", cudaMemset(d, 0, 4)), CALL("I", cudaMemsetAsync(d, 0, 4, 0)),
	CALL("1", cudaMemcpyAsync(heap, d, 4, cudaMemcpyDefault, s)), CALL("0", cudaMemcpyAsync(d, h, 4, cudaMemcpyDefault, t)), CALL("I", cudaMemcpyAsync(d, h, 4, cudaMemcpyDefault, 0)),
	CALL("I", cudaMemcpyToSymbol(ticks, h, 4)), APART("0", cudaMemcpyToSymbol(ticks, h, 4)), CALL("I", cudaMemcpyFromSymbol(h, ticks, 4)),
	CALL("1", cudaMemcpyToSymbolAsync(ticks, h, 4, 0, cudaMemcpyDefault, s)), CALL("I", cudaMemcpyToSymbolAsync(ticks, h, 4, 0, cudaMemcpyDefault, 0)),
	CALL("1", cudaMemcpyFromSymbolAsync(h, ticks, 4, 0, cudaMemcpyDefault, s)),
	CALL("1", box(true, s)), CALL("0", box(true, t)), CALL("I", box(false, 0)), APART("0", box(false, 0)),
	CALL("1", cudaMemset3DAsync(make_cudaPitchedPtr(d, 4, 4, 1), 0, make_cudaExtent(4, 1, 1), s)), CALL("I", cudaMemset3D(make_cudaPitchedPtr(d, 4, 4, 1), 0, make_cudaExtent(4, 1, 1))),
	CALL("1", cudaMemcpy2DToArrayAsync(array, 0, 0, h, 4, 4, 1, cudaMemcpyHostToDevice, s)), CALL("I", cudaMemcpy2DToArray(array, 0, 0, h, 4, 4, 1, cudaMemcpyHostToDevice)),
	CALL("1", cudaMemcpy2DFromArrayAsync(h, 4, array, 0, 0, 4, 1, cudaMemcpyDeviceToHost, s)),
	APART("UU0", cudaMalloc(&own, 4)), CALL("UU0", cudaFree(own)), CALL("UU0", cudaFree(NULL)), CALL("000", cudaMalloc(&own, 0)), CALL("v", cudaMalloc((void **)NULL, 4)),
	CALL("U", cudaMallocHost(&own, 4)), CALL("U", cudaFreeHost(NULL)), CALL("U", cudaMallocManaged(&own, 4)), CALL("U", cudaMallocPitch(&own, &pitch, 16, 2)),
	CALL("U", cudaMallocArray(&other, &format, 16)), CALL("U", cudaFreeArray(array)), CALL("0", cudaFreeArray(NULL)),
	CALL("U", cudaHostRegister(heap, 4096, 0)), CALL("U", cudaHostUnregister(heap)),
	CALL("1", cudaMallocAsync(&own, 4, s)), CALL("UU0", cudaMallocAsync(&own, 4, t)), CALL("I I", cudaMallocAsync(&own, 4, 0)), APART("U", cudaMallocAsync(&own, 4, 0)), CALL("0", cudaMallocAsync(&own, 0, s)),
	CALL("v", cudaFreeAsync(d, s)), CALL("U", cudaFreeAsync(d, t)), CALL("I", cudaFreeAsync(d, 0)), CALL("v", cudaFreeAsync(heap, s)), CALL("v", cudaFreeAsync(plain, s)), CALL("0", cudaFreeAsync(NULL, s)),
	CALL("2", (fine(cudaMallocAsync(&own, 4, s)), cudaFreeAsync(own, s))), CALL("U", (fine(cudaMallocAsync(&own, 4, s)), cudaFree(own))),
	CALL("0", cudaDeviceGetDefaultMemPool(&pool, 0)), CALL("UU0", cudaMemPoolTrimTo(pool, 0)), CALL("U", cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &id)), CALL("U", cudaDeviceSetMemPool(0, pool)),
	CALL("UU0", cudaEventQuery(old)), CALL("U", cudaEventQuery(idle)), CALL("UU0", cudaEventSynchronize(old)), CALL("U", cudaEventSynchronize(idle)),
	CALL("0", cudaEventElapsedTime((float *)heap, old, old)), CALL("I", cudaEventRecord(e, 0)), CALL("0", cudaEventRecord(e, t)),
	CALL("E E", recorded(THEN(cudaEventQuery(e)))), CALL("EEE", recorded(THEN(cudaEventSynchronize(e)))), CALL("e e", recorded(THEN(cudaEventElapsedTime((float *)heap, e, e)))),
	CALL("I", recorded(THEN(cudaStreamWaitEvent(0, e, 0)))), CALL("0", recorded(THEN(cudaEventDestroy(e)))), CALL("1", recorded(THEN(cudaStreamWaitEvent(s, e, cudaEventWaitExternal)))),
	CALL("LLL", cudaStreamWaitEvent(s, old, 0)), CALL("0", cudaStreamWaitEvent(s, idle, 0)), CALL("0", cudaStreamWaitEvent(t, old, 0)), CALL("I", cudaStreamWaitEvent(0, old, 0)),
	CALL("1", cudaStreamWaitEvent(s, old, cudaEventWaitExternal)), CALL("1", cudaStreamWaitEvent(s, idle, cudaEventWaitExternal)), CALL("s", cudaStreamWaitEvent(t, old, cudaEventWaitExternal)),
	CALL("1", cudaEventRecordWithFlags(old, s, cudaEventRecordExternal)), CALL("s", cudaEventRecordWithFlags(e, t, cudaEventRecordExternal)), CALL("I", cudaEventRecordWithFlags(e, 0, cudaEventRecordExternal)),
	CALL("1", cudaLaunchHostFunc(s, count, heap)), CALL("I", cudaLaunchHostFunc(0, count, heap)), CALL("UUU", calls_back(s)), CALL("0", calls_back(t)), CALL("I", calls_back(0)),
	CALL("UUU", cudaStreamAttachMemAsync(s, d, 0, cudaMemAttachGlobal)), CALL("U", cudaStreamAttachMemAsync(t, d, 0, cudaMemAttachGlobal)), CALL("I", cudaStreamAttachMemAsync(0, d, 0, cudaMemAttachGlobal)),
	CALL("UUU", cudaGraphLaunch(ready, s)), CALL("UUU", cudaGraphLaunch(full, s)), CALL("0", cudaGraphLaunch(full, t)), CALL("I", cudaGraphLaunch(ready, 0)),
	CALL("U", cudaGraphUpload(ready, s)), CALL("0", cudaGraphUpload(ready, t)), CALL("I", cudaGraphUpload(ready, 0)), CALL("UU0", cudaGraphInstantiate(&ready, graph, 0)), CALL("U", cudaGraphExecDestroy(ready)),
	CALL("UUU", cudaStreamGetId(s, &id)), CALL("0", cudaStreamGetId(t, &id)), CALL("I", cudaStreamGetId(0, &id)), CALL("v", cudaStreamGetId(s, NULL)), CALL("U", cudaStreamGetFlags(s, (unsigned *)heap)), CALL("0", cudaStreamGetPriority(s, heap)),
	CALL("UU0", cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 21)), CALL("U", cudaDeviceSetCacheConfig(cudaFuncCachePreferL1)), CALL("0", cudaMemGetInfo(&pitch, &pitch)),
	CALL("U", (cudaDeviceSynchronize(), cudaMalloc(&own, 4))), CALL("U", (cudaDeviceSynchronize(), cudaStreamSynchronize(s))), CALL("U", (cudaDeviceSynchronize(), calls_back(s))),
	CALL("D", (cudaDeviceSynchronize(), cudaEventRecord(e, s))), CALL("0", in_mode(cudaStreamCaptureModeRelaxed, THEN(cudaMalloc(&own, 4)))), CALL("0", in_mode(cudaStreamCaptureModeRelaxed, THEN(cudaStreamSynchronize(t)))),
	CALL("1", elsewhere(THEN(ticks_in(s)))), CALL("U00", elsewhere(THEN(cudaMalloc(&own, 4)))), CALL(" U", elsewhere(THEN(cudaDeviceSynchronize()))), CALL(" I", elsewhere(THEN(ticks_in(0)))),
	CALL(" 0", elsewhere(THEN(cudaEventQuery(old)))), CALL("U0", elsewhere(THEN(cudaStreamSynchronize(t)))), CALL(" UU", elsewhere(THEN(cudaStreamSynchronize(s)))),
	CALL(" U", elsewhere(THEN(calls_back(s)))), CALL("M", forked(THEN(elsewhere(THEN(cudaStreamEndCapture(t, &ended)))))),
	CALL("0", elsewhere(THEN(in_mode(cudaStreamCaptureModeThreadLocal, THEN(cudaMalloc(&own, 4)))))),
};

static cudaError_t error_of(char letter) {
	switch (toupper(letter)) {
	case 'D': return cudaErrorStreamCaptureInvalidated;
	case 'E': return cudaErrorCapturedEvent;
	case 'I': return cudaErrorStreamCaptureImplicit;
	case 'L': return cudaErrorStreamCaptureIsolation;
	case 'M': return cudaErrorStreamCaptureUnmatched;
	case 'S': return cudaErrorIllegalState;
	case 'U': return cudaErrorStreamCaptureUnsupported;
	case 'V': return cudaErrorInvalidValue;
	default: return cudaSuccess;
	}
}

static void while_captured() {
	cudaGraph_t one;
	fine(cudaMallocHost(&h, 4)), fine(cudaMallocArray(&array, &format, 16)), fine(cudaMallocAsync(&plain, 4, 0));
	fine(cudaEventCreate(&old)), fine(cudaEventCreate(&idle)), fine(cudaEventRecord(old));
	fine(cudaGraphCreate(&graph, 0)), fine(cudaGraphInstantiate(&ready, graph, 0));
	s = captures(0, GLOBAL), fine(ticks_in(s)), fine(cudaStreamEndCapture(s, &one)), fine(cudaGraphInstantiate(&full, one, 0));
	for (const auto &c : cases) {
		for (int mode = 0; c.want[mode]; mode++) {
			const char want = c.want[mode];
			if (want == ' ') continue;
			fine(cudaStreamCreateWithFlags(&t, c.flags)), fine(cudaEventCreate(&e));
			s = captures(c.flags, (cudaStreamCaptureMode)mode);
			const cudaStream_t captured = s;
			cudaStreamCaptureStatus now;
			expect(c.call, c.make(), error_of(want));
			const bool invalid = isupper(want);
			fine(cudaStreamIsCapturing(captured, &now));
			expect(c.call, now, invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive);
			if (invalid) expect(c.call, cudaMemsetAsync(d, 0, 4, captured), cudaErrorStreamCaptureInvalidated);
			expect(c.call, ends(c.call, captured, invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess), isdigit(want) ? want - '0' : 0);
		}
	}
	cudaGetLastError();
}

#if CUDART_VERSION >= 13000
#define PREFETCH(at, bytes, stream) cudaMemPrefetchAsync(at, bytes, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, stream)
#else
#define PREFETCH(at, bytes, stream) cudaMemPrefetchAsync(at, bytes, 0, stream)
#endif

static void ends_of_captures(int *a) {
	cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
	fine(cudaThreadExchangeStreamCaptureMode(&mode)), expect("the mode before", mode, GLOBAL);
	fine(cudaThreadExchangeStreamCaptureMode(&mode));
	s = captures(0, GLOBAL), t = captures(0, GLOBAL);
	cudaStream_t fork;
	fine(cudaStreamCreate(&fork));
	fine(cudaEventRecord(e, s)), fine(cudaStreamWaitEvent(fork, e, 0));
	add<<<1, 1, 0, fork>>>(a, 1);
	ends("a fork without a join", s, cudaErrorStreamCaptureUnjoined);
	fine(cudaEventRecord(e, t)), fine(cudaStreamWaitEvent(fork, e, 0));
	s = captures(0, GLOBAL);
	expect("two captures", cudaStreamWaitEvent(s, e, 0), cudaErrorStreamCaptureMerge);
	ends("one", s, cudaErrorStreamCaptureInvalidated), ends("the other", t, cudaErrorStreamCaptureInvalidated);
	expect("no capture", cudaStreamEndCapture(fork, NULL), cudaErrorIllegalState);
	expect("the default stream", cudaStreamBeginCapture(0, GLOBAL), cudaErrorStreamCaptureUnsupported);
	for (cudaStreamCaptureMode m : {GLOBAL, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
		s = captures(0, m);
		expect("the end in another thread", elsewhere(THEN(cudaStreamEndCapture(s, &ended))), m == cudaStreamCaptureModeRelaxed ? cudaSuccess : cudaErrorStreamCaptureWrongThread);
		ends("the end after it", s, cudaErrorIllegalState);
	}
	s = captures(0, GLOBAL);
	fine(cudaMemcpyPeerAsync(a, 0, a, 0, 4, s));
	expect("a copy between devices is a node", ends("it", s, cudaSuccess), 1);
	s = captures(0, GLOBAL);
	expect("a prefetch is none", PREFETCH(h, 4, s), cudaErrorStreamCaptureUnsupported);
	ends("it", s, cudaErrorStreamCaptureInvalidated);
	fine(cudaStreamDestroy(captures(0, GLOBAL))); // with its capture
	fine(cudaDeviceSynchronize());
	cudaGetLastError();
}

// An event that a graph records for others, and one that it waits for.
static void external_events(int *a, int *b, bool wrong) {
	cudaEvent_t before, after;
	cudaGraphExec_t exec;
	const int five = 5;
	fine(cudaEventCreate(&before)), fine(cudaEventCreate(&after)), fine(cudaStreamCreate(&t));
	s = captures(cudaStreamNonBlocking, GLOBAL);
	fine(cudaStreamWaitEvent(s, before, cudaEventWaitExternal));
	twice<<<1, 1, 0, s>>>(b, a);
	fine(cudaEventRecordWithFlags(after, s, cudaEventRecordExternal));
	fine(cudaStreamEndCapture(s, &graph)), fine(cudaGraphInstantiate(&exec, graph, 0));
	fine(cudaMemcpyAsync(a, &five, sizeof five, cudaMemcpyDefault, t)), fine(cudaEventRecord(before, t));
	fine(cudaGraphLaunch(exec, s));
	fine(cudaStreamWaitEvent(t, after, 0));
	add<<<1, 1, 0, t>>>(b, 1);
	fine(cudaStreamSynchronize(t)), fine(cudaEventSynchronize(after));
	expect("events outside of a graph", value(b), 11);
	fine(cudaEventDestroy(before)), fine(cudaEventDestroy(after));
	if (wrong) fine(cudaGraphLaunch(exec, s)), fine(cudaStreamSynchronize(s)); // without them, which may end a program
	fine(cudaGraphExecDestroy(exec)), fine(cudaGraphDestroy(graph));
}

// Nodes that are added in another order than they depend on each other.
static void later_dependencies(int *a, int *b) {
	cudaGraph_t graph;
	cudaGraphExec_t exec, other;
	cudaGraphNode_t doubles, sets, last;
	void *args[] = {&b, &a};
	cudaMemsetParams five = {};
	five.dst = a, five.elementSize = 4, five.width = 1, five.height = 1, five.value = 5;
	cudaKernelNodeParams launch = {};
	launch.func = (void *)twice, launch.gridDim = launch.blockDim = dim3(1), launch.kernelParams = args;
	fine(cudaGraphCreate(&graph, 0));
	fine(cudaGraphAddKernelNode(&doubles, graph, NULL, 0, &launch));
	fine(cudaGraphAddEmptyNode(&last, graph, &doubles, 1));
	fine(cudaGraphAddMemsetNode(&sets, graph, NULL, 0, &five));
#if CUDART_VERSION >= 13000
	const auto depend = [&](cudaGraphNode_t *from, cudaGraphNode_t *to) { return cudaGraphAddDependencies(graph, from, to, NULL, 1); };
#else
	const auto depend = [&](cudaGraphNode_t *from, cudaGraphNode_t *to) { return cudaGraphAddDependencies(graph, from, to, 1); };
#endif
	fine(depend(&sets, &doubles));
	expect("the same again", depend(&sets, &doubles), cudaErrorInvalidValue);
	fine(cudaGraphInstantiate(&exec, graph, 0)), fine(cudaGraphLaunch(exec, 0));
	expect("what comes later in the list is done before", value(b), 10);
	fine(depend(&last, &sets));
	expect("a cycle", cudaGraphInstantiate(&other, graph, 0), cudaErrorInvalidValue);
	cudaGetLastError();
	fine(cudaGraphExecDestroy(exec)), fine(cudaGraphDestroy(graph));
}

static void of_nodes(int *a, int *b) {
	cudaGraph_t graph, outer;
	cudaGraphExec_t exec;
	cudaGraphNode_t fill, kernel, copy, child;
	int n = 3, result = 0;
	void *args[] = {&a, &n};
	cudaMemsetParams zero = {};
	zero.dst = a, zero.elementSize = 4, zero.width = 1, zero.height = 1, zero.value = 100;
	cudaKernelNodeParams launch = {};
	launch.func = (void *)add, launch.gridDim = launch.blockDim = dim3(1), launch.kernelParams = args;
	fine(cudaGraphCreate(&graph, 0));
	fine(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &zero));
	fine(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
	fine(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, &result, a, sizeof result, cudaMemcpyDeviceToHost));
	cudaKernelNodeParams bare = {};
	bare.func = (void *)tick, bare.gridDim = bare.blockDim = dim3(1);
	fine(cudaGraphAddKernelNode(&child, graph, NULL, 0, &bare));
	fine(cudaLaunchKernel((void *)tick, dim3(1), dim3(1), NULL, 0, 0));
	fine(cudaGraphCreate(&outer, 0));
	fine(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph));
	fine(cudaGraphInstantiate(&exec, graph, 0));
	fine(cudaGraphLaunch(exec, 0)), fine(cudaDeviceSynchronize());
	expect("nodes", result, 103);
	int ticked = 0;
	fine(cudaMemcpyFromSymbol(&ticked, ticks, sizeof ticked));
	expect("a kernel without parameters, in a graph and by itself", ticked, 2);
	n = 7;
	fine(cudaGraphExecKernelNodeSetParams(exec, kernel, &launch));
	fine(cudaGraphLaunch(exec, 0)), fine(cudaDeviceSynchronize());
	expect("other parameters", result, 107);
	cudaGraphExec_t other;
	fine(cudaGraphInstantiate(&other, outer, 0));
	fine(cudaGraphLaunch(other, 0)), fine(cudaDeviceSynchronize());
	expect("the graph itself has its own, also as a child", result, 103);
	cudaGraphExecUpdateResultInfo info;
	fine(cudaGraphExecUpdate(exec, graph, &info));
	fine(cudaGraphLaunch(exec, 0)), fine(cudaDeviceSynchronize());
	expect("updated from the graph", result, 103);
	expect("a graph with other nodes", cudaGraphExecUpdate(exec, outer, &info), cudaErrorGraphExecUpdateFailure);
	cudaGetLastError();
	fine(cudaGraphExecDestroy(exec)), fine(cudaGraphExecDestroy(other));
	fine(cudaGraphDestroy(graph)), fine(cudaGraphDestroy(outer));
}

// Used, the most that was used, kept, and the most that was kept: as on a GPU, but to the byte.
static void has(const char *what, unsigned used, unsigned most, unsigned kept, unsigned most_kept) {
	const unsigned want[] = {used, most, kept, most_kept};
	for (int i = 0; i < 4; i++) {
		unsigned long long got = ~0;
		fine(cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)i, &got));
		expect(what, (int)got, (int)want[i]);
	}
}

static void refused(const char *what, cudaError_t got, cudaError_t want) {
	expect(what, got, want);
	expect(what, cudaGetLastError(), want);
}

static void memory_attributes() {
	unsigned long long zero = 0, one = 1;
	has("freed", 0, 4, 4, 4);
	fine(cudaDeviceGraphMemTrim(0));
	has("trimmed", 0, 4, 0, 4);
	fine(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
	fine(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
	has("reset", 0, 0, 0, 0);
	refused("to 1", cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one), cudaErrorInvalidValue);
	refused("not settable", cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero), cudaErrorInvalidValue);
	refused("no attribute", cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)4, &zero), cudaErrorInvalidValue);
	refused("negative", cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)-1, &zero), cudaErrorInvalidValue);
	refused("no place", cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, NULL), cudaErrorInvalidValue);
	refused("no device", cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &zero), cudaErrorInvalidDevice);
}

// A graph whose memory exists from one of its nodes to another.
static void with_memory() {
	int result = 0, n = 3;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t allocated, fill, kernel, copy, freed;
	cudaMemAllocNodeParams memory = {};
	memory.poolProps.allocType = cudaMemAllocationTypePinned;
	memory.poolProps.location.type = cudaMemLocationTypeDevice;
	memory.bytesize = sizeof(int);
	fine(cudaGraphCreate(&graph, 0));
	fine(cudaGraphAddMemAllocNode(&allocated, graph, NULL, 0, &memory));
	int *own = (int *)memory.dptr;
	void *args[] = {&own, &n};
	cudaMemsetParams zero = {};
	zero.dst = own, zero.elementSize = 4, zero.width = 1, zero.height = 1, zero.value = 100;
	cudaKernelNodeParams launch = {};
	launch.func = (void *)add, launch.gridDim = launch.blockDim = dim3(1), launch.kernelParams = args;
	fine(cudaGraphAddMemsetNode(&fill, graph, &allocated, 1, &zero));
	fine(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
	fine(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, &result, own, sizeof result, cudaMemcpyDeviceToHost));
	fine(cudaGraphInstantiate(&exec, graph, 0));
	fine(cudaGraphLaunch(exec, 0)), fine(cudaDeviceSynchronize());
	expect("memory of a graph", result, 103);
	has("in use", 4, 4, 4, 4);
	cudaError_t error = cudaGraphLaunch(exec, 0);
	if (error == cudaSuccess) error = cudaDeviceSynchronize();
	expect("that was not freed", error, cudaErrorInvalidValue);
	cudaGetLastError();
	fine(cudaFree(own));
	fine(cudaGraphLaunch(exec, 0)), fine(cudaDeviceSynchronize());
	fine(cudaGraphExecDestroy(exec));
	fine(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
	fine(cudaGraphLaunch(exec, 0)), fine(cudaGraphLaunch(exec, 0)), fine(cudaFree(own));
	fine(cudaGraphExecDestroy(exec));
	fine(cudaGraphAddMemFreeNode(&freed, graph, &copy, 1, own));
	fine(cudaGraphInstantiate(&exec, graph, 0));
	result = 0;
	fine(cudaGraphLaunch(exec, 0)), fine(cudaGraphLaunch(exec, 0)), fine(cudaDeviceSynchronize());
	expect("freed by a node", result, 103);
	expect("it is gone", cudaMemcpy(&result, own, sizeof result, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	cudaGetLastError();
	expect("no bytes", (memory.bytesize = 0, cudaGraphAddMemAllocNode(&allocated, graph, NULL, 0, &memory)), cudaErrorInvalidValue);
	cudaGetLastError();
	fine(cudaGraphExecDestroy(exec)), fine(cudaGraphDestroy(graph));

	cudaStream_t stream;
	fine(cudaStreamCreate(&stream));
	fine(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	fine(cudaMallocAsync(&own, sizeof *own, stream));
	fine(cudaMemsetAsync(own, 0, sizeof *own, stream));
	add<<<1, 1, 0, stream>>>(own, 8);
	fine(cudaMemcpyAsync(&result, own, sizeof result, cudaMemcpyDefault, stream));
	fine(cudaFreeAsync(own, stream));
	fine(cudaStreamEndCapture(stream, &graph));
	fine(cudaGraphInstantiate(&exec, graph, 0));
	fine(cudaGraphLaunch(exec, stream)), fine(cudaGraphLaunch(exec, stream)), fine(cudaStreamSynchronize(stream));
	expect("captured", result, 8);
	memory_attributes();
	fine(cudaGraphExecDestroy(exec)), fine(cudaGraphDestroy(graph)), fine(cudaStreamDestroy(stream));
}

#if CUDART_VERSION >= 13000
__global__ void count_down(int *n, cudaGraphConditionalHandle handle) {
	if (--*n == 0) cudaGraphSetConditional(handle, 0);
}

__global__ void decide(unsigned value, cudaGraphConditionalHandle handle) {
	cudaGraphSetConditional(handle, value);
}

static cudaGraphNode_t kernel_node(cudaGraph_t graph, void *kernel, void **args) {
	cudaGraphNode_t node;
	cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
	p.kernel.func = kernel, p.kernel.gridDim = p.kernel.blockDim = dim3(1), p.kernel.kernelParams = args;
	fine(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
	return node;
}

static cudaGraph_t *condition(cudaGraph_t graph, cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size) {
	cudaGraphNode_t node;
	cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
	p.conditional.handle = handle, p.conditional.type = type, p.conditional.size = size;
	const cudaError_t error = cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p);
	cudaGetLastError();
	return error == cudaSuccess ? p.conditional.phGraph_out : NULL;
}

static void by_condition(int *a, bool wrong) {
	if (wrong) decide<<<1, 1>>>(1, 12345), cudaDeviceSynchronize();
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphConditionalHandle loop, choice, branch;
	fine(cudaGraphCreate(&graph, 0));
	fine(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
	fine(cudaGraphConditionalHandleCreate(&choice, graph, 0, 0));
	fine(cudaGraphConditionalHandleCreate(&branch, graph, 0, 0));
	expect("a condition that there is not", condition(graph, 12345, cudaGraphCondTypeIf, 1) == NULL, 1);
	expect("two bodies of a loop", condition(graph, loop, cudaGraphCondTypeWhile, 2) == NULL, 1);
	cudaGraph_t body = *condition(graph, loop, cudaGraphCondTypeWhile, 1);
	cudaStream_t stream;
	fine(cudaStreamCreate(&stream));
	fine(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
	count_down<<<1, 1, 0, stream>>>(a, loop);
	fine(cudaStreamEndCapture(stream, NULL)), fine(cudaStreamDestroy(stream));
	expect("the same condition again", condition(graph, loop, cudaGraphCondTypeWhile, 1) == NULL, 1);
	unsigned two = 2, none = 0;
	void *chosen[] = {&two, &choice}, *branched[] = {&none, &branch};
	kernel_node(graph, (void *)decide, chosen), kernel_node(graph, (void *)decide, branched);
	cudaGraph_t *cases = condition(graph, choice, cudaGraphCondTypeSwitch, 3), *sides = condition(graph, branch, cudaGraphCondTypeIf, 2);
	for (int i = 0; i < 5; i++) {
		int n = 1 << (4 * i);
		void *args[] = {&a, &n};
		kernel_node(i < 3 ? cases[i] : sides[i - 3], (void *)add, args);
	}
	fine(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 2; i++) {
		const int five = 5;
		fine(cudaMemcpy(a, &five, sizeof five, cudaMemcpyHostToDevice));
		fine(cudaGraphLaunch(exec, 0)), fine(cudaDeviceSynchronize());
		expect("a loop to 0, a case, and the other side", value(a), 0x10100);
	}
	fine(cudaGraphExecDestroy(exec)), fine(cudaGraphDestroy(graph));
}
#else
static void by_condition(int *, bool) {}
#endif

int main(int argc, char **) {
	int *a, *b;
	fine(cudaMalloc(&a, sizeof *a)), fine(cudaMalloc(&b, sizeof *b));
	fine(cudaMemset(b, 0, sizeof *b));
	captured(a, b);
	later_dependencies(a, b);
	of_nodes(a, b);
	d = a, while_captured();
	ends_of_captures(a);
	external_events(a, b, argc > 1);
	with_memory();
	by_condition(a, argc > 1);
	printf("%d failures\n", failures);
	return failures != 0;
}

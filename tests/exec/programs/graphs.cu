// Graphs: captured from two streams, and made of nodes; launched again with other parameters.
#include <cstdio>
#include <cuda_runtime.h>

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

static void ends(const char *what, cudaStream_t s, cudaError_t want) {
	cudaGraph_t graph = NULL;
	expect(what, cudaStreamEndCapture(s, &graph), want);
	expect(what, graph != NULL, want == cudaSuccess);
	fine(cudaStreamDestroy(s));
}

// Each in a capture of its own, which it makes invalid.
static void refuses(const char *what, unsigned flags, cudaStreamCaptureMode mode, cudaError_t want, cudaError_t (*call)(cudaStream_t)) {
	const cudaStream_t s = captures(flags, mode);
	cudaStreamCaptureStatus status;
	expect(what, call(s), want);
	fine(cudaStreamIsCapturing(s, &status));
	expect(what, status, want ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive);
	if (want) expect(what, cudaMemsetAsync(NULL, 0, 0, s), cudaErrorStreamCaptureInvalidated);
	ends(what, s, want ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
}

static cudaEvent_t outside;
static int *anywhere;

static void what_capture_refuses(int *a) {
	const cudaStreamCaptureMode global = cudaStreamCaptureModeGlobal, local = cudaStreamCaptureModeThreadLocal,
								relaxed = cudaStreamCaptureModeRelaxed;
	const cudaError_t unsupported = cudaErrorStreamCaptureUnsupported, implicit = cudaErrorStreamCaptureImplicit;
	anywhere = a;
	fine(cudaEventCreate(&outside)), fine(cudaEventRecord(outside));
	for (cudaStreamCaptureMode mode : {global, local, relaxed}) {
		const cudaError_t unsafe = mode == relaxed ? cudaSuccess : unsupported;
		refuses("cudaStreamSynchronize", 0, mode, unsupported, [](cudaStream_t s) { return cudaStreamSynchronize(s); });
		refuses("cudaStreamQuery", 0, mode, unsupported, [](cudaStream_t s) { return cudaStreamQuery(s); });
		refuses("cudaDeviceSynchronize", 1, mode, unsupported, [](cudaStream_t) { return cudaDeviceSynchronize(); });
		refuses("cudaMalloc", 1, mode, unsafe, [](cudaStream_t) { int *p; return cudaMalloc(&p, 4); });
		refuses("cudaFree", 1, mode, unsafe, [](cudaStream_t) { int *p = NULL; const cudaError_t e = cudaMallocHost(&p, 4); return e ? e : cudaFreeHost(p); });
		refuses("cudaEventQuery", 1, mode, unsafe, [](cudaStream_t) { return cudaEventQuery(outside); });
		refuses("cudaMemcpy", 0, mode, implicit, [](cudaStream_t) { int v; return cudaMemcpy(&v, anywhere, sizeof v, cudaMemcpyDefault); });
		refuses("cudaMemset", 0, mode, implicit, [](cudaStream_t) { return cudaMemset(anywhere, 0, 4); });
		refuses("the default stream", 0, mode, implicit, [](cudaStream_t) { tick<<<1, 1>>>(); return cudaGetLastError(); });
		refuses("its wait", 0, mode, implicit, [](cudaStream_t) { return cudaStreamSynchronize(0); });
		refuses("a stream that does not block", 1, mode, cudaSuccess, [](cudaStream_t) { return cudaMemset(anywhere, 0, 4); });
		refuses("an event outside", 0, mode, cudaErrorStreamCaptureIsolation, [](cudaStream_t s) { return cudaStreamWaitEvent(s, outside, 0); });
		refuses("a callback", 1, mode, unsupported, [](cudaStream_t s) { return cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t, void *) {}, NULL, 0); });
		refuses("attached memory", 1, mode, unsupported, [](cudaStream_t s) { return cudaStreamAttachMemAsync(s, anywhere); });
		refuses("an event inside", 0, mode, cudaErrorCapturedEvent, [](cudaStream_t s) {
			cudaEvent_t e;
			fine(cudaEventCreate(&e)), fine(cudaEventRecord(e, s));
			return cudaEventSynchronize(e);
		});
	}
	cudaStreamCaptureMode mode = relaxed;
	fine(cudaThreadExchangeStreamCaptureMode(&mode));
	expect("the mode before", mode, global);
	refuses("cudaMalloc of a relaxed thread", 0, global, cudaSuccess, [](cudaStream_t) { int *p; return cudaMalloc(&p, 4); });
	fine(cudaThreadExchangeStreamCaptureMode(&mode));
	cudaStream_t s = captures(0, global), t = captures(0, global), fork;
	cudaStreamCaptureStatus status;
	expect("asking for the default stream", cudaStreamIsCapturing(0, &status), implicit);
	fine(cudaStreamCreate(&fork));
	fine(cudaEventRecord(outside, s)), fine(cudaStreamWaitEvent(fork, outside, 0));
	add<<<1, 1, 0, fork>>>(a, 1);
	expect("the end in another stream", cudaStreamEndCapture(fork, NULL), cudaErrorStreamCaptureUnmatched);
	ends("a fork without a join", s, cudaErrorStreamCaptureUnjoined);
	fine(cudaEventRecord(outside, t)), fine(cudaStreamWaitEvent(fork, outside, 0));
	s = captures(0, global);
	expect("two captures", cudaStreamWaitEvent(s, outside, 0), cudaErrorStreamCaptureMerge);
	ends("one", s, cudaErrorStreamCaptureInvalidated), ends("the other", t, cudaErrorStreamCaptureInvalidated);
	expect("no capture", cudaStreamEndCapture(fork, NULL), cudaErrorIllegalState);
	fine(cudaStreamDestroy(captures(0, global))); // with its capture
	fine(cudaDeviceSynchronize());
	cudaGetLastError();
}

// Nodes that are added in another order than they depend on each other.
static void later_dependencies(int *a, int *b) {
	cudaGraph_t graph;
	cudaGraphExec_t exec;
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
	expect("a cycle", depend(&last, &sets), cudaErrorInvalidValue);
	expect("the same again", depend(&sets, &doubles), cudaErrorInvalidValue);
	fine(cudaGraphInstantiate(&exec, graph, 0)), fine(cudaGraphLaunch(exec, 0));
	expect("what comes later in the list is done before", value(b), 10);
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
	what_capture_refuses(a);
	later_dependencies(a, b);
	of_nodes(a, b);
	with_memory();
	by_condition(a, argc > 1);
	printf("%d failures\n", failures);
	return failures != 0;
}

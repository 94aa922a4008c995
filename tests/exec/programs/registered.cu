// Memory that cudaHostRegister pins: what is on its pages stays, whoever writes there.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

__global__ void add(int *p, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) p[i]++;
}

static int wrong;
#define IS(what)                                              \
	do {                                                      \
		if (!(what)) printf("line %d: %s\n", __LINE__, #what), wrong++; \
	} while (0)

static void flags(unsigned with) {
	int *own = (int *)malloc(4096), *at = nullptr;
	cudaPointerAttributes about;
	unsigned of_own;
	memset(own, 0, 4096);
	IS(cudaHostRegister(own, 4096, with) == cudaSuccess);
	IS(cudaPointerGetAttributes(&about, own + 2) == cudaSuccess && about.type == cudaMemoryTypeHost && about.hostPointer == own + 2 && about.device == 0);
	IS(cudaHostGetDevicePointer(&at, own, 0) == cudaSuccess && about.devicePointer == at + 2);
	IS(cudaHostGetFlags(&of_own, own) == cudaErrorInvalidValue);
	add<<<1, 32>>>(at, 32);
	IS(cudaDeviceSynchronize() == cudaSuccess && own[31] == 1 && own[32] == 0);
	IS(cudaHostUnregister(own) == cudaSuccess && own[31] == 1);
	IS(cudaPointerGetAttributes(&about, own) == cudaSuccess && about.type == cudaMemoryTypeUnregistered);
	IS(cudaHostUnregister(own) == cudaErrorHostMemoryNotRegistered);
	free(own);
}

static void stack(unsigned with) {
	int own[64] = {1, 2, 3}, *at = nullptr, *d;
	cudaPointerAttributes about;
	IS(cudaHostRegister(own, sizeof own, with) == cudaSuccess);
	IS(cudaHostGetDevicePointer(&at, own, 0) == cudaErrorNotSupported && !at);
	IS(cudaPointerGetAttributes(&about, own) == cudaSuccess && about.type == cudaMemoryTypeHost && !about.devicePointer);
	IS(cudaMalloc(&d, sizeof own) == cudaSuccess && cudaMemcpyAsync(d, own, sizeof own, cudaMemcpyDefault) == cudaSuccess);
	add<<<1, 64>>>(d, 64);
	IS(cudaMemcpy(own, d, sizeof own, cudaMemcpyDefault) == cudaSuccess && own[0] == 2 && own[2] == 4 && own[63] == 1);
	IS(cudaHostUnregister(own) == cudaSuccess && cudaFree(d) == cudaSuccess);
}

// Copying the pages takes a while, in which another thread writes there all the time.
static void written_by_another_thread(bool with_handler) {
	enum { BYTES = 32 << 20 };
	char *own = (char *)malloc(BYTES);
	volatile int *first = (int *)(own + 8);
	std::atomic<bool> stop{false};
	long lost = 0;
	int *at;
	memset(own, 0, BYTES);
	if (with_handler) signal(SIGSEGV, [](int) { _Exit(9); });
	std::thread writes([&] {
		for (int v = 1; !stop; v++) {
			*first = v;
			lost += *first != v;
		}
	});
	for (int i = 0; i < 8; i++) {
		IS(cudaHostRegister(own + 64, BYTES - 64, cudaHostRegisterMapped) == cudaSuccess);
		IS(cudaHostGetDevicePointer(&at, own + 64, 0) == cudaSuccess);
		add<<<1, 32>>>(at, 32);
		IS(cudaDeviceSynchronize() == cudaSuccess);
		IS(cudaHostUnregister(own + 64) == cudaSuccess);
	}
	stop = true;
	writes.join();
	IS(((int *)(own + 64))[31] == 8);
	if (lost) printf("%ld writes lost\n", lost), wrong++;
	signal(SIGSEGV, SIG_DFL);
	free(own);
}

int main() {
	int *own = (int *)malloc(4096), *at;
	for (unsigned with : {cudaHostRegisterDefault, cudaHostRegisterPortable, cudaHostRegisterMapped}) flags(with), stack(with);
	std::thread([] { stack(cudaHostRegisterMapped); }).join();
	written_by_another_thread(false);
	written_by_another_thread(true);
	for (unsigned with : {0x10u, ~0u}) IS(cudaHostRegister(own, 4096, with) == cudaErrorInvalidValue);
	for (unsigned with : {cudaHostRegisterIoMemory, cudaHostRegisterReadOnly}) IS(cudaHostRegister(own, 4096, with) == cudaErrorNotSupported);
	IS(cudaHostRegister(own, 4096, 0) == cudaSuccess);
	IS(cudaHostGetDevicePointer(&at, own, 1) == cudaErrorInvalidValue);
	IS(cudaHostGetDevicePointer((void **)nullptr, own, 0) == cudaErrorInvalidValue);
	printf("%d wrong\n", wrong);
}

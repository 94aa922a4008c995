// Host code that accesses memory it cannot, by the first argument. "handler": the program has a handler of its own;
// "sent": it is sent the signal; "own": the address is no device's.
#include <csignal>
#include <cstdlib>
#include <cstring>

int main(int argc, char **argv) {
	const auto is = [&](const char *what) { return argc > 1 && !strcmp(argv[1], what); };
	int *device, *managed;
	cudaMalloc(&device, 256);
	cudaMallocManaged(&managed, 256);
	managed[0] = 1;
	if (is("handler")) signal(SIGSEGV, [](int) { _Exit(9); });
	if (is("sent")) raise(SIGSEGV);
	if (is("own")) device = (int *)16;
	if (is("freed")) {
		cudaFree(managed);
		managed[0]++;
	}
	if (is("free")) free(device);
	if (is("delete")) delete[] device;
	if (is("library")) qsort(device, 9, sizeof *device, [](const void *, const void *) { return 0; });
	if (is("result")) cudaMalloc((void **)device, 256);
	if (is("wild")) cudaMemcpy((int *)16, managed, 256, cudaMemcpyDefault);
	device[1]++;
	return 0;
}

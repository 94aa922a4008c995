// Small programs with one mistake each, by the name that the program gets; without one it lists them. The line of the
// mistake ends with what gpulab exec --check all says of it:
//
//     // <- NAME: CHECKER: what it says; the advice        both are regular expressions
//     // <~ NAME: ...                                       the report has no line
//
// The kind of a program is its file (test_mistakes.py, and tests/gpu/sanitizer.py on a GPU).
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

struct Case {
	const char *name;
	void (*run)();
	const Case *next;
	static inline const Case *first;
	Case(const char *called, void (*does)()) : name(called), run(does), next(first) { first = this; }
};

#define CASE_(name, line) CASE__(name, line)
#define CASE__(name, line)                                                                                             \
	static void run_##line();                                                                                          \
	static const Case case_##line(name, run_##line);                                                                   \
	static void run_##line()
#define CASE(name) CASE_(name, __LINE__)

static int host[4096];

// Memory of the device for n ints, which are 0, 1, 2, ...
static inline int *numbers(int n) {
	int *x;
	for (int i = 0; i < n; i++) host[i] = i;
	cudaMalloc(&x, n * sizeof(int));
	cudaMemcpy(x, host, n * sizeof(int), cudaMemcpyHostToDevice);
	return x;
}

static inline int *zeros(int n) {
	int *x;
	cudaMalloc(&x, n * sizeof(int));
	cudaMemset(x, 0, n * sizeof(int));
	return x;
}

// The first ints come back, and the memory is freed.
static inline void take(int *x, int n = 1) {
	cudaMemcpy(host, x, n * sizeof(int), cudaMemcpyDeviceToHost);
	cudaFree(x);
}

int main(int argc, char **argv) {
	for (const Case *c = Case::first; c; c = c->next) {
		if (argc < 2) puts(c->name);
		if (argc > 1 && !strcmp(argv[1], c->name)) c->run();
	}
	return 0;
}

// Allocations as programs write them, by the word that is given: a kernel writes behind the end of one.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                                                                                             \
	do {                                                                                                                                                        \
		if ((call) != cudaSuccess) exit(1);                                                                                                                     \
	} while (0)
#define ALLOCATE(p, n) CHECK(cudaMalloc(&p, (n) * sizeof *p))

struct Vector {
	int n;
	int *data;
};

__global__ void outside(int *p, int n) {
	p[n + threadIdx.x] = 1;
}

template <typename T> class Owner {
public:
	explicit Owner(int n) {
		cudaMalloc(&data, n * sizeof(T));
	}
	~Owner() {
		cudaFree(data);
	}
	T *data;
};

template <typename T> static T *allocate(int n) {
	T *fresh;
	CHECK(cudaMalloc(&fresh, n * sizeof(T)));
	return fresh;
}

static int *by_word(const char *word) {
	int *d_x, *d_y, *row[3];
	Vector v{4, nullptr}, *w = &v;
	if (!strcmp(word, "plain")) cudaMalloc(&d_x, 16);
	else if (!strcmp(word, "cast")) CHECK(cudaMalloc((void **)&d_x, 16));
	else if (!strcmp(word, "cast of C++")) CHECK(cudaMalloc(reinterpret_cast<void **>(&d_x), 16));
	else if (!strcmp(word, "managed")) CHECK(cudaMallocManaged(&d_x, 16));
	else if (!strcmp(word, "asynchronous")) CHECK(cudaMallocAsync(&d_x, 16, 0));
	else if (!strcmp(word, "member")) return cudaMalloc(&v.data, 16), v.data;
	else if (!strcmp(word, "arrow")) return cudaMalloc(&w->data, 16), w->data;
	else if (!strcmp(word, "spread"))
		CHECK(cudaMalloc(
			(void **)&d_x,
			4 * sizeof(int)));
	else if (!strcmp(word, "two")) { cudaMalloc(&d_y, 16); cudaMalloc(&d_x, 16); }
	else if (!strcmp(word, "mixed")) { CHECK(cudaMallocHost(&d_y, 16)); CHECK(cudaMalloc(&d_x, 16)); }
	else if (!strcmp(word, "either")) word[0] == 0 ? cudaMalloc(&d_y, 16) : cudaMalloc(&d_x, 16);
	else if (!strcmp(word, "macro")) ALLOCATE(d_x, 4);
	else if (!strcmp(word, "sized")) {
		const size_t size = 4 * sizeof(int);
		cudaMalloc(&d_x, size);
	} else if (!strcmp(word, "loop")) {
		for (int i = 0; i < 3; i++) cudaMalloc(&row[i], 16);
		return row[1];
	} else {
		d_y = allocate<int>(4);
		d_x = allocate<int>(4); // "function"
	}
	return d_x;
}

int main(int argc, char **argv) {
	Owner<int> owner(4);
	const bool owned = argc > 1 && !strcmp(argv[1], "class");
	int *p = owned ? owner.data : by_word(argc > 1 ? argv[1] : ""), out[4];
	if (argc == 2) outside<<<1, 1>>>(p, 4);
	cudaMemcpy(out, p, 16, cudaMemcpyDeviceToHost);
	if (argc == 2) printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

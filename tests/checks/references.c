/* references.h */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "references.h"

/* tiles of 64: out[t] = sum of in[k] × ((k mod 64 + t) mod 3) */
static void double_buffered(ReferenceBuffer *b) {
	int32_t *out = b[0].data;
	const int32_t *in = b[1].data;
	for (size_t t = 0; t < b[0].count; t++) {
		out[t] = 0;
		for (size_t k = 0; k < b[1].count; k++) out[t] += in[k] * (int32_t)((k % 64 + t) % 3);
	}
}

static void exclusive_scan(ReferenceBuffer *b) {
	int32_t *out = b[0].data, sum = 0;
	const int32_t *in = b[1].data;
	for (size_t i = 0; i < b[0].count; i++) {
		out[i] = sum;
		sum += in[i];
	}
}

static void look_back(ReferenceBuffer *b) {
	int32_t *out = b[0].data, sum = 0;
	const int32_t *in = b[1].data;
	for (size_t i = 0; i < b[0].count; i++) out[i] = sum += in[i];
	b[2].ignore = b[3].ignore = true;
}

static void sparse_product(ReferenceBuffer *b) {
	float *y = b[0].data;
	const int32_t *start = b[1].data, *column = b[2].data;
	const float *value = b[3].data, *x = b[4].data;
	for (size_t row = 0; row < b[0].count; row++) {
		y[row] = 0;
		for (int32_t k = start[row]; k < start[row + 1]; k++) y[row] += value[k] * x[column[k]];
	}
}

static void n_body(ReferenceBuffer *b) {
	float *force = b[0].data;
	const float *place = b[1].data;
	b[0].tolerance = 1e-4;
	for (size_t i = 0; i < b[0].count; i++) {
		double sum = 0;
		for (size_t k = 0; k < b[1].count; k++) {
			const double d = place[k] - place[i];
			sum += d / (d * d * fabs(d) + 1);
		}
		force[i] = (float)sum;
	}
}

static void fourier(ReferenceBuffer *b) {
	float *re = b[0].data, *im = b[1].data;
	const float *in = b[2].data;
	const size_t n = b[2].count;
	b[0].tolerance = b[1].tolerance = 1e-5;
	for (size_t k = 0; k < n; k++) {
		double x = 0, y = 0;
		for (size_t i = 0; i < n; i++) {
			const double angle = -2 * M_PI * (double)(i * k % n) / (double)n;
			x += in[i] * cos(angle);
			y += in[i] * sin(angle);
		}
		re[k] = (float)x;
		im[k] = (float)y;
	}
}

/* 64 producers' numbers, each taken once */
static void queue(ReferenceBuffer *b) {
	int32_t *done = b[0].data;
	for (size_t i = 0; i < b[0].count; i++) done[i] = 1;
	b[1].ignore = b[2].ignore = b[3].ignore = true;
}

static void matrix_product(ReferenceBuffer *b) {
	float *c = b[0].data;
	const float *x = b[1].data, *y = b[2].data;
	for (size_t row = 0; row < 32; row++)
		for (size_t col = 0; col < 32; col++) {
			float sum = 0;
			for (size_t k = 0; k < 32; k++) sum += x[row * 32 + k] * y[k * 32 + col];
			c[row * 32 + col] = sum;
		}
}

static int by_value(const void *a, const void *b) {
	return *(const int32_t *)a - *(const int32_t *)b;
}

static void third_smallest(ReferenceBuffer *b) {
	int32_t *out = b[0].data;
	for (size_t i = 0; i < b[0].count; i++) {
		int32_t row[8];
		memcpy(row, (const int32_t *)b[1].data + 8 * i, sizeof row);
		qsort(row, 8, sizeof *row, by_value);
		out[i] = row[2];
	}
}

static int32_t row_sums(int32_t depth, int32_t n, int32_t longer) {
	int32_t sum = depth ? row_sums(depth - 1, n + longer, longer) : 0;
	for (int32_t i = 0; i < n; i++) sum += i + depth;
	return sum;
}

static void sums_of_stacks(ReferenceBuffer *b) {
	for (int32_t t = 0; t < (int32_t)b[0].count; t++)
		((int32_t *)b[0].data)[t] = row_sums(t % 4, 5, t % 3) + 5 + t % 7 - 1;
}

static void hamming(ReferenceBuffer *b) {
	const uint32_t *x = b[1].data, *y = b[2].data;
	for (size_t i = 0; i < b[0].count; i++) {
		const size_t block = i / 64, row = 32 * block + i % 64 / 8 * 4, column = 32 * block + i % 8 * 4;
		int32_t n = 0;
		for (size_t k = 0; k < 128; k++) n += ((x[row + k / 32] ^ y[column + k / 32]) >> k % 32 & 1) != 0;
		((int32_t *)b[0].data)[i] = n;
	}
}

/* Where each survivor stands is chance; their sum and number are not. */
static void compaction(ReferenceBuffer *b) {
	int32_t sum = 0, n = 0;
	for (int32_t i = 0; i < 128; i += 3, n++) sum += i;
	*(int32_t *)b[0].data = sum;
	*(int32_t *)b[1].data = n;
	b[2].ignore = true;
}

static void hash_table(ReferenceBuffer *b) {
	b[0].ignore = true; /* the places depend on who came first */
	*(int32_t *)b[1].data = 99 * 100 / 2;
}

static void mandelbrot(ReferenceBuffer *b) {
	for (int at = 0; at < 512; at++) {
		const float cr = (float)(at % 32) * 0.0625f - 1.5f, ci = (float)(at / 32) * 0.125f - 1.0f;
		float r = 0, i = 0;
		int n = 0;
		for (; n < 50 && r * r + i * i < 4; n++) {
			const float next = r * r - i * i + cr;
			i = 2 * r * i + ci;
			r = next;
		}
		((int32_t *)b[0].data)[at] = n;
	}
}

static void life(ReferenceBuffer *b) {
	const int32_t *now = b[1].data;
	for (int y = 0; y < 16; y++)
		for (int x = 0; x < 16; x++) {
			int n = 0;
			for (int k = 0; k < 9; k++)
				if (k != 4) n += now[(y + k / 3 + 15) % 16 * 16 + (x + k % 3 + 15) % 16];
			((int32_t *)b[0].data)[y * 16 + x] = n == 3 || (n == 2 && now[y * 16 + x]);
		}
}

static void xorshift(ReferenceBuffer *b) {
	uint32_t *state = b[0].data;
	for (size_t i = 0; i < b[0].count; i++)
		for (int k = 0; k < 10; k++) {
			state[i] ^= state[i] << 13;
			state[i] ^= state[i] >> 17;
			state[i] ^= state[i] << 5;
		}
}

static void laplace(ReferenceBuffer *b) {
	static const int step[3] = {1, 8, 64};
	const int32_t *in = b[1].data;
	for (int i = 0; i < 512; i++) {
		int32_t sum = -6 * in[i];
		for (int d = 0; d < 3; d++) {
			const int at = i / step[d] % 8;
			sum += in[at > 0 ? i - step[d] : i] + in[at < 7 ? i + step[d] : i];
		}
		((int32_t *)b[0].data)[i] = sum;
	}
}

typedef struct {
	const char *name;
	void (*run)(ReferenceBuffer *b);
} Reference;

static const Reference references[] = {{"compaction", compaction},
									   {"double_buffered", double_buffered},
									   {"exclusive_scan", exclusive_scan},
									   {"fourier", fourier},
									   {"hamming", hamming},
									   {"hash_table", hash_table},
									   {"laplace", laplace},
									   {"life", life},
									   {"look_back", look_back},
									   {"mandelbrot", mandelbrot},
									   {"matrix_product", matrix_product},
									   {"n_body", n_body},
									   {"queue", queue},
									   {"sparse_product", sparse_product},
									   {"sums_of_stacks", sums_of_stacks},
									   {"third_smallest", third_smallest},
									   {"xorshift", xorshift}};

bool reference_run(const char *name, ReferenceBuffer *buffers) {
	for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
		if (strcmp(references[i].name, name)) continue;
		references[i].run(buffers);
		return true;
	}
	return false;
}

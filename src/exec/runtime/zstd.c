/* runtime.h: the Zstandard format (RFC 8878), for one frame whose decompressed size is known, without a dictionary. Every index is checked
 * against its table and every copy against the output, so that a damaged program gives an error. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "exec/runtime/runtime.h"

enum { FRAME_MAGIC_ZSTD = 0xFD2FB528, MOST_LOG = 9, MOST_SYMBOLS = 256, HUFFMAN_LOG = 11, BLOCK_BYTES = 128 << 10 };

typedef struct {
	const uint8_t *at, *end;
} Bytes;

static size_t left(const Bytes *b) {
	return (size_t)(b->end - b->at);
}

/* n bytes, lowest first. */
static bool number(Bytes *b, unsigned n, uint64_t *out) {
	if (left(b) < n) return false;
	*out = 0;
	for (unsigned i = 0; i < n; i++) *out |= (uint64_t)b->at[i] << 8 * i;
	b->at += n;
	return true;
}

static unsigned high_bit(uint32_t x) {
	return 31 - (unsigned)__builtin_clz(x);
}

/* --- bits ------------------------------------------------------------------------------------------------------------------------- */

/* Bits of a run of bytes, `bit` counted from its first: forward for tables, backward for streams. */
typedef struct {
	const uint8_t *data;
	size_t bytes;
	int64_t bit; /* backward: bits not read yet; below 0, zeros were read past the beginning */
} Bits;

static uint32_t bits_at(const Bits *b, int64_t first, unsigned n) {
	uint32_t value = 0;
	for (unsigned i = 0; i < n; i++) {
		const int64_t at = first + i;
		if (at >= 0 && (size_t)at >> 3 < b->bytes) value |= (uint32_t)(b->data[at >> 3] >> (at & 7) & 1) << i;
	}
	return value;
}

/* The same for a whole word at once where it is inside: most reads. */
static uint32_t bits_get(const Bits *b, int64_t first, unsigned n) {
	if (first < 0 || ((size_t)first >> 3) + 8 > b->bytes) return bits_at(b, first, n);
	uint64_t word;
	memcpy(&word, b->data + (first >> 3), 8);
	return (uint32_t)(word >> (first & 7) & ((UINT64_C(1) << n) - 1));
}

static bool backward(Bits *b, const uint8_t *data, size_t bytes) {
	if (!bytes || !data[bytes - 1]) return false;
	*b = (Bits){data, bytes, (int64_t)(bytes - 1) * 8 + high_bit(data[bytes - 1])};
	return true;
}

static uint32_t take_back(Bits *b, unsigned n) {
	b->bit -= n;
	return bits_get(b, b->bit, n);
}

/* --- finite state entropy --------------------------------------------------------------------------------------------------------- */

typedef struct {
	unsigned log;
	bool set;
	uint8_t symbol[1 << MOST_LOG], bits[1 << MOST_LOG];
	uint16_t base[1 << MOST_LOG];
} Fse;

static bool fse_build(Fse *t, const int16_t *share, unsigned symbols, unsigned log) {
	const unsigned size = 1u << log, step = (size >> 1) + (size >> 3) + 3;
	unsigned high = size, at = 0;
	uint16_t next[MOST_SYMBOLS];
	for (unsigned s = 0; s < symbols; s++) {
		if (share[s] == -1) t->symbol[--high] = (uint8_t)s;
		next[s] = share[s] == -1 ? 1 : (uint16_t)share[s];
	}
	for (unsigned s = 0; s < symbols; s++) {
		for (int i = 0; i < share[s]; i++) {
			t->symbol[at] = (uint8_t)s;
			do at = (at + step) & (size - 1);
			while (at >= high);
		}
	}
	if (at) return false;
	for (unsigned i = 0; i < size; i++) {
		const uint16_t state = next[t->symbol[i]]++;
		t->bits[i] = (uint8_t)(log - high_bit(state));
		t->base[i] = (uint16_t)((state << t->bits[i]) - size);
	}
	t->log = log;
	return t->set = true;
}

/* The table's description, from the front of b. */
static bool fse_read(Fse *t, Bytes *b, unsigned most_log, unsigned most_symbols) {
	Bits in = {b->at, left(b), 4};
	int16_t share[MOST_SYMBOLS] = {0};
	const unsigned log = bits_at(&in, 0, 4) + 5;
	int rest = 1 << log;
	unsigned s = 0;
	if (!in.bytes || log > most_log) return false;
	while (rest > 0 && s < most_symbols) {
		const unsigned n = high_bit((uint32_t)rest + 1) + 1;
		const uint32_t low = (1u << (n - 1)) - 1, threshold = (1u << n) - 1 - ((uint32_t)rest + 1);
		uint32_t value = bits_at(&in, in.bit, n);
		in.bit += n;
		if ((value & low) < threshold) {
			in.bit--;
			value &= low;
		} else if (value > low) {
			value -= threshold;
		}
		share[s] = (int16_t)((int)value - 1);
		rest -= share[s] < 0 ? 1 : share[s];
		if (share[s++]) continue;
		for (uint32_t more = 3; more == 3; in.bit += 2) {
			more = bits_at(&in, in.bit, 2);
			s += more;
			if (s > most_symbols) return false;
		}
	}
	const size_t used = (size_t)(in.bit + 7) / 8;
	if (rest || used > in.bytes) return false;
	b->at += used;
	return fse_build(t, share, s, log);
}

static void fse_one(Fse *t, uint8_t symbol) {
	*t = (Fse){.set = true};
	t->symbol[0] = symbol;
}

static void fse_next(const Fse *t, uint32_t *state, Bits *in) {
	*state = t->base[*state] + take_back(in, t->bits[*state]);
}

/* --- Huffman codes ------------------------------------------------------------------------------------------------------------------ */

typedef struct {
	unsigned log; /* 0: none yet */
	uint8_t symbol[1 << HUFFMAN_LOG], bits[1 << HUFFMAN_LOG];
} Huffman;

static bool huffman_build(Huffman *h, uint8_t *weight, unsigned n) {
	uint32_t sum = 0, at = 0;
	for (unsigned i = 0; i < n; i++) sum += weight[i] ? 1u << (weight[i] - 1) : 0;
	if (!sum || n >= MOST_SYMBOLS) return false;
	const unsigned log = high_bit(sum) + 1;
	const uint32_t rest = (1u << log) - sum;
	if (log > HUFFMAN_LOG || (rest & (rest - 1))) return false;
	weight[n++] = (uint8_t)(high_bit(rest) + 1);
	for (unsigned w = 1; w <= log; w++)
		for (unsigned s = 0; s < n; s++)
			if (weight[s] == w)
				for (uint32_t i = 0; i < 1u << (w - 1); i++, at++) {
					h->symbol[at] = (uint8_t)s;
					h->bits[at] = (uint8_t)(log + 1 - w);
				}
	h->log = log;
	return at == 1u << log;
}

/* Weights as two interleaved streams of states; each ends where the bits do. */
static bool weights_packed(Bytes in, uint8_t *weight, unsigned *n) {
	Fse t;
	Bits bits;
	if (!fse_read(&t, &in, 6, 256) || !backward(&bits, in.at, left(&in))) return false;
	uint32_t state[2];
	state[0] = take_back(&bits, t.log);
	state[1] = take_back(&bits, t.log);
	if (bits.bit < 0) return false;
	for (unsigned i = 0;; i ^= 1) {
		if (*n > MOST_SYMBOLS - 3) return false;
		weight[(*n)++] = t.symbol[state[i]];
		fse_next(&t, &state[i], &bits);
		if (bits.bit < 0) {
			weight[(*n)++] = t.symbol[state[i ^ 1]];
			return true;
		}
	}
}

static bool huffman_read(Huffman *h, Bytes *b) {
	uint8_t weight[MOST_SYMBOLS] = {0};
	uint64_t head;
	unsigned n = 0;
	if (!number(b, 1, &head)) return false;
	const size_t bytes = head < 128 ? head : (head - 127 + 1) / 2;
	if (bytes > left(b)) return false;
	if (head >= 128)
		for (n = 0; n < head - 127; n++) weight[n] = n % 2 ? b->at[n / 2] & 15 : b->at[n / 2] >> 4;
	else if (!weights_packed((Bytes){b->at, b->at + bytes}, weight, &n))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (weight[i] > HUFFMAN_LOG) return false;
	b->at += bytes;
	return huffman_build(h, weight, n);
}

static bool huffman_stream(const Huffman *h, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t n) {
	Bits bits;
	if (!backward(&bits, in, in_bytes)) return false;
	for (size_t i = 0; i < n; i++) {
		const uint32_t code = bits_get(&bits, bits.bit - h->log, h->log);
		out[i] = h->symbol[code];
		bits.bit -= h->bits[code];
	}
	return bits.bit == 0;
}

/* --- a frame's state ------------------------------------------------------------------------------------------------------------------ */

typedef enum { LITERAL_LENGTH, OFFSET, MATCH_LENGTH, TABLES } TableKind;

typedef struct {
	Huffman huffman;
	Fse tables[TABLES];
	uint32_t recent[3];
	uint8_t literals[BLOCK_BYTES];
	size_t nliterals;
	uint8_t *out;
	size_t done, bytes;
} Unpacking;

/* --- literals -------------------------------------------------------------------------------------------------------------------------- */

static bool literals_plain(Unpacking *f, Bytes *b, bool repeated, unsigned format) {
	const unsigned bytes = format == 1 ? 2 : format == 3 ? 3 : 1;
	uint64_t head;
	if (!number(b, bytes, &head)) return false;
	f->nliterals = head >> (bytes == 1 ? 3 : 4);
	const size_t stored = repeated ? 1 : f->nliterals;
	if (f->nliterals > BLOCK_BYTES || stored > left(b)) return false;
	if (repeated)
		memset(f->literals, b->at[0], f->nliterals);
	else
		memcpy(f->literals, b->at, f->nliterals);
	b->at += stored;
	return true;
}

static bool four_streams(Unpacking *f, Bytes in) {
	const size_t part = (f->nliterals + 3) / 4;
	uint64_t bytes[4];
	for (int i = 0; i < 3; i++)
		if (!number(&in, 2, &bytes[i])) return false;
	if (bytes[0] + bytes[1] + bytes[2] > left(&in) || part * 3 > f->nliterals) return false;
	bytes[3] = left(&in) - bytes[0] - bytes[1] - bytes[2];
	for (unsigned i = 0; i < 4; i++) {
		const size_t n = i < 3 ? part : f->nliterals - 3 * part;
		if (!huffman_stream(&f->huffman, in.at, bytes[i], f->literals + i * part, n)) return false;
		in.at += bytes[i];
	}
	return true;
}

static bool literals_coded(Unpacking *f, Bytes *b, bool new_codes, unsigned format) {
	const unsigned bits = format < 2 ? 10 : format == 2 ? 14 : 18;
	uint64_t head;
	if (!number(b, (4 + 2 * bits + 7) / 8, &head)) return false;
	f->nliterals = head >> 4 & ((1u << bits) - 1);
	const size_t stored = head >> (4 + bits) & ((1u << bits) - 1);
	if (f->nliterals > BLOCK_BYTES || stored > left(b)) return false;
	Bytes in = {b->at, b->at + stored};
	b->at += stored;
	if (new_codes && !huffman_read(&f->huffman, &in)) return false;
	if (!f->huffman.log) return false;
	return format ? four_streams(f, in) : huffman_stream(&f->huffman, in.at, left(&in), f->literals, f->nliterals);
}

static bool literals(Unpacking *f, Bytes *b) {
	if (!left(b)) return false;
	const unsigned type = *b->at & 3, format = *b->at >> 2 & 3;
	return type < 2 ? literals_plain(f, b, type == 1, format) : literals_coded(f, b, type == 2, format);
}

/* --- sequences --------------------------------------------------------------------------------------------------------------------------- */

static const int16_t usual_literals[] = {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
										 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
static const int16_t usual_offsets[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
										1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
static const int16_t usual_matches[] = {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1,  1,  1,  1,  1,  1,  1, 1,
										1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
										1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};

static const struct {
	const int16_t *usual;
	unsigned symbols, log, most_log;
} kinds[TABLES] = {[LITERAL_LENGTH] = {usual_literals, 36, 6, 9},
				   [OFFSET] = {usual_offsets, 29, 5, 8},
				   [MATCH_LENGTH] = {usual_matches, 53, 6, 9}};
enum { MOST_OFFSET_CODE = 31 };

static bool read_table(Fse *t, Bytes *b, TableKind kind, unsigned mode) {
	const unsigned symbols = kind == OFFSET ? MOST_OFFSET_CODE + 1 : kinds[kind].symbols;
	switch (mode) {
	case 0: return fse_build(t, kinds[kind].usual, kinds[kind].symbols, kinds[kind].log);
	case 1:
		if (!left(b) || *b->at >= symbols) return false;
		fse_one(t, *b->at++);
		return true;
	case 2: return fse_read(t, b, kinds[kind].most_log, symbols);
	default: return t->set;
	}
}

/* Codes of lengths: small ones are themselves, larger ones begin a range that further bits choose from. */
static uint32_t length_of(Bits *in, unsigned code, unsigned plain, uint32_t least, const uint8_t *more) {
	if (code < plain) return code + least;
	uint32_t base = plain + least;
	for (unsigned c = plain; c < code; c++) base += 1u << more[c - plain];
	return base + take_back(in, more[code - plain]);
}

static const uint8_t more_literals[] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint8_t more_match[] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/* How far back a match is: a number of its own, or one of the last three. */
static uint32_t distance(Unpacking *f, uint32_t value, uint32_t nliterals) {
	uint32_t *r = f->recent;
	uint32_t found;
	unsigned i = 3;
	if (value > 3) {
		found = value - 3;
	} else {
		i = value - 1 + (nliterals == 0);
		found = i < 3 ? r[i] : r[0] - 1;
	}
	if (i > 1) r[2] = r[1];
	if (i > 0) r[1] = r[0];
	return r[0] = found;
}

static bool copy_match(Unpacking *f, uint32_t back, uint32_t n) {
	if (!back || back > f->done || n > f->bytes - f->done) return false;
	for (; n > 0; n--, f->done++) f->out[f->done] = f->out[f->done - back];
	return true;
}

static bool copy_literals(Unpacking *f, size_t *used, size_t n) {
	if (n > f->nliterals - *used || n > f->bytes - f->done) return false;
	memcpy(f->out + f->done, f->literals + *used, n);
	*used += n;
	f->done += n;
	return true;
}

static bool run_sequences(Unpacking *f, Bits *in, uint32_t n) {
	const Fse *t = f->tables;
	uint32_t state[TABLES];
	size_t used = 0;
	for (int k = 0; k < TABLES; k++) state[k] = take_back(in, t[k].log);
	for (uint32_t i = 0; i < n; i++) {
		const unsigned code = t[OFFSET].symbol[state[OFFSET]];
		const uint32_t value = (1u << code) + take_back(in, code);
		const uint32_t match = length_of(in, t[MATCH_LENGTH].symbol[state[MATCH_LENGTH]], 32, 3, more_match);
		const uint32_t plain = length_of(in, t[LITERAL_LENGTH].symbol[state[LITERAL_LENGTH]], 16, 0, more_literals);
		if (!copy_literals(f, &used, plain) || !copy_match(f, distance(f, value, plain), match)) return false;
		if (i + 1 == n) break;
		fse_next(&t[LITERAL_LENGTH], &state[LITERAL_LENGTH], in);
		fse_next(&t[MATCH_LENGTH], &state[MATCH_LENGTH], in);
		fse_next(&t[OFFSET], &state[OFFSET], in);
	}
	return in->bit == 0 && copy_literals(f, &used, f->nliterals - used);
}

static bool sequences(Unpacking *f, Bytes *b) {
	uint64_t n, low, modes;
	size_t used = 0;
	if (!number(b, 1, &n)) return false;
	if (n >= 128) {
		if (!number(b, n == 255 ? 2 : 1, &low)) return false;
		n = n == 255 ? low + 0x7F00 : ((n - 128) << 8) + low;
	}
	if (n == 0) return copy_literals(f, &used, f->nliterals);
	if (!number(b, 1, &modes)) return false;
	for (int k = 0; k < TABLES; k++)
		if (!read_table(&f->tables[k], b, (TableKind)k, modes >> (6 - 2 * k) & 3)) return false;
	Bits in;
	return backward(&in, b->at, left(b)) && run_sequences(f, &in, (uint32_t)n);
}

/* --- blocks ------------------------------------------------------------------------------------------------------------------------------- */

static bool block(Unpacking *f, Bytes *b, bool *last) {
	uint64_t head;
	if (!number(b, 3, &head)) return false;
	const unsigned type = head >> 1 & 3;
	const size_t size = head >> 3, stored = type == 1 ? 1 : size;
	*last = head & 1;
	if (stored > left(b) || (type < 2 && size > f->bytes - f->done)) return false;
	Bytes in = {b->at, b->at + stored};
	b->at += stored;
	switch (type) {
	case 0: memcpy(f->out + f->done, in.at, size); break;
	case 1: memset(f->out + f->done, *in.at, size); break;
	case 2: return literals(f, &in) && sequences(f, &in);
	default: return false;
	}
	f->done += size;
	return true;
}

static bool read_header(Bytes *b) {
	uint64_t magic, flags, skipped;
	if (!number(b, 4, &magic) || magic != FRAME_MAGIC_ZSTD || !number(b, 1, &flags)) return false;
	const bool single = flags >> 5 & 1;
	const unsigned dictionary = (1u << (flags & 3)) >> 1, size = flags >> 6 ? 1u << (flags >> 6) : single;
	return number(b, (single ? 0 : 1) + dictionary, &skipped) && number(b, size, &skipped);
}

bool zstd_frame(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes) {
	Bytes b = {in, in + in_bytes};
	bool last = false;
	if (!read_header(&b)) return false;
	Unpacking *f = xcalloc(1, sizeof *f);
	*f = (Unpacking){.recent = {1, 4, 8}, .out = out, .bytes = out_bytes};
	bool ok = true;
	while (ok && !last) ok = block(f, &b, &last);
	ok = ok && f->done == out_bytes;
	free(f);
	return ok;
}

/* Loads and stores. Part of exec.c.
 * Fast path: all 32 lanes are active with consecutive addresses: one bounds check, one copy. Otherwise the lowest and
 * highest address are checked against the allocation that this op used last, and lanes are processed one by one; only
 * addresses outside it are looked up per lane. Addresses of 32 bits, which compilers use for shared memory, have the
 * same fast paths; elsewhere they are widened first. */

#define ALL_LANES 0xffffffffu
#define NOINLINE __attribute__((noinline))

/* A sum of 32 bits wraps around. */
LANE const u64 *widened(const Warp *w, const Op *op, u64 *room) {
	const u32 *base = REG(const u32, op->a), off = (u32)op->imm;
	EACH_LANE room[l] = (u32)(base[l] + off);
	return room;
}

LANE const u64 *lane_addresses(const Warp *w, const Op *op, u64 *room) {
	if (op->flags & OPF_ADDR32) return widened(w, op, room);
	const u64 *base = REG(const u64, op->a);
	const u64 off = (u64)op->imm;
	if (!off) return base;
	EACH_LANE room[l] = base[l] + off;
	return room;
}

typedef struct {
	u64 lo, hi, low_bits;
} Span;

/* Addresses of the lanes in mask; the others get the first one's, so that all 32 may be touched. */
LANE Span active_span(const u64 *addr, u32 mask, u64 *out) {
	const u64 first = addr[first_lane(mask)];
	u64 lo = ~(u64)0, hi = 0, bits = 0;
	_Pragma("omp simd reduction(min:lo) reduction(max:hi) reduction(|:bits)") for (unsigned l = 0; l < LANES; l++) {
		const u64 x = (mask >> l & 1) ? addr[l] : first;
		out[l] = x;
		lo = x < lo ? x : lo;
		hi = x > hi ? x : hi;
		bits |= x;
	}
	return (Span){lo, hi, bits};
}

/* The same when all lanes run: nothing to fill in. */
LANE Span full_span(const u64 *addr) {
	u64 lo = ~(u64)0, hi = 0, bits = 0;
	_Pragma("omp simd reduction(min:lo) reduction(max:hi) reduction(|:bits)") for (unsigned l = 0; l < LANES; l++) {
		const u64 x = addr[l];
		lo = x < lo ? x : lo;
		hi = x > hi ? x : hi;
		bits |= x;
	}
	return (Span){lo, hi, bits};
}

/* The vectors have the machine's width: for wider ones the compiler makes worse code. */
#if defined __AVX512F__
enum { VECTOR = 64 };
#define COUNT64 0, 1, 2, 3, 4, 5, 6, 7
#define COUNT32 COUNT64, 8, 9, 10, 11, 12, 13, 14, 15
#define ANY_BIT(v) (_mm512_test_epi64_mask((__m512i)(v), (__m512i)(v)) != 0)
#elif defined __AVX2__
enum { VECTOR = 32 };
#define COUNT64 0, 1, 2, 3
#define COUNT32 COUNT64, 4, 5, 6, 7
#define ANY_BIT(v) (!_mm256_testz_si256((__m256i)(v), (__m256i)(v)))
#else
enum { VECTOR = 16 };
#define COUNT64 0, 1
#define COUNT32 COUNT64, 2, 3
typedef u64 TwoWords __attribute__((vector_size(16)));
#define ANY_BIT(v) ((((TwoWords)(v))[0] | ((TwoWords)(v))[1]) != 0)
#endif

typedef u64 Vector64 __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef u32 Vector32 __attribute__((vector_size(VECTOR), aligned(4), may_alias));
enum { LANES64 = VECTOR / 8, LANES32 = VECTOR / 4 };

/* Of addresses: are so many lanes consecutive, from base[0] on; are they all the same? Do all 32 have their aligned
 * bytes within shared memory, `off` after their address? One that is too large gives a negative difference, unless it
 * is so large itself. Offsets below zero, and shared memory of 2^31 bytes, which no GPU has, are not for here. */
#define OF_ADDRESSES(bits)                                                                                             \
	LANE bool is_row_##bits(const u##bits *base, unsigned lanes, u##bits step) {                                       \
		Vector##bits expected = base[0] + (Vector##bits){COUNT##bits} * step, differs = {0};                           \
		for (unsigned l = 0; l < lanes; l += LANES##bits, expected += LANES##bits * step)                              \
			differs |= *(const Vector##bits *)(base + l) ^ expected;                                                   \
		return !ANY_BIT(differs);                                                                                      \
	}                                                                                                                  \
	LANE bool is_one_##bits(const u##bits *base, unsigned lanes) {                                                     \
		Vector##bits differs = {0};                                                                                    \
		for (unsigned l = 0; l < lanes; l += LANES##bits) differs |= *(const Vector##bits *)(base + l) ^ base[0];      \
		return !ANY_BIT(differs);                                                                                      \
	}                                                                                                                  \
	LANE u32 half_form_##bits(const u##bits *base, u##bits step) {                                                     \
		return is_row_##bits(base, 16, step) ? HALF_ROW : is_one_##bits(base, 16) ? HALF_ONE : HALF_ANY;               \
	}                                                                                                                  \
	LANE bool fits_shared_##bits(const Warp *w, const u##bits *base, u64 off, u32 bytes) {                             \
		const u64 size = w->shared_bytes;                                                                              \
		if (off > size || size - off < bytes || off & (bytes - 1)) return false;                                       \
		const u##bits last = (u##bits)(size - bytes - off), top = (u##bits)1 << (bits - 1);                            \
		Vector##bits over = {0}, low = {0};                                                                            \
		for (unsigned l = 0; l < LANES; l += LANES##bits) {                                                            \
			const Vector##bits at = *(const Vector##bits *)(base + l);                                                 \
			over |= at | (last - at);                                                                                  \
			low |= at;                                                                                                 \
		}                                                                                                              \
		return !ANY_BIT((over & top) | (low & (bytes - 1)));                                                           \
	}
OF_ADDRESSES(32)
OF_ADDRESSES(64)
#define HALF_FORMS(bits, addr, step)                                                                                   \
	{ half_form_##bits(addr, step), half_form_##bits((addr) + 16, step) }

/* d[l] = the element at base + addr[l], modulo 2^64: addresses of mapped memory are above those of its bytes here.
 * Blocks 16 or 32 threads wide mostly ask for a row or a single element in each half-warp. */
#define GATHER(T, d, base, addr, forms)                                                                                \
	for (unsigned half_ = 0; half_ < 2; half_++) {                                                                     \
		const __typeof__(*(addr)) *const at_ = (addr) + 16 * half_;                                                    \
		T *const d_ = (d) + 16 * half_;                                                                                \
		const T *const first_ = (const T *)((base) + at_[0]);                                                          \
		if ((forms)[half_] == HALF_ROW) {                                                                              \
			_Pragma("omp simd") for (unsigned l = 0; l < 16; l++) d_[l] = first_[l];                                   \
		} else if ((forms)[half_] == HALF_ONE) {                                                                       \
			const T value_ = *first_;                                                                                  \
			_Pragma("omp simd") for (unsigned l = 0; l < 16; l++) d_[l] = value_;                                      \
		} else {                                                                                                       \
			_Pragma("GCC unroll 8") for (unsigned l = 0; l < 16; l++) d_[l] = *(const T *)((base) + at_[l]);           \
		}                                                                                                              \
	}

static NOINLINE void report_form(Warp *w, const Op *op, AccessKind kind, PtxSpace space, u64 form) {
	_Alignas(64) u64 room[LANES];
	report_inside(w, op, kind, space, w->mask, lane_addresses(w, op, room), form);
}

static NOINLINE void report_lanes(Warp *w, const Op *op, AccessKind kind, PtxSpace space, u32 wide) {
	_Alignas(64) u64 room[LANES];
	const u64 *addr = op->flags & OPF_ADDR32 ? widened(w, op, room) : REG(const u64, op->a);
	const u32 form[2] = HALF_FORMS(64, addr, wide);
	report_form(w, op, kind, space, w->mask == ALL_LANES ? access_form(form[0], form[1], addr[16] - addr[0]) : 0);
}

/* A guess: there may be nothing. */
LANE void fetch(bool store, uintptr_t at, u32 bytes) {
	for (u32 i = 0; i < bytes; i += 64) {
		if (store)
			__builtin_prefetch((const void *)(at + i), 1);
		else
			__builtin_prefetch((const void *)(at + i), 0);
	}
}

/* The next warp usually continues with the same step, and the next block's first warp with that of first warps. */
LANE void fetch_ahead(Warp *w, const Op *op, bool store, const u8 *p, u64 addr, u32 bytes) {
	Ahead *const a = &w->worker->ahead[store][op->cache_slot];
	if (w->number) {
		a->step = addr - a->last;
	} else {
		fetch(store, (uintptr_t)p + (addr - a->first), bytes);
		a->first = addr;
	}
	a->last = addr;
	fetch(store, (uintptr_t)p + a->step, bytes);
}

LANE void mark_written(Warp *w, const Op *op, u32 mask, const u64 *addr, u32 bytes) {
	if (UNLIKELY(w->worker->cache[1][op->cache_slot]->written))
		FOR_LANES(l, mask) mark_stored(w, op, addr[l], bytes);
}

/* Pointers to the lanes' bytes, one lookup at a time; the returned mask leaves out lanes without one. */
LANE u32 look_up(Warp *w, const Op *op, bool store, const u64 *addr, u32 mask, u32 bytes, u8 **at) {
	u32 found = 0;
	FOR_LANES(l, mask) {
		at[l] = global_bytes(w->worker, op, store, addr[l], bytes);
		if (at[l] && !(addr[l] & (bytes - 1))) found |= 1u << l;
	}
	return found;
}

/* t[i][l] = element i of lane l, from base + addr[l]; then to the registers; and from the registers to `to`, of l. Of
 * columns and rows of products usually many lanes load the same word. */
#define LOAD_LANES(T, n, t, base, addr)                                                                                \
	if ((n) == 1) {                                                                                                    \
		const u32 forms[2] = HALF_FORMS(64, addr, sizeof(T));                                                          \
		GATHER(T, t[0], base, addr, forms)                                                                             \
	} else {                                                                                                           \
		for (u32 l = 0; l < LANES; l++)                                                                                \
			for (u32 i = 0; i < (n); i++) t[i][l] = ((const T *)(base + addr[l]))[i];                                  \
	}
#define BLEND_ALL(T, n, t)                                                                                             \
	for (u32 i = 0; i < (n); i++) {                                                                                    \
		T *d = REG(T, (n) == 1 ? op->d : op->list[i]);                                                                 \
		BLEND(d, t[i], mask);                                                                                          \
	}
#define STORE_LANES(T, n, to)                                                                                          \
	for (u32 i = 0; i < (n); i++) {                                                                                    \
		const T *s = REG(const T, (n) == 1 ? op->b : op->list[i]);                                                     \
		if (LIKELY(mask == ALL_LANES))                                                                                 \
			for (u32 k = 0; k < LANES; k++) {                                                                          \
				const u32 l = STORED_LANE(k, sizeof(T) * (n));                                                         \
				((T *)(to))[i] = s[l];                                                                                 \
			}                                                                                                          \
		else                                                                                                           \
			FOR_STORES(l, mask, sizeof(T) * (n))((T *)(to))[i] = s[l];                                                 \
	}

/* base: what to add to an address for its bytes; 0: they are not in one allocation, or not all aligned. safe: addresses
 * of all lanes, those outside the mask like the first one's. */
#define GLOBAL_ADDRESSES(store, bytes)                                                                                 \
	enum { WIDE = (bytes) };                                                                                           \
	_Alignas(64) u64 room[LANES], chosen[LANES];                                                                       \
	const u32 mask = w->mask;                                                                                          \
	const u64 *addr = lane_addresses(w, op, room), *safe = mask == ALL_LANES ? addr : chosen;                          \
	const Span span = mask == ALL_LANES ? full_span(addr) : active_span(addr, mask, chosen);                           \
	const bool aligned = !(span.low_bits & (WIDE - 1));                                                                \
	u8 *p = aligned ? global_bytes(w->worker, op, store, span.lo, span.hi - span.lo + WIDE) : NULL;                    \
	const uintptr_t base = p ? (uintptr_t)p - span.lo : 0;

/* T: what a lane takes from memory, n of them one after the other into list's places. */
#define LOAD_GLOBAL(name, T, n)                                                                                        \
	static NOINLINE const Op *any_##name(Warp *w, const Op *op) {                                                      \
		GLOBAL_ADDRESSES(false, sizeof(T) * (n))                                                                       \
		T t[n][LANES];                                                                                                 \
		if (op->flags & OPF_SYNC) w->spinning.sync_ops++;                                                              \
		if (LIKELY(base)) {                                                                                            \
			LOAD_LANES(T, n, t, base, safe)                                                                            \
		} else {                                                                                                       \
			u8 *at[LANES];                                                                                             \
			const u32 found = look_up(w, op, false, addr, mask, WIDE, at);                                             \
			if (found != mask) return fault_access(w, op, SPACE_GLOBAL, ACCESS_LOAD, addr, mask & ~found);             \
			for (u32 l = 0; l < LANES; l++)                                                                            \
				for (u32 i = 0; i < (n); i++) t[i][l] = (mask >> l & 1) ? ((const T *)at[l])[i] : 0;                   \
		}                                                                                                              \
		if (w->reports.accesses) report_lanes(w, op, ACCESS_LOAD, SPACE_GLOBAL, WIDE);                                 \
		BLEND_ALL(T, n, t)                                                                                             \
		return op + 1;                                                                                                 \
	}

#define STORE_GLOBAL(name, T, n)                                                                                       \
	static NOINLINE const Op *any_##name(Warp *w, const Op *op) {                                                      \
		GLOBAL_ADDRESSES(true, sizeof(T) * (n))                                                                        \
		u8 *at[LANES];                                                                                                 \
		if (LIKELY(base)) {                                                                                            \
			EACH_LANE at[l] = (u8 *)(base + safe[l]);                                                                  \
		} else {                                                                                                       \
			const u32 found = look_up(w, op, true, addr, mask, WIDE, at);                                              \
			if (found != mask) return fault_access(w, op, SPACE_GLOBAL, ACCESS_STORE, addr, mask & ~found);            \
		}                                                                                                              \
		if (w->reports.accesses) report_lanes(w, op, ACCESS_STORE, SPACE_GLOBAL, WIDE);                                \
		mark_written(w, op, mask, addr, WIDE);                                                                         \
		STORE_LANES(T, n, at[l])                                                                                       \
		return op + 1;                                                                                                 \
	}

/* Shared memory is checked for the warp as a whole; fault_access finds out which lanes were wrong. */
#define SHARED_ADDRESSES(bytes, kind)                                                                                  \
	_Alignas(64) u64 room[LANES], chosen[LANES];                                                                       \
	const u64 *addr = lane_addresses(w, op, room), *safe = addr;                                                       \
	const u32 mask = w->mask;                                                                                          \
	Span span;                                                                                                         \
	if (LIKELY(mask == ALL_LANES))                                                                                     \
		span = full_span(addr);                                                                                        \
	else                                                                                                               \
		span = active_span(addr, mask, chosen), safe = chosen;                                                         \
	if (span.hi >= w->shared_bytes || span.hi + (bytes) > w->shared_bytes || (span.low_bits & ((bytes)-1)))            \
		return fault_access(w, op, SPACE_SHARED, kind, addr, mask);                                                    \
	if (w->reports.accesses) report_lanes(w, op, kind, SPACE_SHARED, bytes);

/* prefix: any, of handlers with a fast path, or run. The address may be in one of the destination registers. */
#define LOAD_SHARED(prefix, name, T, n)                                                                                \
	static NOINLINE const Op *prefix##_##name(Warp *w, const Op *op) {                                                 \
		SHARED_ADDRESSES(sizeof(T) * (n), ACCESS_LOAD)                                                                 \
		const uintptr_t base = (uintptr_t)w->shared;                                                                   \
		_Alignas(64) T t[n][LANES];                                                                                    \
		if (op->flags & OPF_SYNC) w->spinning.sync_ops++;                                                              \
		LOAD_LANES(T, n, t, base, safe)                                                                                \
		BLEND_ALL(T, n, t)                                                                                             \
		return op + 1;                                                                                                 \
	}

#define STORE_SHARED(prefix, name, T, n)                                                                               \
	static NOINLINE const Op *prefix##_##name(Warp *w, const Op *op) {                                                 \
		SHARED_ADDRESSES(sizeof(T) * (n), ACCESS_STORE)                                                                \
		u8 *p = w->shared;                                                                                             \
		STORE_LANES(T, n, p + safe[l])                                                                                 \
		return op + 1;                                                                                                 \
	}

LOAD_GLOBAL(ld_global_32, u32, 1)
LOAD_GLOBAL(ld_global_64, u64, 1)
LOAD_GLOBAL(ld_global_v2_32, u32, 2)
LOAD_GLOBAL(ld_global_v4_32, u32, 4)
STORE_GLOBAL(st_global_32, u32, 1)
STORE_GLOBAL(st_global_64, u64, 1)
STORE_GLOBAL(st_global_v2_32, u32, 2)
STORE_GLOBAL(st_global_v4_32, u32, 4)
LOAD_SHARED(any, ld_shared_32, u32, 1)
LOAD_SHARED(any, ld_shared_64, u64, 1)
LOAD_SHARED(run, ld_shared_v2_32, u32, 2)
LOAD_SHARED(run, ld_shared_v4_32, u32, 4)
STORE_SHARED(any, st_shared_32, u32, 1)
STORE_SHARED(any, st_shared_64, u64, 1)
STORE_SHARED(run, st_shared_v2_32, u32, 2)
STORE_SHARED(run, st_shared_v4_32, u32, 4)

/* --- fast paths --------------------------------------------------------------------------------------------------- */

/* Most accesses: all lanes are active. These read the address registers as they are, apart from the offset, and leave
 * everything else to the functions above. */

/* The bytes of all lanes if they access one aligned row of the allocation that op used last; NULL: to be looked at
 * closely. */
LANE u8 *global_row(Warp *w, const Op *op, bool store, u32 wide) {
	const u64 *base = REG(const u64, op->a);
	const u64 first = base[0] + (u64)op->imm;
	if (UNLIKELY(w->mask != ALL_LANES) || (first & (wide - 1)) || !is_row_64(base, LANES, wide)) return NULL;
	u8 *p = cached_bytes(w->worker, op, store, first, wide * LANES);
	if (!p || (store && w->worker->cache[1][op->cache_slot]->written)) return NULL;
	if (!store && (op->flags & OPF_SYNC)) w->spinning.sync_ops++;
	fetch_ahead(w, op, store, p, first, wide * LANES);
	if (w->reports.accesses)
		report_form(w, op, store ? ACCESS_STORE : ACCESS_LOAD, SPACE_GLOBAL,
					access_form(HALF_ROW, HALF_ROW, 16 * wide));
	return p;
}

#define HOT_LOAD_GLOBAL(name, T, n)                                                                                    \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		const u8 *p = global_row(w, op, false, sizeof(T) * (n));                                                       \
		if (!p) return any_##name(w, op);                                                                              \
		for (u32 i = 0; i < (n); i++) {                                                                                \
			T *d = REG(T, (n) == 1 ? op->d : op->list[i]);                                                             \
			EACH_LANE d[l] = ((const T *)p)[l * (n) + i];                                                              \
		}                                                                                                              \
		return op + 1;                                                                                                 \
	}

#define HOT_STORE_GLOBAL(name, T, n)                                                                                   \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		u8 *p = global_row(w, op, true, sizeof(T) * (n));                                                              \
		if (!p) return any_##name(w, op);                                                                              \
		for (u32 i = 0; i < (n); i++) {                                                                                \
			const T *s = REG(const T, (n) == 1 ? op->b : op->list[i]);                                                 \
			EACH_LANE((T *)p)[l * (n) + i] = s[l];                                                                     \
		}                                                                                                              \
		return op + 1;                                                                                                 \
	}

/* bits: of the address registers. The addresses may be in the register that is loaded: it is then of their size. */
#define HOT_SHARED(any, name, T, bits)                                                                                 \
	static const Op *run_ld_##name(Warp *w, const Op *op) {                                                            \
		const u##bits *base = REG(const u##bits, op->a);                                                               \
		const u64 off = (u64)op->imm;                                                                                  \
		if (UNLIKELY(w->mask != ALL_LANES) || !fits_shared_##bits(w, base, off, sizeof(T)))                            \
			return any_ld_##any(w, op);                                                                                \
		if (op->flags & OPF_SYNC) w->spinning.sync_ops++;                                                              \
		const u32 form[2] = HALF_FORMS(bits, base, sizeof(T));                                                         \
		if (w->reports.accesses)                                                                                       \
			report_form(w, op, ACCESS_LOAD, SPACE_SHARED, access_form(form[0], form[1], (u64)base[16] - base[0]));     \
		const u8 *from = w->shared + off;                                                                              \
		T *d = REG(T, op->d);                                                                                          \
		GATHER(T, d, from, base, form)                                                                                 \
		return op + 1;                                                                                                 \
	}                                                                                                                  \
	static const Op *run_st_##name(Warp *w, const Op *op) {                                                            \
		const u##bits *base = REG(const u##bits, op->a);                                                               \
		const u64 off = (u64)op->imm;                                                                                  \
		if (UNLIKELY(w->mask != ALL_LANES) || !fits_shared_##bits(w, base, off, sizeof(T)))                            \
			return any_st_##any(w, op);                                                                                \
		const bool row = is_row_##bits(base, LANES, sizeof(T));                                                        \
		if (w->reports.accesses && row)                                                                                \
			report_form(w, op, ACCESS_STORE, SPACE_SHARED, access_form(HALF_ROW, HALF_ROW, 16 * sizeof(T)));           \
		else if (w->reports.accesses)                                                                                  \
			report_lanes(w, op, ACCESS_STORE, SPACE_SHARED, sizeof(T));                                                \
		u8 *to = w->shared + off;                                                                                      \
		const T *s = REG(const T, op->b);                                                                              \
		if (row) {                                                                                                     \
			T *first = (T *)(to + base[0]);                                                                            \
			EACH_LANE first[l] = s[l];                                                                                 \
		} else {                                                                                                       \
			_Pragma("GCC unroll 8") for (unsigned k = 0; k < LANES; k++) {                                             \
				const unsigned l = STORED_LANE(k, sizeof(T));                                                          \
				*(T *)(to + base[l]) = s[l];                                                                           \
			}                                                                                                          \
		}                                                                                                              \
		return op + 1;                                                                                                 \
	}

HOT_LOAD_GLOBAL(ld_global_32, u32, 1)
HOT_LOAD_GLOBAL(ld_global_64, u64, 1)
HOT_LOAD_GLOBAL(ld_global_v2_32, u32, 2)
HOT_LOAD_GLOBAL(ld_global_v4_32, u32, 4)
HOT_STORE_GLOBAL(st_global_32, u32, 1)
HOT_STORE_GLOBAL(st_global_64, u64, 1)
HOT_STORE_GLOBAL(st_global_v2_32, u32, 2)
HOT_STORE_GLOBAL(st_global_v4_32, u32, 4)
HOT_SHARED(shared_32, shared_32, u32, 64)
HOT_SHARED(shared_64, shared_64, u64, 64)
HOT_SHARED(shared_32, shared_32_at_32, u32, 32)
HOT_SHARED(shared_64, shared_64_at_32, u64, 32)

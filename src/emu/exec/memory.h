/* Loads and stores. Part of exec.c.
 * Fast path: all 32 lanes are active with consecutive addresses: one bounds check, one copy. Otherwise the lowest and
 * highest address are checked against the allocation that this op used last, and lanes are processed one by one; only
 * addresses outside it are looked up per lane. */

#define ALL_LANES 0xffffffffu

LANE const u64 *lane_addresses(const Warp *w, const Op *op, u64 *room) {
	if (op->flags & OPF_ADDR32) {
		const u32 *base = REG(const u32, op->a);
		const u32 off = (u32)op->imm;
		EACH_LANE room[l] = (u32)(base[l] + off);
		return room;
	}
	const u64 *base = REG(const u64, op->a);
	const u64 off = (u64)op->imm;
	if (!off) return base;
	EACH_LANE room[l] = base[l] + off;
	return room;
}

LANE bool consecutive(const u64 *addr, u64 step) {
	const u64 first = addr[0];
	u64 off = first & (step - 1);
	_Pragma("omp simd reduction(|:off)") for (unsigned l = 0; l < LANES; l++) off |= addr[l] ^ (first + l * step);
	return off == 0;
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

/* d[l] = the element at base + addr[l], modulo 2^64: addresses of mapped memory are above those of its bytes here.
 * Blocks 16 or 32 threads wide mostly ask for a row or a single element in each half-warp. */
#define GATHER(T, d, base, addr)                                                                                       \
	for (unsigned half_ = 0; half_ < LANES; half_ += 16) {                                                             \
		const u64 *const at_ = (addr) + half_, first_ = at_[0];                                                        \
		u64 row_ = 0, one_ = 0;                                                                                        \
		_Pragma("omp simd reduction(|:row_,one_)") for (unsigned l = 0; l < 16; l++) {                                 \
			row_ |= at_[l] ^ (first_ + l * sizeof(T));                                                                 \
			one_ |= at_[l] ^ first_;                                                                                   \
		}                                                                                                              \
		if (!row_) {                                                                                                   \
			const T *from_ = (const T *)((base) + first_);                                                             \
			_Pragma("omp simd") for (unsigned l = 0; l < 16; l++)(d)[half_ + l] = from_[l];                            \
		} else if (!one_) {                                                                                            \
			const T value_ = *(const T *)((base) + first_);                                                            \
			_Pragma("omp simd") for (unsigned l = 0; l < 16; l++)(d)[half_ + l] = value_;                              \
		} else {                                                                                                       \
			_Pragma("GCC unroll 8") for (unsigned l = 0; l < 16; l++)(d)[half_ + l] = *(const T *)((base) + at_[l]);   \
		}                                                                                                              \
	}

/* The next warp usually continues with the same step: prefetch its lines. */
LANE void fetch_ahead(Warp *w, const Op *op, bool store, const u8 *p, u64 addr, u32 bytes) {
	u64 *const last = &w->worker->last[store][op->cache_slot];
	const uintptr_t next = (uintptr_t)p + (uintptr_t)(addr - *last);
	*last = addr;
	for (u32 at = 0; at < bytes; at += 64) {
		if (store)
			__builtin_prefetch((const void *)(next + at), 1);
		else
			__builtin_prefetch((const void *)(next + at), 0);
	}
}

LANE void mark_written(Warp *w, const Op *op, u32 mask, const u64 *addr, u32 bytes) {
	Allocation *a = w->worker->cache[1][op->cache_slot];
	if (LIKELY(!a->written)) return;
	for (u32 m = mask; m; m &= m - 1) {
		const u32 l = first_lane(m);
		if (addr[l] - a->base >= a->bytes) a = memory_find_cached(w, op, addr[l]);
		if (!a) return; /* another thread has just freed it */
		allocation_mark(a, addr[l] - a->base, bytes);
	}
}

/* Pointers to the lanes' bytes, one lookup at a time; the returned mask leaves out lanes without one. */
LANE u32 look_up(Warp *w, const Op *op, bool store, const u64 *addr, u32 mask, u32 bytes, u8 **at) {
	u32 found = 0;
	for (u32 m = mask; m; m &= m - 1) {
		const u32 l = first_lane(m);
		at[l] = cached_bytes(w->worker, op, store, addr[l], bytes);
		if (!at[l]) at[l] = find_bytes(w->worker, op, store, addr[l], bytes);
		if (at[l] && !(addr[l] & (bytes - 1))) found |= 1u << l;
	}
	return found;
}

/* T: what a lane takes from memory, n of them one after the other into list's places. */
#define LOAD_GLOBAL(name, T, n)                                                                                        \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		enum { WIDE = sizeof(T) * (n) };                                                                               \
		_Alignas(64) u64 room[LANES];                                                                                  \
		const u64 *addr = lane_addresses(w, op, room);                                                                 \
		const u32 mask = w->mask;                                                                                      \
		if (op->flags & OPF_SYNC) w->sync_ops++;                                                                       \
		if (LIKELY(mask == ALL_LANES) && consecutive(addr, WIDE)) {                                                    \
			const u8 *p = cached_bytes(w->worker, op, false, addr[0], WIDE * LANES);                                   \
			if (!p) p = find_bytes(w->worker, op, false, addr[0], WIDE * LANES);                                       \
			if (LIKELY(p)) {                                                                                           \
				fetch_ahead(w, op, false, p, addr[0], WIDE *LANES);                                                    \
				if (w->observed) report_inside(w, op, ACCESS_LOAD, SPACE_GLOBAL, mask, addr, 0);                       \
				const T *from = (const T *)p;                                                                          \
				for (u32 i = 0; i < (n); i++) {                                                                        \
					T *d = REG(T, (n) == 1 ? op->d : op->list[i]);                                                     \
					EACH_LANE d[l] = from[l * (n) + i];                                                                \
				}                                                                                                      \
				return op + 1;                                                                                         \
			}                                                                                                          \
		}                                                                                                              \
		_Alignas(64) u64 safe[LANES];                                                                                  \
		const Span span = active_span(addr, mask, safe);                                                               \
		const u64 reach = span.hi - span.lo + WIDE;                                                                    \
		const bool aligned = !(span.low_bits & (WIDE - 1));                                                            \
		T t[n][LANES];                                                                                                 \
		const u8 *p = aligned ? cached_bytes(w->worker, op, false, span.lo, reach) : NULL;                             \
		if (!p && aligned) p = find_bytes(w->worker, op, false, span.lo, reach);                                       \
		if (LIKELY(p)) {                                                                                               \
			const uintptr_t base = (uintptr_t)p - span.lo;                                                             \
			if ((n) == 1) {                                                                                            \
				GATHER(T, t[0], base, safe)                                                                            \
			} else {                                                                                                   \
				for (u32 l = 0; l < LANES; l++)                                                                        \
					for (u32 i = 0; i < (n); i++) t[i][l] = ((const T *)(base + safe[l]))[i];                          \
			}                                                                                                          \
		} else {                                                                                                       \
			u8 *at[LANES];                                                                                             \
			const u32 found = look_up(w, op, false, addr, mask, WIDE, at);                                             \
			if (found != mask) return fault_access(w, op, SPACE_GLOBAL, ACCESS_LOAD, addr, mask & ~found);             \
			for (u32 l = 0; l < LANES; l++)                                                                            \
				for (u32 i = 0; i < (n); i++) t[i][l] = (mask >> l & 1) ? ((const T *)at[l])[i] : 0;                   \
		}                                                                                                              \
		if (w->observed) report_inside(w, op, ACCESS_LOAD, SPACE_GLOBAL, mask, addr, 0);                               \
		for (u32 i = 0; i < (n); i++) {                                                                                \
			T *d = REG(T, (n) == 1 ? op->d : op->list[i]);                                                             \
			BLEND(d, t[i], mask);                                                                                      \
		}                                                                                                              \
		return op + 1;                                                                                                 \
	}

#define STORE_GLOBAL(name, T, n)                                                                                       \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		enum { WIDE = sizeof(T) * (n) };                                                                               \
		_Alignas(64) u64 room[LANES];                                                                                  \
		const u64 *addr = lane_addresses(w, op, room);                                                                 \
		const u32 mask = w->mask;                                                                                      \
		if (LIKELY(mask == ALL_LANES) && consecutive(addr, WIDE)) {                                                    \
			u8 *p = cached_bytes(w->worker, op, true, addr[0], WIDE * LANES);                                          \
			if (!p) p = find_bytes(w->worker, op, true, addr[0], WIDE * LANES);                                        \
			if (LIKELY(p)) {                                                                                           \
				fetch_ahead(w, op, true, p, addr[0], WIDE *LANES);                                                     \
				if (w->observed) report_inside(w, op, ACCESS_STORE, SPACE_GLOBAL, mask, addr, 0);                      \
				mark_written(w, op, mask, addr, WIDE);                                                                 \
				T *to = (T *)p;                                                                                        \
				for (u32 i = 0; i < (n); i++) {                                                                        \
					const T *s = REG(const T, (n) == 1 ? op->b : op->list[i]);                                         \
					EACH_LANE to[l * (n) + i] = s[l];                                                                  \
				}                                                                                                      \
				return op + 1;                                                                                         \
			}                                                                                                          \
		}                                                                                                              \
		_Alignas(64) u64 safe[LANES];                                                                                  \
		const Span span = active_span(addr, mask, safe);                                                               \
		const u64 reach = span.hi - span.lo + WIDE;                                                                    \
		const bool aligned = !(span.low_bits & (WIDE - 1));                                                            \
		u8 *p = aligned ? cached_bytes(w->worker, op, true, span.lo, reach) : NULL;                                    \
		if (!p && aligned) p = find_bytes(w->worker, op, true, span.lo, reach);                                        \
		u8 *at[LANES];                                                                                                 \
		if (LIKELY(p)) {                                                                                               \
			const uintptr_t base = (uintptr_t)p - span.lo;                                                             \
			EACH_LANE at[l] = (u8 *)(base + safe[l]);                                                                  \
		} else {                                                                                                       \
			const u32 found = look_up(w, op, true, addr, mask, WIDE, at);                                              \
			if (found != mask) return fault_access(w, op, SPACE_GLOBAL, ACCESS_STORE, addr, mask & ~found);            \
		}                                                                                                              \
		if (w->observed) report_inside(w, op, ACCESS_STORE, SPACE_GLOBAL, mask, addr, 0);                              \
		mark_written(w, op, mask, addr, WIDE);                                                                         \
		for (u32 i = 0; i < (n); i++) {                                                                                \
			const T *s = REG(const T, (n) == 1 ? op->b : op->list[i]);                                                 \
			if (mask == ALL_LANES)                                                                                     \
				for (u32 l = 0; l < LANES; l++) ((T *)at[l])[i] = s[l];                                                \
			else                                                                                                       \
				for (u32 m = mask; m; m &= m - 1) ((T *)at[first_lane(m)])[i] = s[first_lane(m)];                      \
		}                                                                                                              \
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
	if (w->observed) report_inside(w, op, kind, SPACE_SHARED, mask, addr, span.hi + (bytes));

#define LOAD_SHARED(name, T)                                                                                           \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		SHARED_ADDRESSES(sizeof(T), ACCESS_LOAD)                                                                       \
		if (op->flags & OPF_SYNC) w->sync_ops++;                                                                       \
		const uintptr_t base = (uintptr_t)w->shared;                                                                   \
		T *d = REG(T, op->d);                                                                                          \
		if (LIKELY(!w->masked)) {                                                                                      \
			GATHER(T, d, base, safe)                                                                                   \
		} else {                                                                                                       \
			_Alignas(64) T t[LANES];                                                                                   \
			GATHER(T, t, base, safe)                                                                                   \
			BLEND(d, t, mask);                                                                                         \
		}                                                                                                              \
		return op + 1;                                                                                                 \
	}

/* n of them one after the other. Rows and columns of products: usually many lanes load the same word. The address may
 * be in one of the destination registers. */
#define LOAD_SHARED_WIDE(name, T, n)                                                                                   \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		SHARED_ADDRESSES(sizeof(T) * (n), ACCESS_LOAD)                                                                 \
		if (op->flags & OPF_SYNC) w->sync_ops++;                                                                       \
		const u8 *p = w->shared;                                                                                       \
		_Alignas(64) T t[n][LANES];                                                                                    \
		for (u32 l = 0; l < LANES; l++)                                                                                \
			for (u32 i = 0; i < (n); i++) t[i][l] = ((const T *)(p + safe[l]))[i];                                     \
		for (u32 i = 0; i < (n); i++) {                                                                                \
			T *d = REG(T, op->list[i]);                                                                                \
			BLEND(d, t[i], mask);                                                                                      \
		}                                                                                                              \
		return op + 1;                                                                                                 \
	}

#define STORE_SHARED_WIDE(name, T, n)                                                                                  \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		SHARED_ADDRESSES(sizeof(T) * (n), ACCESS_STORE)                                                                \
		u8 *p = w->shared;                                                                                             \
		for (u32 i = 0; i < (n); i++) {                                                                                \
			const T *s = REG(const T, op->list[i]);                                                                    \
			if (LIKELY(mask == ALL_LANES))                                                                             \
				for (u32 l = 0; l < LANES; l++) ((T *)(p + safe[l]))[i] = s[l];                                        \
			else                                                                                                       \
				for (u32 m = mask; m; m &= m - 1) ((T *)(p + safe[first_lane(m)]))[i] = s[first_lane(m)];              \
		}                                                                                                              \
		return op + 1;                                                                                                 \
	}

#define STORE_SHARED(name, T)                                                                                          \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		SHARED_ADDRESSES(sizeof(T), ACCESS_STORE)                                                                      \
		u8 *p = w->shared;                                                                                             \
		const T *s = REG(const T, op->b);                                                                              \
		if (LIKELY(mask == ALL_LANES)) {                                                                               \
			if (consecutive(addr, sizeof(T))) {                                                                        \
				T *to = (T *)(p + addr[0]);                                                                            \
				EACH_LANE to[l] = s[l];                                                                                \
			} else {                                                                                                   \
				_Pragma("GCC unroll 8") for (u32 l = 0; l < LANES; l++) * (T *)(p + safe[l]) = s[l];                   \
			}                                                                                                          \
		} else {                                                                                                       \
			for (u32 m = mask; m; m &= m - 1) *(T *)(p + safe[first_lane(m)]) = s[first_lane(m)];                      \
		}                                                                                                              \
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
LOAD_SHARED(ld_shared_32, u32)
LOAD_SHARED(ld_shared_64, u64)
LOAD_SHARED_WIDE(ld_shared_v2_32, u32, 2)
LOAD_SHARED_WIDE(ld_shared_v4_32, u32, 4)
STORE_SHARED(st_shared_32, u32)
STORE_SHARED(st_shared_64, u64)
STORE_SHARED_WIDE(st_shared_v2_32, u32, 2)
STORE_SHARED_WIDE(st_shared_v4_32, u32, 4)

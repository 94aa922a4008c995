/* Turns alu.def into handlers. If every relevant lane is active, a handler writes all 32 lanes; otherwise it computes
 * 32 results and blends them. Part of exec.c. */

/* d[l] = t[l] for the lanes in mask */
#define BLEND(d, t, mask)                                                                                              \
	do {                                                                                                               \
		const u32 m_ = (mask);                                                                                         \
		EACH_LANE(d)[l] = (m_ >> l & 1) ? (t)[l] : (d)[l];                                                             \
	} while (0)

#define RESULT(D, operands, expr)                                                                                      \
	D *d = REG(D, op->d);                                                                                              \
	if (LIKELY(!w->masked)) {                                                                                          \
		EACH_LANE {                                                                                                    \
			operands d[l] = (D)(expr);                                                                                 \
		}                                                                                                              \
	} else {                                                                                                           \
		D t[LANES];                                                                                                    \
		EACH_LANE {                                                                                                    \
			operands t[l] = (D)(expr);                                                                                 \
		}                                                                                                              \
		BLEND(d, t, w->mask);                                                                                          \
	}                                                                                                                  \
	return op + 1;

#define OP1(name, forms, D, A, expr)                                                                                   \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		const A *pa = REG(const A, op->a);                                                                             \
		const s64 imm = op->imm;                                                                                       \
		(void)imm;                                                                                                     \
		RESULT(D, const A a = pa[l];, expr)                                                                            \
	}
#define OP2(name, forms, D, A, B, expr)                                                                                \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		const A *pa = REG(const A, op->a);                                                                             \
		const B *pb = REG(const B, op->b);                                                                             \
		RESULT(D, const A a = pa[l]; const B b = pb[l];, expr)                                                         \
	}
#define OP3(name, forms, D, A, B, C, expr)                                                                             \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		const A *pa = REG(const A, op->a);                                                                             \
		const B *pb = REG(const B, op->b);                                                                             \
		const C *pc = REG(const C, op->c);                                                                             \
		const s64 imm = op->imm;                                                                                       \
		(void)imm;                                                                                                     \
		RESULT(D, const A a = pa[l]; const B b = pb[l]; const C c = pc[l];, expr)                                      \
	}
#define OP4(name, forms, D, A, B, C, E, expr)                                                                          \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		const A *pa = REG(const A, op->a);                                                                             \
		const B *pb = REG(const B, op->b);                                                                             \
		const C *pc = REG(const C, op->c);                                                                             \
		const E *pe = REG(const E, op->e);                                                                             \
		RESULT(D, const A a = pa[l]; const B b = pb[l]; const C c = pc[l]; const E e = pe[l];, expr)                   \
	}
#define CMP(name, forms, A, expr)                                                                                      \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		const A *pa = REG(const A, op->a), *pb = REG(const A, op->b);                                                  \
		s32 t[LANES];                                                                                                  \
		EACH_LANE {                                                                                                    \
			const A a = pa[l], b = pb[l];                                                                              \
			(void)b;                                                                                                   \
			t[l] = (expr) ? -1 : 0;                                                                                    \
		}                                                                                                              \
		u32 *d = REG(u32, op->d);                                                                                      \
		*d = (*d & ~w->mask) | (lanes_of(t) & w->mask);                                                                \
		return op + 1;                                                                                                 \
	}
#define SEL(name, forms, D)                                                                                            \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		const D *pa = REG(const D, op->a), *pb = REG(const D, op->b);                                                  \
		const u32 p = *REG(u32, op->c) ^ (op->flags & OPF_NEGATED ? ~0u : 0u);                                         \
		RESULT(D, const D a = pa[l]; const D b = pb[l];, (p >> l & 1) ? a : b)                                         \
	}
/* Lanes whose result is the smallest normal number are uncommon: they are recomputed one by one. */
#define TINY(name, operands, expr, exact)                                                                              \
	static const Op *run_##name(Warp *w, const Op *op) {                                                               \
		const f32 *pa = REG(const f32, op->a), *pb = REG(const f32, op->b), *pc = REG(const f32, op->c);               \
		f32 t[LANES];                                                                                                  \
		s32 tiny[LANES];                                                                                               \
		(void)pc;                                                                                                      \
		EACH_LANE {                                                                                                    \
			operands t[l] = (expr);                                                                                    \
			tiny[l] = (f32_bits(t[l]) & 0x7fffffffu) == 0x00800000u ? -1 : 0;                                          \
		}                                                                                                              \
		for (u32 suspects = lanes_of(tiny); suspects; suspects &= suspects - 1) {                                      \
			const unsigned l = (unsigned)__builtin_ctz(suspects);                                                      \
			operands if (fabs(exact) < 0x1.ffffffp-127) t[l] = copysignf(0, t[l]);                                     \
		}                                                                                                              \
		f32 *d = REG(f32, op->d);                                                                                      \
		BLEND(d, t, w->masked ? w->mask : ~0u);                                                                        \
		return op + 1;                                                                                                 \
	}
#define TINY2(name, forms, expr, exact) TINY(name, const f32 a = pa[l]; const f32 b = pb[l];, expr, exact)
#define TINY3(name, forms, expr, exact)                                                                                \
	TINY(name, const f32 a = pa[l]; const f32 b = pb[l]; const f32 c = pc[l];, expr, exact)
/* What the halves of a pair compute. */
#define HALVES1(name, t, form, expr)                                                                                   \
	LANE u16 one_##name##_##t(u16 a) {                                                                                 \
		return (u16)(expr);                                                                                            \
	}                                                                                                                  \
	HALVES_ROWS1(name, t, form, expr)
#define HALVES2(name, t, form, expr)                                                                                   \
	LANE u16 one_##name##_##t(u16 a, u16 b) {                                                                          \
		return (u16)(expr);                                                                                            \
	}                                                                                                                  \
	HALVES_ROWS2(name, t, form, expr)
#define HALVES3(name, t, form, expr)                                                                                   \
	LANE u16 one_##name##_##t(u16 a, u16 b, u16 c) {                                                                   \
		return (u16)(expr);                                                                                            \
	}                                                                                                                  \
	HALVES_ROWS3(name, t, form, expr)
#include "emu/code/alu.def"

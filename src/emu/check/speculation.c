/* speculation.h */
#include "emu/check/speculation.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void speculative_free(SpeculativeValues *v) {
	free(v->values);
	*v = (SpeculativeValues){0};
}

void speculative_forget(SpeculativeValues *v) {
	if (v->n) memset(v->values, 0, v->n * sizeof *v->values);
}

void speculative_set(SpeculativeValues *v, uint32_t number, uint32_t lane, const Unwritten *value) {
	if (number == NOT_SPECULATIVE) return;
	if (number >= v->n) {
		const uint32_t n = number + 1;
		shadow_take(v->shadow, "init", (n - v->n) * sizeof *v->values);
		v->values = xrealloc(v->values, n * sizeof *v->values);
		memset(v->values + v->n, 0, (n - v->n) * sizeof *v->values);
		v->n = n;
	}
	v->values[number][lane] = *value;
}

/* A register of another call has another value, which is not known any more. */
static Unwritten value_of(const SpeculativeValues *v, const Speculation *s, uint32_t number, uint32_t lane) {
	if (number >= v->n || v->values[number][lane].depth != s->depth) return (Unwritten){0};
	return v->values[number][lane];
}

static void assign(SpeculativeValues *v, const Speculation *s, uint32_t lane, Unwritten value) {
	for (uint32_t i = 0; i < s->step->nwrites; i++)
		if (value.load || s->step->writes[i] < v->n) speculative_set(v, s->step->writes[i], lane, &value);
}

static Unwritten selected(const SpeculativeValues *v, const Speculation *s, uint32_t lane) {
	return value_of(v, s, s->step->reads[s->picked >> lane & 1 ? 0 : 1], lane);
}

/* The first of the values that are moved together that was not written. */
static Unwritten moved(const SpeculativeValues *v, const Speculation *s, uint32_t lane) {
	Unwritten value = {0};
	for (uint32_t i = 0; i < s->step->nreads && !value.load; i++) value = value_of(v, s, s->step->reads[i], lane);
	return value;
}

static void use(SpeculativeValues *v, const Speculation *s, uint32_t lane, SpeculativeUse used, void *data) {
	for (uint32_t i = 0; i < s->step->nreads; i++) {
		const Unwritten value = value_of(v, s, s->step->reads[i], lane);
		if (!value.load) continue;
		used(data, s, lane, &value);
		v->values[s->step->reads[i]][lane] = (Unwritten){0};
	}
}

void speculative_step(SpeculativeValues *v, const Speculation *s, SpeculativeUse used, void *data) {
	FOR_LANES(l, s->mask) {
		Unwritten value = {0};
		switch (s->step->kind) {
		case SPECULATION_SELECT: value = selected(v, s, l); break;
		case SPECULATION_MOVE: value = moved(v, s, l); break;
		default: use(v, s, l, used, data);
		}
		assign(v, s, l, value);
	}
}

/* internal.h: what pointers point to, as parameters and as fields of structures. */
#include <string.h>

#include "bind/internal.h"

Layouts *bind_layouts(const ModuleBox *module) {
	Holder *holder = module->layouts;
	if (!holder->data && module->source && module->compiled)
		holder->data = layouts_new(module->source, module->compiled->headers);
	return holder->data;
}

const Layout *bind_layout(const ModuleBox *module, const char *name, size_t len, const char **why) {
	Layouts *layouts = bind_layouts(module);
	*why = "the source is not there";
	return layouts ? layouts_find(layouts, name, len, why) : NULL;
}

bool bind_may_stand_for(ElemType has, ElemType wants) {
	if (has == wants || elem_bytes(has) == 1 || elem_bytes(wants) == 1) return true;
	return !elem_is_float(has) && !elem_is_float(wants) && elem_bytes(has) == elem_bytes(wants);
}

static bool holds_pointers(const BufferBox *box) {
	return !box->layout && !elem_is_float(box->type) && (elem_bytes(box->type) == 8 || elem_bytes(box->type) == 1);
}

static bool made_of(const Layout *layout, ElemType type) {
	bool all = true;
	for (size_t i = 0; i < layout->nfields && all; i++) all = bind_made_of(&layout->fields[i], type);
	return all;
}

bool bind_made_of(const LayoutField *field, ElemType type) {
	switch (field->kind) {
	case LAYOUT_NUMBER: return bind_may_stand_for(type, field->elem);
	case LAYOUT_BOOL: return elem_bytes(type) == 1;
	case LAYOUT_POINTER: return !elem_is_float(type) && elem_bytes(type) == 8;
	case LAYOUT_CLASS: break;
	}
	return made_of(field->class, type);
}

static bool same_class(const Layout *a, const Layout *b) {
	return a == b || (a->name && b->name && strcmp(a->name, b->name) == 0 && a->bytes == b->bytes);
}

static bool class_takes(Layouts *layouts, const Pointee *to, const BufferBox *box) {
	const Layout *layout = layouts ? layouts_find(layouts, to->name, to->name_len, NULL) : NULL;
	if (box->layout && layout) return same_class(box->layout, layout);
	if (box->layout)
		return strlen(box->layout->name) == to->name_len && !memcmp(box->layout->name, to->name, to->name_len);
	return !layout || layout->doubtful || elem_bytes(box->type) == 1 || made_of(layout, box->type);
}

static bool takes(Layouts *layouts, const Pointee *to, const BufferBox *box) {
	switch (to->kind) {
	case POINTEE_NUMBER:
		if (box->layout) return elem_bytes(to->elem) == 1 || made_of(box->layout, to->elem);
		return bind_may_stand_for(box->type, to->elem);
	case POINTEE_POINTER: return holds_pointers(box);
	case POINTEE_CLASS: return class_takes(layouts, to, box);
	case POINTEE_UNKNOWN: break;
	}
	return true;
}

bool bind_pointee_takes(lua_State *L, Layouts *layouts, const Pointee *to, const BufferBox *box, const char **why) {
	if (takes(layouts, to, box)) return true;
	const char *of = box->layout ? box->layout->name : elem_name(box->type), *hint = "";
	if (to->kind == POINTEE_POINTER)
		hint = ": pointers are elements of a buffer of \"unsigned long long\", set by b:upload { x, y }";
	if (to->kind == POINTEE_CLASS) {
		lua_pushlstring(L, to->name, to->name_len);
		hint = lua_pushfstring(L, ": module:buffer(\"%s\", count) makes a buffer of it", lua_tostring(L, -1));
	}
	*why = lua_pushfstring(L, "%s %s of %s%s", *box->name ? "the" : "a", bind_buffer_text(L, box), of, hint);
	return false;
}

/* A class that CUDA has, such as float4 and __half, is the number that it is made of. */
Pointee bind_pointee(const ParamType *pointer) {
	char name[32];
	size_t width;
	Pointee to = {.kind = POINTEE_UNKNOWN};
	if (pointer->kind != PARAM_POINTER) return to;
	if (pointer->stars > 1) return (Pointee){.kind = POINTEE_POINTER};
	if (pointer->typed) return (Pointee){.kind = POINTEE_NUMBER, .elem = pointer->elem};
	if (!pointer->name) return to;
	to = (Pointee){.kind = POINTEE_CLASS, .name = pointer->name, .name_len = pointer->name_len};
	if (pointer->name_len >= sizeof name) return to;
	memcpy(name, pointer->name, pointer->name_len);
	name[pointer->name_len] = '\0';
	if (layout_vector(name, pointer->name_len, &to.elem, &width) || elem_parse(name, &to.elem))
		to.kind = POINTEE_NUMBER;
	return to;
}

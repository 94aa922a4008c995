/* source.ptx(text): PTX for the stepper and for listings; lua/gpulab/warp/source/ptx.lua says what its tables hold. */
#include "bind/source/source.h"
#include "ptx/analysis/cfg.h"

#define CLASS_PTX "gpulab.ptx"

typedef struct {
	PtxModule *module;
} PtxBox;

static const PtxModule *check_ptx(lua_State *L) {
	const PtxBox *box = luaL_checkudata(L, 1, CLASS_PTX);
	luaL_argcheck(L, box->module, 1, "it is closed");
	return box->module;
}

static int ptx_gc(lua_State *L) {
	PtxBox *box = luaL_checkudata(L, 1, CLASS_PTX);
	ptx_free(box->module);
	box->module = NULL;
	return 0;
}

static void append(lua_State *L) {
	lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* --- instructions ------------------------------------------------------------------------------------------------- */

typedef struct {
	const char *op, *text, *file, *symbol, *calls;
	uint32_t at, line, inlined, to, address;
	bool guarded;
} Row;

typedef struct {
	lua_State *L;
	const PtxFunction *f;
} Registers;

static void add_register(void *data, uint32_t reg) {
	const Registers *r = data;
	lua_pushstring(r->L, r->f->regs[reg].name);
	append(r->L);
}

static void add_operand(Registers *r, const PtxOperand *o) {
	if (o->kind == OPERAND_INT) {
		lua_pushinteger(r->L, (lua_Integer)o->bits);
	} else {
		lua_newtable(r->L);
		if (o->kind == OPERAND_REG || o->has_base) add_register(r, o->reg);
		for (uint32_t i = 0; i < o->nitems; i++)
			if (o->items[i].kind == OPERAND_REG) add_register(r, o->items[i].reg);
	}
	append(r->L);
}

static void set_registers(Registers *r, const PtxInstr *in) {
	PtxInstr plain = *in;
	plain.guarded = false; /* its register is in no operand */
	lua_newtable(r->L);
	ptx_each_written(&plain, add_register, r);
	lua_setfield(r->L, -2, "writes");
	lua_newtable(r->L);
	ptx_each_read(&plain, add_register, r);
	lua_setfield(r->L, -2, "reads");
	lua_newtable(r->L);
	for (uint32_t i = 0; i < in->noperands; i++) add_operand(r, &in->operands[i]);
	lua_setfield(r->L, -2, "operands");
}

static Row row_of(const PtxModule *m, const PtxInstr *in) {
	Row row = {.op = m->forms[in->form],
			   .text = in->text,
			   .file = in->file ? m->files[in->file] : "",
			   .at = in->text_line,
			   .line = in->line,
			   .inlined = in->inlined_at,
			   .guarded = in->guarded};
	for (uint32_t i = 0; i < in->noperands; i++) {
		const PtxOperand *o = &in->operands[i];
		if (o->kind == OPERAND_LABEL) row.to = o->target + 1;
		if (o->kind == OPERAND_ADDRESS) row.address = i + 1;
		if (o->symbol) row.symbol = o->symbol->name;
		if (o->function) row.calls = o->function->name;
	}
	return row;
}

static void push_rows(lua_State *L, const PtxModule *m, const PtxFunction *f) {
	static const Key keys[] = {KEYS(Row, op, text, file, at, line),
							   KEYS_KNOWN(Row, inlined, to, address, symbol, calls, guarded), KEYS_END};
	lua_createtable(L, (int)f->ninstrs, 0);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const Row row = row_of(m, &f->instrs[i]);
		bind_push_keys(L, keys, &row);
		set_registers(&(Registers){L, f}, &f->instrs[i]);
		append(L);
	}
}

/* --- functions and variables -------------------------------------------------------------------------------------- */

static void push_variables(lua_State *L, PtxVar *const *vars, uint32_t n) {
	static const Key keys[] = {KEYS(PtxVar, name, bytes, offset), KEY_NAME(PtxVar, space, ptx_space_names), KEYS_END};
	lua_createtable(L, (int)n, 0);
	for (uint32_t i = 0; i < n; i++) {
		bind_push_keys(L, keys, vars[i]);
		append(L);
	}
}

static int ptx_code(lua_State *L) {
	static const Key named[] = {KEYS(PtxNamed, name, at), KEYS_END};
	static const Key keys[] = {KEYS(PtxFunction, entry), KEY_LIST(PtxFunction, labels, nlabels, named), KEYS_END};
	const PtxModule *m = check_ptx(L);
	const PtxFunction *f = ptx_function(m, luaL_checkstring(L, 2));
	if (!f || f->external) return 0;
	bind_push_keys(L, keys, f);
	push_variables(L, f->params, f->nparams);
	lua_setfield(L, -2, "params");
	push_variables(L, f->locals, f->nlocals);
	lua_setfield(L, -2, "locals");
	push_rows(L, m, f);
	lua_setfield(L, -2, "rows");
	lua_pushstring(L, m->target_name);
	lua_setfield(L, -2, "target");
	return 1;
}

static int ptx_variables(lua_State *L) {
	const PtxModule *m = check_ptx(L);
	push_variables(L, m->globals, m->nglobals);
	return 1;
}

static int ptx_debug(lua_State *L) {
	const PtxSection *s = ptx_section(check_ptx(L), luaL_checkstring(L, 2));
	if (!s) return 0;
	lua_pushlstring(L, (const char *)s->bytes, s->nbytes);
	lua_newtable(L);
	for (uint32_t i = 0; i < s->nnames; i++) {
		lua_pushstring(L, s->names[i].name);
		lua_rawseti(L, -2, (lua_Integer)s->names[i].at + 1);
	}
	return 2;
}

int source_ptx(lua_State *L) {
	static const luaL_Reg methods[] = {METHODS(ptx, code, variables, debug), METHODS_END};
	static const BindClass class = {.metatable = CLASS_PTX, .methods = methods, .release = ptx_gc};
	size_t len;
	const char *text = luaL_checklstring(L, 1, &len);
	if (luaL_getmetatable(L, CLASS_PTX) == LUA_TNIL) bind_class(L, &class);
	PtxBox *box = bind_box(L, sizeof *box, CLASS_PTX, 0);
	box->module = ptx_parse(text, len, bind_err());
	bind_must(L, box->module != NULL);
	return 1;
}

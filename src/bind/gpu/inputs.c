/* gpu.inputs: what a launch is given, kept so that the launch can be made again later. */
#include "device/inputs.h"

#include "bind/internal.h"

#define CLASS_INPUTS "gpulab.inputs"

/* A user value has all that the list is of: no module of it may go before. */
typedef struct {
	DeviceBox *owner;
	Inputs *inputs; /* NULL: freed */
} InputsBox;

int bind_inputs(lua_State *L) {
	const int first = bind_first_of_list(L);
	lua_settop(L, bind_after_list(L, first) - 1);
	const ListArg list = bind_check_list(L, first, NULL);
	const LaunchList launches = bind_list(&list);
	const int top = lua_gettop(L);
	InputsBox *box = bind_box(L, sizeof *box, CLASS_INPUTS, 1);
	lua_createtable(L, top, 0);
	for (int i = 1; i <= top; i++) {
		lua_pushvalue(L, i);
		lua_rawseti(L, -2, i);
	}
	lua_setiuservalue(L, -2, 1);
	box->owner = list.owner;
	bind_must(L, inputs_keep(bind_open(L, list.owner), &launches, &box->inputs, bind_err()));
	str_free(list.output);
	return 1;
}

static InputsBox *check_inputs(lua_State *L) {
	InputsBox *box = luaL_checkudata(L, 1, CLASS_INPUTS);
	if (!box->inputs || !box->owner->device) bind_bad(L, 1, "the inputs are closed");
	return box;
}

static int inputs_restore_(lua_State *L) {
	InputsBox *box = check_inputs(L);
	bind_must(L, inputs_restore(box->owner->device, box->inputs, bind_err()));
	return 0;
}

static int inputs_put_back_(lua_State *L) {
	InputsBox *box = check_inputs(L);
	bind_must(L, inputs_put_back(box->owner->device, box->inputs, bind_err()));
	return 0;
}

static int inputs_gc(lua_State *L) {
	InputsBox *box = luaL_checkudata(L, 1, CLASS_INPUTS);
	Inputs *inputs = box->inputs;
	box->inputs = NULL;
	if (box->owner) inputs_free(box->owner->device, inputs);
	return 0;
}

static const luaL_Reg methods[] = {
	{"restore", inputs_restore_}, {"put_back", inputs_put_back_}, {"close", inputs_gc}, {NULL, NULL}};

const BindClass bind_inputs_class = {.metatable = CLASS_INPUTS, .methods = methods, .release = inputs_gc};

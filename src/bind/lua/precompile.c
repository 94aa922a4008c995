/* Run by the build: compiles gpulab's own Lua modules, so that a start only reads them.
 *
 *     precompile NAME FILE [NAME FILE]... > OUTPUT.c
 *
 * Writes the C table `embedded_lua` (embed.h). Names of functions and lines stay in, for errors. */
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

typedef struct {
	size_t bytes;
	int column;
} Written;

static int write_bytes(lua_State *L, const void *data, size_t size, void *context) {
	(void)L;
	Written *w = context;
	const unsigned char *bytes = data;
	for (size_t i = 0; i < size; i++) {
		if (w->column++ % 24 == 0) putchar('\n');
		printf("%d,", bytes[i]);
	}
	w->bytes += size;
	return 0;
}

/* The chunk's name is what errors show: lua/gpulab/... wherever the source is. */
static int compile(lua_State *L, int number, const char *name, const char *path, size_t *bytes) {
	const char *file = luaL_gsub(L, name + strlen("gpulab."), ".", "/");
	const char *chunk = lua_pushfstring(L, "@lua/gpulab/%s.lua", file);
	FILE *in = fopen(path, "rb");
	if (!in) return luaL_error(L, "cannot read %s", path);
	luaL_Buffer text;
	luaL_buffinit(L, &text);
	for (size_t n = 1; n > 0;) {
		n = fread(luaL_prepbuffer(&text), 1, LUAL_BUFFERSIZE, in);
		luaL_addsize(&text, n);
	}
	fclose(in);
	luaL_pushresult(&text);
	size_t len;
	const char *source = lua_tolstring(L, -1, &len);
	if (luaL_loadbufferx(L, source, len, chunk, "t") != LUA_OK) return lua_error(L);
	Written written = {0};
	printf("static const unsigned char chunk_%d[] = {", number);
	lua_dump(L, write_bytes, &written, 0);
	printf("\n0};\n");
	*bytes = written.bytes;
	lua_settop(L, 0);
	return 0;
}

static int compile_all(lua_State *L) {
	const int argc = (int)lua_tointeger(L, 1);
	char **argv = lua_touserdata(L, 2);
	const int modules = (argc - 1) / 2;
	size_t *bytes = lua_newuserdatauv(L, (size_t)(modules + 1) * sizeof *bytes, 0);
	lua_setfield(L, LUA_REGISTRYINDEX, "bytes");
	printf("#include \"bind/lua/embed.h\"\n\n");
	for (int i = 0; i < modules; i++) compile(L, i, argv[2 * i + 1], argv[2 * i + 2], &bytes[i]);
	printf("\nconst EmbeddedLua embedded_lua[] = {\n");
	for (int i = 0; i < modules; i++) printf("\t{\"%s\", chunk_%d, %zu},\n", argv[2 * i + 1], i, bytes[i]);
	printf("\t{0, 0, 0}};\n");
	return 0;
}

int main(int argc, char **argv) {
	lua_State *L = luaL_newstate();
	if (!L) return 1;
	lua_pushcfunction(L, compile_all);
	lua_pushinteger(L, argc);
	lua_pushlightuserdata(L, argv);
	const int status = lua_pcall(L, 2, 0, 0);
	if (status != LUA_OK) fprintf(stderr, "%s\n", lua_tostring(L, -1));
	lua_close(L);
	return status != LUA_OK;
}

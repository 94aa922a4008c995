/* A folder that is watched for saved files, by inotify. It does not report what was saved: callers check the files
 * anyway, because an editor writes in place, or renames a temporary file, or writes twice. */
#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "bind/internal.h"

#define CLASS_WATCH "gpulab.watch"

typedef struct {
	int fd; /* -1: closed */
	bool gone;
} WatchBox;

enum {
	SAVED = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE,
	GONE = IN_IGNORED | IN_MOVE_SELF | IN_DELETE_SELF
};

int bind_watch(lua_State *L) {
	const char *folder = bind_check_path(L, 1);
	WatchBox *box = lua_newuserdatauv(L, sizeof *box, 0);
	*box = (WatchBox){.fd = -1};
	luaL_setmetatable(L, CLASS_WATCH);
	box->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (box->fd >= 0 && inotify_add_watch(box->fd, folder, SAVED | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR) >= 0)
		return 1;
	lua_pushnil(L);
	lua_pushstring(L, strerror(errno));
	return 2; /* the box is the collector's */
}

static WatchBox *check(lua_State *L) {
	return luaL_checkudata(L, 1, CLASS_WATCH);
}

static int watch_fd(lua_State *L) {
	lua_pushinteger(L, check(L)->fd);
	return 1;
}

static void read_events(WatchBox *box, const char *events, size_t len) {
	for (size_t at = 0; at + sizeof(struct inotify_event) <= len;) {
		struct inotify_event event;
		memcpy(&event, events + at, sizeof event);
		if (event.mask & GONE) box->gone = true;
		at += sizeof event + event.len;
	}
}

/* w:drain() -> did anything happen, is the folder gone */
static int watch_drain(lua_State *L) {
	WatchBox *box = check(L);
	char events[4096];
	bool any = false;
	for (ssize_t n; box->fd >= 0 && (n = read(box->fd, events, sizeof events)) > 0; any = true)
		read_events(box, events, (size_t)n);
	lua_pushboolean(L, any);
	lua_pushboolean(L, box->gone);
	return 2;
}

static int watch_close(lua_State *L) {
	WatchBox *box = check(L);
	if (box->fd >= 0) close(box->fd);
	box->fd = -1;
	return 0;
}

void bind_watch_class(lua_State *L) {
	static const luaL_Reg methods[] = {{"fd", watch_fd}, {"drain", watch_drain}, {"close", watch_close}, {NULL, NULL}};
	static const BindClass class = {.metatable = CLASS_WATCH, .methods = methods, .release = watch_close};
	bind_class(L, &class);
}

/* greeting.h */
#include "wire/greeting.h"

#include <ctype.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/values/member.h"
#include "wire/pack.h"

static const Member words[] = {EACH_OF(MEMBER, Greeting, version, wire, arch, toolkit, host)};
enum { WORDS = sizeof words / sizeof *words };

static bool is_plain(char c) {
	return isalnum((unsigned char)c) || (c && strchr("._-+", c));
}

static void set_word(Greeting *g, const Member *w, const char *value, size_t len) {
	char *out = (char *)g + w->offset;
	if (len >= w->size) len = w->size - 1;
	for (size_t i = 0; i < len; i++) out[i] = is_plain(value[i]) ? value[i] : '?';
	out[len] = '\0';
}

void greeting_own(Greeting *out) {
	struct utsname about;
	*out = (Greeting){.packs = pack_possible()};
	set_word(out, &words[0], GPULAB_VERSION, strlen(GPULAB_VERSION));
	if (uname(&about) != 0) return;
	set_word(out, &words[2], about.machine, strlen(about.machine));
	set_word(out, &words[4], about.nodename, strcspn(about.nodename, "."));
}

void greeting_put(Str *out, const Greeting *g) {
	str_add(out, GREETING_MARK);
	for (int i = 0; i < WORDS; i++) str_addf(out, "%s=%s ", words[i].name, (const char *)g + words[i].offset);
	str_addf(out, "packs=%d\n", g->packs);
}

bool greeting_get(const char *line, Greeting *out) {
	*out = (Greeting){0};
	if (!text_starts(line, GREETING_MARK)) return false;
	for (const char *at = line + strlen(GREETING_MARK); *at;) {
		const size_t len = strcspn(at, " \r"), name = strcspn(at, "=");
		if (name < len) {
			for (int i = 0; i < WORDS; i++)
				if (strlen(words[i].name) == name && strncmp(words[i].name, at, name) == 0)
					set_word(out, &words[i], at + name + 1, len - name - 1);
			if (name == 5 && strncmp(at, "packs", 5) == 0) out->packs = at[6] == '1';
		}
		at += len;
		at += strspn(at, " \r");
	}
	return *out->version && *out->wire;
}

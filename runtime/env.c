/* env.c - the environment of stdlib.h. `environ` is the truth; __environ follows every change made here. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

extern char **__environ;

/* Where the entry of a name is in environ, or where the NULL is; -1 if there is no environment. */
static long find_entry(const char *name, size_t length, bool *found)
{
    *found = false;
    if (!environ)
        return -1;
    long i = 0;
    for (; environ[i] && !*found; i++)
        *found = strncmp(environ[i], name, length) == 0 && environ[i][length] == '=';
    return *found ? i - 1 : i;
}

static char *look_up(const char *name)
{
    bool found;
    size_t length = strlen(name);
    long at = find_entry(name, length, &found);
    return found ? environ[at] + length + 1 : NULL;
}

const char *__sheaf_variable(const char *name) { return look_up(name); }

/* With --env getenv a variable that the program has not set is an input: absent, or a value of a few bytes.
 * What was answered once stays the answer. */
enum { VALUE_MOST = 8, NAME_MOST = 64 };
typedef struct Asked {
    struct Asked *next;
    char *name;
    char set; /* this and the value are the input */
    char value[VALUE_MOST + 1];
} Asked;

static Asked *asked;

static Asked *find_asked(const char *name)
{
    Asked *a = asked;
    while (a && strcmp(a->name, name) != 0)
        a = a->next;
    return a;
}

static Asked *ask(const char *name, const char *function)
{
    char label[NAME_MOST] = "";
    struct {
        char set, value[VALUE_MOST];
    } input;
    strcpy(label, function);
    strcat(label, ".");
    strncat(label, name, NAME_MOST - 1 - strlen(label));
    if (!__sheaf_environment(ENV_GETENV, &input, sizeof input, label))
        return NULL;
    __sheaf_assume((input.set == 0) | (input.set == 1));
    Asked *a = __sheaf_alloc(sizeof *a, _Alignof(Asked), 1);
    size_t n = strlen(name) + 1;
    a->name = __sheaf_alloc(n, 1, 0);
    __builtin_memcpy(a->name, name, n);
    a->set = input.set;
    __builtin_memcpy(a->value, input.value, VALUE_MOST);
    a->next = asked;
    return asked = a;
}

static char *get(const char *name, const char *function)
{
    char *value = look_up(name);
    Asked *a = value ? NULL : find_asked(name);
    a = value || a ? a : ask(name, function);
    return a && a->set ? a->value : value;
}

char *getenv(const char *name) { return get(name, "env.getenv"); }

char *secure_getenv(const char *name) { return get(name, "env.secure_getenv"); }

char *__secure_getenv(const char *name) { return look_up(name); }

/* What setenv made is kept when it is replaced, since what getenv gave stays valid: neither lost nor a
 * leak. */
typedef struct Made {
    struct Made *next;
    char entry[];
} Made;

static Made *made;

static bool valid_name(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return true;
    errno = EINVAL;
    return false;
}

/* Puts an entry "NAME=VALUE" that stays where it is. */
static int put_entry(char *entry, size_t length)
{
    static char **ours; /* the array that was made here, if environ still is it */
    bool found;
    long at = find_entry(entry, length, &found);
    if (found) {
        environ[at] = entry;
        return 0;
    }
    size_t n = at < 0 ? 0 : (size_t)at;
    char **longer = __sheaf_alloc((n + 2) * sizeof *longer, _Alignof(char *), 0);
    if (!longer) {
        errno = ENOMEM;
        return -1;
    }
    if (n)
        __builtin_memcpy(longer, environ, n * sizeof *longer);
    longer[n] = entry;
    longer[n + 1] = NULL;
    if (ours && ours == environ)
        __sheaf_free(ours);
    environ = __environ = ours = longer;
    return 0;
}

static void remove_entry(const char *name, size_t length)
{
    bool found;
    long at = find_entry(name, length, &found);
    while (found) {
        for (; environ[at]; at++)
            environ[at] = environ[at + 1];
        at = find_entry(name, length, &found);
    }
}

int setenv(const char *name, const char *value, int overwrite)
{
    if (!valid_name(name))
        return -1;
    if (!overwrite && look_up(name))
        return 0;
    size_t length = strlen(name), value_length = strlen(value);
    Made *m = __sheaf_alloc(sizeof *m + length + value_length + 2, _Alignof(Made), 0);
    if (!m) {
        errno = ENOMEM;
        return -1;
    }
    m->next = made;
    made = m;
    __builtin_memcpy(m->entry, name, length);
    m->entry[length] = '=';
    __builtin_memcpy(m->entry + length + 1, value, value_length + 1);
    return put_entry(m->entry, length);
}

int unsetenv(const char *name)
{
    if (!valid_name(name))
        return -1;
    remove_entry(name, strlen(name));
    Asked *a = find_asked(name);
    if (a)
        a->set = 0;
    return 0;
}

int putenv(char *entry)
{
    char *equals = strchr(entry, '=');
    if (equals)
        return put_entry(entry, (size_t)(equals - entry));
    remove_entry(entry, strlen(entry));
    return 0;
}

int clearenv(void)
{
    environ = __environ = NULL;
    return 0;
}

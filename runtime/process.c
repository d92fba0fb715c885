/* process.c - who and where the program is: identities, limits, the system's name. Constants, so that runs
 * repeat. */
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <grp.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <unistd.h>

#include "internal.h"

enum { MODEL_PID = 4242, MODEL_PARENT = 4241, MODEL_ID = 1000, PAGE = 4096 };

/* Numbers that stay the same for the life of the process; with --env pid inputs, asked for once. */
typedef struct Identity {
    bool asked;
    int value;
} Identity;

static int identity(Identity *id, int what, const char *name, int fixed, int least, int most)
{
    int value;
    if (id->asked)
        return id->value;
    if (!__sheaf_environment(what, &value, sizeof value, name))
        return fixed;
    __sheaf_assume((value >= least) & (value <= most));
    *id = (Identity){true, value};
    return value;
}

#define IDENTITY(type, name, what, fixed, least, most)                      \
    type name(void)                                                         \
    {                                                                       \
        static Identity id;                                                 \
        return (type)identity(&id, what, "env." #name, fixed, least, most); \
    }
enum { PID_MOST = 1 << 22 }; /* the kernel's */
IDENTITY(pid_t, getpid, ENV_PID, MODEL_PID, 0, PID_MOST)

pid_t gettid(void) { return MODEL_PID; }

IDENTITY(pid_t, getppid, ENV_PID, MODEL_PARENT, 0, PID_MOST)

pid_t getpgrp(void) { return MODEL_PID; }

pid_t getpgid(pid_t pid)
{
    (void)pid;
    return MODEL_PID;
}

pid_t getsid(pid_t pid)
{
    (void)pid;
    return MODEL_PID;
}

IDENTITY(uid_t, getuid, ENV_USER, MODEL_ID, 0, INT_MAX)

IDENTITY(uid_t, geteuid, ENV_USER, MODEL_ID, 0, INT_MAX)

IDENTITY(gid_t, getgid, ENV_USER, MODEL_ID, 0, INT_MAX)

IDENTITY(gid_t, getegid, ENV_USER, MODEL_ID, 0, INT_MAX)

static int become(unsigned id)
{
    if (id == MODEL_ID)
        return 0;
    errno = EPERM;
    return -1;
}

int setuid(uid_t id) { return become(id); }

int seteuid(uid_t id) { return become(id); }

int setgid(gid_t id) { return become(id); }

int setegid(gid_t id) { return become(id); }

int getgroups(int n, gid_t *groups)
{
    if (n > 0)
        groups[0] = MODEL_ID;
    return 1;
}

int setpgid(pid_t pid, pid_t group)
{
    (void)pid, (void)group;
    return 0;
}

int getpagesize(void) { return PAGE; }

int __getpagesize(void) { return PAGE; }

int getdtablesize(void) { return 1024; }

long sysconf(int name)
{
    switch (name) {
    case _SC_PAGESIZE: return PAGE;
    case _SC_NPROCESSORS_CONF: return 1;
    case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_PHYS_PAGES: return 1l << 20;
    case _SC_AVPHYS_PAGES: return 1l << 19;
    case _SC_OPEN_MAX: return 1024;
    case _SC_CLK_TCK: return 100;
    case _SC_ARG_MAX: return 2097152;
    case _SC_CHILD_MAX: return 1024;
    case _SC_LINE_MAX: return 2048;
    case _SC_HOST_NAME_MAX: return 64;
    case _SC_LOGIN_NAME_MAX: return 256;
    case _SC_IOV_MAX: return 1024;
    case _SC_NGROUPS_MAX: return 65536;
    case _SC_VERSION: return _POSIX_VERSION;
    case _SC_GETPW_R_SIZE_MAX: return 1024;
    case _SC_GETGR_R_SIZE_MAX: return 1024;
    default: return -1;
    }
}

size_t confstr(int name, char *buffer, size_t n)
{
    const char *text = name == _CS_PATH ? "/bin:/usr/bin" : "";
    size_t length = strlen(text) + 1;
    if (n) {
        size_t kept = length < n ? length : n;
        __builtin_memcpy(buffer, text, kept);
        buffer[kept - 1] = '\0';
    }
    return length;
}

int get_nprocs(void) { return 1; }

int get_nprocs_conf(void) { return 1; }

/* Limits are kept, but nothing is measured against them. */
static struct rlimit limits[RLIM_NLIMITS];
static bool limit_set[RLIM_NLIMITS];

static int get_limit(unsigned which, struct rlimit *out)
{
    if (which >= RLIM_NLIMITS) {
        errno = EINVAL;
        return -1;
    }
    *out = (struct rlimit){.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    if (which == RLIMIT_STACK)
        out->rlim_cur = 8 << 20;
    if (which == RLIMIT_NOFILE)
        out->rlim_cur = 1024;
    if (limit_set[which])
        *out = limits[which];
    return 0;
}

static int set_limit(unsigned which, const struct rlimit *limit)
{
    struct rlimit now;
    if (get_limit(which, &now))
        return -1;
    if (limit->rlim_cur > limit->rlim_max) {
        errno = EINVAL;
        return -1;
    }
    if (limit->rlim_max > now.rlim_max) {
        errno = EPERM;
        return -1;
    }
    if ((limit->rlim_cur < now.rlim_cur) & (which != RLIMIT_CORE))
        __sheaf_differs("setrlimit: what the program uses is not measured against its limits");
    limits[which] = *limit;
    limit_set[which] = true;
    return 0;
}

int getrlimit(__rlimit_resource_t which, struct rlimit *out) { return get_limit(which, out); }

int setrlimit(__rlimit_resource_t which, const struct rlimit *limit) { return set_limit(which, limit); }

int getpriority(__priority_which_t which, id_t who)
{
    (void)which, (void)who;
    return 0;
}

int setpriority(__priority_which_t which, id_t who, int priority)
{
    (void)which, (void)who, (void)priority;
    return 0;
}

int nice(int increment)
{
    (void)increment;
    return 0;
}

int getloadavg(double *averages, int n)
{
    for (int i = 0; i < n && i < 3; i++)
        averages[i] = 0;
    return n < 3 ? n : 3;
}

unsigned long getauxval(unsigned long type)
{
    (void)type;
    errno = ENOENT;
    return 0;
}

int uname(struct utsname *out)
{
    *out = (struct utsname){.sysname = "Linux",
                            .nodename = "sheaf",
                            .release = "6.1.0",
                            .version = "#1 SMP",
                            .machine = "x86_64",
                            .domainname = "(none)"};
    return 0;
}

int gethostname(char *name, size_t n)
{
    static const char host[] = "sheaf";
    __builtin_memcpy(name, host, n < sizeof host ? n : sizeof host);
    if (n >= sizeof host)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

char *getlogin(void) { return "sheaf"; }

static struct passwd *user(void)
{
    static struct passwd entry = {.pw_name = "sheaf",
                                  .pw_passwd = "x",
                                  .pw_uid = MODEL_ID,
                                  .pw_gid = MODEL_ID,
                                  .pw_gecos = "",
                                  .pw_dir = "/",
                                  .pw_shell = "/bin/sh"};
    return &entry;
}

struct passwd *getpwuid(uid_t id) { return id == MODEL_ID ? user() : NULL; }

struct passwd *getpwnam(const char *name) { return strcmp(name, "sheaf") == 0 ? user() : NULL; }

static struct group *group(void)
{
    static char *no_members[] = {NULL};
    static struct group entry = {
        .gr_name = "sheaf", .gr_passwd = "x", .gr_gid = MODEL_ID, .gr_mem = no_members};
    return &entry;
}

struct group *getgrgid(gid_t id) { return id == MODEL_ID ? group() : NULL; }

struct group *getgrnam(const char *name) { return strcmp(name, "sheaf") == 0 ? group() : NULL; }

const char *gnu_get_libc_version(void) { return "2.36"; }

const char *gnu_get_libc_release(void) { return "stable"; }

/* Device numbers as the kernel packs them. */
unsigned gnu_dev_major(dev_t device) { return (unsigned)((device >> 8 & 0xfff) | (device >> 32 & ~0xffful)); }

unsigned gnu_dev_minor(dev_t device) { return (unsigned)((device & 0xff) | (device >> 12 & ~0xfful)); }

dev_t gnu_dev_makedev(unsigned high, unsigned low)
{
    dev_t a = high, b = low;
    return (a & 0xfff) << 8 | (a & ~0xffful) << 32 | (b & 0xff) | (b & ~0xfful) << 12;
}

/* The system's log is not read. */
void openlog(const char *identity, int option, int facility) { (void)identity, (void)option, (void)facility; }

void closelog(void) {}

int setlogmask(int mask)
{
    (void)mask;
    return 255;
}

void syslog(int priority, const char *format, ...) { (void)priority, (void)format; }

void vsyslog(int priority, const char *format, va_list list) { (void)priority, (void)format, (void)list; }

/* What -finstrument-functions and C++'s run-time ask for. */
void __cyg_profile_func_enter(void *function, void *caller) { (void)function, (void)caller; }

void __cyg_profile_func_exit(void *function, void *caller) { (void)function, (void)caller; }

void __cxa_finalize(void *library) { (void)library; }

int backtrace(void **frames, int n)
{
    (void)frames, (void)n;
    return 0;
}

void backtrace_symbols_fd(void *const *frames, int n, int fd) { (void)frames, (void)n, (void)fd; }

char **backtrace_symbols(void *const *frames, int n)
{
    (void)frames, (void)n;
    return NULL;
}

pid_t setsid(void) { return MODEL_PID; }

int setreuid(uid_t real, uid_t effective) { return become(real == (uid_t)-1 ? effective : real); }

int setregid(gid_t real, gid_t effective) { return become(real == (gid_t)-1 ? effective : real); }

int getresuid(uid_t *real, uid_t *effective, uid_t *saved)
{
    *real = *effective = *saved = MODEL_ID;
    return 0;
}

int getresgid(gid_t *real, gid_t *effective, gid_t *saved)
{
    *real = *effective = *saved = MODEL_ID;
    return 0;
}

int getrlimit64(__rlimit_resource_t which, struct rlimit64 *out)
{
    return get_limit(which, (struct rlimit *)out);
}

int setrlimit64(__rlimit_resource_t which, const struct rlimit64 *limit)
{
    return set_limit(which, (const struct rlimit *)limit);
}

int sysinfo(struct sysinfo *out)
{
    *out = (struct sysinfo){.totalram = 1ul << 32, .freeram = 1ul << 31, .procs = 1, .mem_unit = 1};
    return 0;
}

int getdomainname(char *name, size_t n)
{
    static const char none[] = "(none)";
    __builtin_memcpy(name, none, n < sizeof none ? n : sizeof none);
    return 0;
}

static int found_entry(bool found, const void *entry, size_t size, void *out, void **result)
{
    *result = found ? out : NULL;
    if (found)
        __builtin_memcpy(out, entry, size);
    return 0;
}

/* The texts are constants: the caller's buffer stays as it is. */
int getpwuid_r(uid_t id, struct passwd *restrict out, char *restrict buffer, size_t n,
               struct passwd **restrict result)
{
    (void)buffer, (void)n;
    return found_entry(id == MODEL_ID, user(), sizeof *out, out, (void **)result);
}

int getpwnam_r(const char *restrict name, struct passwd *restrict out, char *restrict buffer, size_t n,
               struct passwd **restrict result)
{
    (void)buffer, (void)n;
    return found_entry(strcmp(name, "sheaf") == 0, user(), sizeof *out, out, (void **)result);
}

int getlogin_r(char *name, size_t n)
{
    if (n < sizeof "sheaf")
        return ERANGE;
    strcpy(name, "sheaf");
    return 0;
}

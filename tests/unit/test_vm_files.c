/* test_vm_files.c - modelled files, descriptors, pipes, and streams of output with their items. */
#include "runtime_host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN(path, flags, mode)  HOST_CALL(prim_open, ADDRESS(path), WORD(flags), WORD(mode))
#define CLOSE(fd)                HOST_CALL(prim_close, WORD(fd))
#define READ(fd, out, n)         HOST_CALL(prim_read, WORD(fd), ADDRESS(out), WORD(n))
#define WRITE(fd, data, n)       HOST_CALL(prim_write, WORD(fd), ADDRESS(data), WORD(n))
#define PUT(fd, text)            WRITE(fd, text, strlen(text))
#define SEEK(fd, offset, whence) HOST_CALL(prim_seek, WORD(fd), WORD(offset), WORD(whence))
#define CONTROL(fd, what, value) HOST_CALL(prim_control, WORD(fd), WORD(FILES_CONTROL_##what), WORD(value))
#define DUP(fd, target, exact)   HOST_CALL(prim_dup, WORD(fd), WORD(target), WORD(exact))
#define PENDING(fd)              ((fd) | 1 << 30)

static long emit(int fd, const char *spec, long width, long precision, const void *value, size_t size)
{
    return HOST_CALL(prim_emit, WORD(fd), ADDRESS(spec), WORD(width), WORD(precision), ADDRESS(value), size);
}

static const char *output(int which) { return str_text(&vm_files_output(host_vm.files, which)->text); }

static void start(const VmEnvironment *environment)
{
    VmEnvironment nothing = {.stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    vm_files_reset(host_vm.files, environment ? environment : &nothing);
    host_vm.ended = false;
}

static int set_up(void **state)
{
    (void)state;
    host_vm.files = vm_files_new();
    start(NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    vm_files_free(host_vm.files);
    return 0;
}

static void opens(void **state)
{
    (void)state;
    char buffer[16] = "";
    assert_int_equal(OPEN("none", O_RDONLY, 0), -ENOENT);
    assert_int_equal(OPEN("", O_RDONLY, 0), -ENOENT);
    long fd = OPEN("a", O_RDWR | O_CREAT, 0644);
    assert_int_equal(fd, 3);
    assert_int_equal(PUT(fd, "hello"), 5);
    assert_int_equal(SEEK(fd, 1, SEEK_SET), 1);
    assert_int_equal(READ(fd, buffer, 16), 4);
    assert_memory_equal(buffer, "ello", 4);
    assert_int_equal(READ(fd, buffer, 16), 0);
    assert_int_equal(OPEN("a", O_RDWR | O_CREAT | O_EXCL, 0644), -EEXIST);
    assert_int_equal(OPEN("a/b", O_RDONLY, 0), -ENOTDIR);
    assert_int_equal(OPEN("a/", O_RDONLY, 0), -ENOTDIR);
    assert_int_equal(OPEN("d/b", O_RDWR | O_CREAT, 0644), -ENOENT);
    assert_int_equal(OPEN(".", O_RDWR, 0), -EISDIR);
    long again = OPEN("/sheaf/../sheaf//./a", O_RDONLY, 0);
    assert_int_equal(READ(again, buffer, 5), 5);
    assert_int_equal(PUT(again, "x"), -EBADF);
    long append = OPEN("a", O_WRONLY | O_APPEND, 0);
    assert_int_equal(READ(append, buffer, 1), -EBADF);
    assert_int_equal(PUT(append, "!"), 1);
    assert_int_equal(READ(again, buffer, 16), 1);
    assert_int_equal(buffer[0], '!');
    assert_true(OPEN("a", O_WRONLY | O_TRUNC, 0) > 0);
    assert_int_equal(SEEK(again, 0, SEEK_END), 0);
    assert_int_equal(CLOSE(fd), 0);
    assert_int_equal(CLOSE(fd), -EBADF);
    assert_int_equal(OPEN("b", O_WRONLY | O_CREAT, 0), fd);
    assert_int_equal(OPEN("b", O_RDONLY, 0), -EACCES);
}

static void positions(void **state)
{
    (void)state;
    char buffer[16];
    long fd = OPEN("a", O_RDWR | O_CREAT, 0644);
    assert_int_equal(SEEK(fd, 5, SEEK_END), 5);
    assert_int_equal(READ(fd, buffer, 1), 0);
    PUT(fd, "x");
    SEEK(fd, 0, SEEK_SET);
    assert_int_equal(READ(fd, buffer, 16), 6);
    assert_memory_equal(buffer, "\0\0\0\0\0x", 6);
    assert_int_equal(SEEK(fd, -7, SEEK_CUR), -EINVAL);
    assert_int_equal(SEEK(fd, 0, 9), -EINVAL);
    assert_int_equal(SEEK(1, 0, SEEK_CUR), -ESPIPE);
    assert_int_equal(SEEK(99, 0, SEEK_CUR), -EBADF);
    long copy = DUP(fd, 0, 0);
    assert_int_equal(SEEK(copy, 2, SEEK_SET), 2);
    assert_int_equal(SEEK(fd, 0, SEEK_CUR), 2);
    assert_int_equal(HOST_CALL(prim_truncate, WORD(fd), 3), 0);
    assert_int_equal(SEEK(fd, 0, SEEK_END), 3);
    assert_int_equal(HOST_CALL(prim_truncate, WORD(fd), WORD(-1)), -EINVAL);
    SEEK(fd, INT64_MAX, SEEK_SET);
    assert_int_equal(PUT(fd, "x"), -ENOSPC);
    SEEK(fd, FILES_BYTES, SEEK_SET);
    assert_int_equal(PUT(fd, "x"), -ENOSPC);
}

static void names(void **state)
{
    (void)state;
    long status[4], other[4];
    long fd = OPEN("a", O_RDWR | O_CREAT, 0640);
    PUT(fd, "abc");
    assert_int_equal(HOST_CALL(prim_stat_path, ADDRESS("a"), ADDRESS(status)), 0);
    assert_int_equal(status[0], S_IFREG | 0640);
    assert_int_equal(status[1], 3);
    assert_int_equal(status[3], 1);
    assert_int_equal(HOST_CALL(prim_mkdir, ADDRESS("d"), 0755), 0);
    assert_int_equal(HOST_CALL(prim_mkdir, ADDRESS("d"), 0755), -EEXIST);
    assert_int_equal(HOST_CALL(prim_rename, ADDRESS("a"), ADDRESS("d")), -EISDIR);
    assert_int_equal(HOST_CALL(prim_rename, ADDRESS("a"), ADDRESS("d/b")), 0);
    assert_int_equal(HOST_CALL(prim_rename, ADDRESS("d"), ADDRESS("d/e")), -EINVAL);
    assert_int_equal(HOST_CALL(prim_rmdir, ADDRESS("d")), -ENOTEMPTY);
    assert_int_equal(HOST_CALL(prim_rename, ADDRESS("d"), ADDRESS("e")), 0);
    assert_int_equal(HOST_CALL(prim_stat_path, ADDRESS("e/b"), ADDRESS(other)), 0);
    assert_int_equal(other[2], status[2]);
    assert_int_equal(HOST_CALL(prim_unlink, ADDRESS("e")), -EISDIR);
    assert_int_equal(HOST_CALL(prim_unlink, ADDRESS("e/b")), 0);
    assert_int_equal(HOST_CALL(prim_unlink, ADDRESS("e/b")), -ENOENT);
    assert_int_equal(HOST_CALL(prim_rmdir, ADDRESS("e")), 0);
    assert_int_equal(HOST_CALL(prim_stat_fd, WORD(fd), ADDRESS(status)), 0); /* open without a name */
    assert_int_equal(status[3], 0);
    assert_int_equal(SEEK(fd, 0, SEEK_END), 3);
    CLOSE(fd);
    char longest[5000];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(OPEN(longest, O_RDONLY, 0), -ENAMETOOLONG);
    assert_int_equal(OPEN(longest + sizeof longest - 300, O_RDONLY, 0), -ENAMETOOLONG);
}

static void directories(void **state)
{
    (void)state;
    char name[256], path[64];
    long status[4], n, found = 0;
    HOST_CALL(prim_mkdir, ADDRESS("d"), 0755);
    CLOSE(OPEN("d/one", O_CREAT | O_WRONLY, 0644));
    CLOSE(OPEN("d/two", O_CREAT | O_WRONLY, 0644));
    HOST_CALL(prim_mkdir, ADDRESS("d/sub"), 0755);
    CLOSE(OPEN("d/sub/hidden", O_CREAT | O_WRONLY, 0644));
    long fd = OPEN("d", O_RDONLY | O_DIRECTORY, 0);
    assert_int_equal(READ(fd, name, 1), -EISDIR);
    while ((n = HOST_CALL(prim_entry, WORD(fd), ADDRESS(name), sizeof name, ADDRESS(status))) > 0) {
        found++;
        assert_int_equal(S_ISDIR(status[0]), name[0] == '.' || strcmp(name, "sub") == 0);
    }
    assert_int_equal(n, 0);
    assert_int_equal(found, 5);
    assert_int_equal(HOST_CALL(prim_chdir, ADDRESS("d/sub")), 0);
    assert_int_equal(HOST_CALL(prim_path, WORD(AT_FDCWD), ADDRESS(path), sizeof path), 12);
    assert_string_equal(path, "/sheaf/d/sub");
    assert_int_equal(HOST_CALL(prim_path, WORD(AT_FDCWD), ADDRESS(path), 12), -ERANGE);
    assert_true(OPEN("../one", O_RDONLY, 0) > 0);
    assert_int_equal(HOST_CALL(prim_chdir, ADDRESS("../one")), -ENOTDIR);
}

static void provided(void **state)
{
    (void)state;
    char buffer[8] = "";
    VmEnvironment environment = {
        .stdin_fd = -1, .stdin_data = "input", .stdin_size = 5, .stdout_fd = -1, .stderr_fd = -1};
    vec_push(&environment.files, (VmFile){.name = "data.txt", .data = "text", .size = 4});
    vec_push(&environment.files, (VmFile){.name = "./new/../other//deep", .data = "d", .size = 1});
    vec_push(&environment.files, (VmFile){.name = "/etc/conf", .data = "c", .size = 1, .writable = true});
    start(&environment);
    assert_int_equal(READ(0, buffer, 3), 3);
    assert_memory_equal(buffer, "inp", 3);
    assert_int_equal(SEEK(0, 0, SEEK_SET), 0);
    assert_int_equal(READ(0, buffer, 8), 5);
    assert_int_equal(PUT(0, "x"), -EBADF);
    assert_int_equal(OPEN("data.txt", O_RDWR, 0), -EACCES);
    assert_true(OPEN("other/deep", O_RDONLY, 0) >= 0);
    assert_true(OPEN("new", O_RDONLY, 0) >= 0);
    long fd = OPEN("data.txt", O_RDONLY, 0);
    assert_int_equal(READ(fd, buffer, 8), 4);
    fd = OPEN("/etc/conf", O_RDWR, 0);
    PUT(fd, "d");
    start(&environment); /* a new run sees what was provided, not what was written */
    fd = OPEN("/etc/conf", O_RDONLY, 0);
    assert_int_equal(READ(fd, buffer, 8), 1);
    assert_int_equal(buffer[0], 'c');
    vec_free(&environment.files);
}

static void pipes(void **state)
{
    (void)state;
    int fds[2];
    char buffer[16];
    assert_int_equal(HOST_CALL(prim_pipe, ADDRESS(fds)), 0);
    assert_int_equal(PUT(fds[1], "through"), 7);
    assert_int_equal(READ(fds[0], buffer, 3), 3);
    assert_int_equal(READ(fds[0], buffer, 16), 4);
    CONTROL(fds[0], SET_FLAGS, O_NONBLOCK);
    assert_int_equal(READ(fds[0], buffer, 16), -EAGAIN);
    CONTROL(fds[0], SET_FLAGS, 0);
    READ(fds[0], buffer, 16);
    assert_true(host_vm.ended); /* it would wait for ever */
    host_vm.ended = false;
    long copy = DUP(fds[1], 0, 0);
    CLOSE(fds[1]);
    PUT(copy, "x");
    CLOSE(copy);
    assert_int_equal(READ(fds[0], buffer, 16), 1);
    assert_int_equal(READ(fds[0], buffer, 16), 0);
    HOST_CALL(prim_pipe, ADDRESS(fds));
    CLOSE(fds[0]);
    assert_int_equal(PUT(fds[1], "x"), -EPIPE);
}

static void devices(void **state)
{
    (void)state;
    char buffer[4] = "abc", other[4] = "";
    long fd = OPEN("/dev/null", O_RDWR, 0);
    assert_int_equal(PUT(fd, "gone"), 4);
    assert_int_equal(READ(fd, buffer, 4), 0);
    fd = OPEN("/dev/zero", O_RDONLY, 0);
    assert_int_equal(READ(fd, buffer, 4), 4);
    assert_memory_equal(buffer, other, 4);
    fd = OPEN("/dev/full", O_WRONLY, 0);
    assert_int_equal(PUT(fd, "x"), -ENOSPC);
    fd = OPEN("/dev/stdout", O_WRONLY, 0);
    PUT(fd, "named");
    assert_string_equal(output(1), "named");
    assert_int_equal(HOST_CALL(prim_unlink, ADDRESS("/dev/null")), -EACCES);
}

static void descriptors(void **state)
{
    (void)state;
    assert_int_equal(DUP(99, 0, 0), -EBADF);
    assert_int_equal(DUP(1, 7, 0), 7);
    assert_int_equal(DUP(1, 2, 1), 2);
    PUT(2, "to output");
    assert_string_equal(output(1), "to output");
    assert_int_equal(DUP(1, 5000, 1), -EBADF);
    assert_int_equal(DUP(1, 5000, 0), -EINVAL);
    assert_int_equal(CONTROL(7, GET_FLAGS, 0) & O_ACCMODE, O_WRONLY);
    CONTROL(7, SET_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(CONTROL(7, GET_CLOEXEC, 0), FD_CLOEXEC);
    assert_int_equal(CONTROL(1, GET_CLOEXEC, 0), 0);
    long last = 0, fd;
    while ((fd = DUP(1, 0, 0)) >= 0)
        last = fd;
    assert_int_equal(last, FILES_DESCRIPTORS - 1);
    assert_int_equal(fd, -EMFILE);
    assert_int_equal(OPEN("a", O_RDWR | O_CREAT, 0644), -EMFILE);
}

static void items(void **state)
{
    (void)state;
    int32_t minus = -7;
    uint8_t byte = 0xfe;
    double half = 0.5;
    long double wide = 1.25L;
    PUT(1, "<");
    assert_int_equal(emit(1, "d", 0, -1, &minus, 4), 2);
    assert_int_equal(emit(1, "-u", 5, -1, &byte, 1), 5);
    assert_int_equal(emit(1, "d", 0, -1, &byte, 1), 2);
    assert_int_equal(emit(1, "+.f", 0, -1, &half, 8), -EINVAL);
    assert_int_equal(emit(1, "+f", 0, 2, &half, 8), 5);
    assert_int_equal(emit(1, "g", 0, -1, &wide, 16), 4);
    assert_int_equal(emit(1, "s", 0, -1, &minus, 4), -EINVAL);
    assert_int_equal(emit(1, "d", 0, -1, &minus, 3), -EINVAL);
    assert_int_equal(emit(1, "n", 0, -1, &minus, 4), -EINVAL);
    PUT(1, ">");
    assert_string_equal(output(1), "<-7254  -2+0.501.25>");
    const VmStream *s = vm_files_output(host_vm.files, 1);
    assert_int_equal(s->items.n, 5);
    assert_int_equal(s->items.v[1].start, 3);
    assert_int_equal(s->items.v[1].length, 5);
    assert_int_equal(s->items.v[1].flags, ITEM_LEFT);
    assert_int_equal(s->items.v[3].conversion, 'f');
    emit(1, "d", 1l << 30, -1, &minus, 4);
    assert_true(host_vm.ended);
}

/* What was not taken, whether text or an item. */
static void left(void **state)
{
    (void)state;
    enum { MUCH = FILES_PIPE + 5 };
    int32_t value = 12345, fds[2];
    char *much = mem_zalloc(MUCH);
    assert_int_equal(HOST_CALL(prim_put, WORD(1), ADDRESS("ab"), WORD(2)), 0);
    assert_int_equal(emit(1, "d", 0, -1, &value, 4), 5);
    assert_int_equal(HOST_CALL(prim_sent, WORD(1)), 0);
    assert_int_equal(HOST_CALL(prim_put, WORD(77), ADDRESS("ab"), WORD(2)), -EBADF);
    assert_int_equal(HOST_CALL(prim_put, WORD(77), ADDRESS("ab"), WORD(0)), 0);
    assert_int_equal(emit(77, "d", 0, -1, &value, 4), 5);
    assert_int_equal(HOST_CALL(prim_sent, WORD(77)), -EBADF);
    assert_string_equal(output(1), "ab12345");
    HOST_CALL(prim_pipe, ADDRESS(fds));
    CONTROL(fds[1], SET_FLAGS, O_NONBLOCK);
    assert_int_equal(HOST_CALL(prim_put, WORD(fds[1]), ADDRESS(much), WORD(MUCH)), 5);
    mem_free(much);
}

static void buffers(void **state)
{
    (void)state;
    int32_t value = 12345;
    PUT(PENDING(1), "later");
    emit(PENDING(1), "d", 0, -1, &value, 4);
    PUT(1, "now ");
    assert_string_equal(output(1), "now ");
    assert_int_equal(CONTROL(1, WAITING, 0), 10);
    assert_int_equal(CONTROL(1, FLUSH, 0), 0);
    assert_string_equal(output(1), "now later12345");
    assert_int_equal(vm_files_output(host_vm.files, 1)->items.v[0].start, 9);
    PUT(PENDING(2), "at once"); /* standard error has no buffer */
    assert_string_equal(output(2), "at once");

    start(NULL);
    char block[4094];
    memset(block, 'x', sizeof block);
    WRITE(PENDING(1), block, sizeof block);
    assert_string_equal(output(1), "");
    emit(PENDING(1), "d", 0, -1, &value, 4); /* 4099 bytes: the item is cut, as the buffer was full */
    PUT(1, "|");
    CONTROL(1, FLUSH, 0);
    const VmStream *s = vm_files_output(host_vm.files, 1);
    assert_string_equal(s->text.v + 4094, "12|345");
    assert_int_equal(s->items.n, 2);
    assert_int_equal(s->items.v[0].length, 2);
    assert_int_equal(s->items.v[0].skip, 0);
    assert_int_equal(s->items.v[1].start, 4097);
    assert_int_equal(s->items.v[1].length, 3);
    assert_int_equal(s->items.v[1].skip, 2);

    start(NULL);
    CONTROL(1, BUFFER, FILES_LINES | 4096);
    PUT(PENDING(1), "one\ntwo\nrest");
    assert_string_equal(output(1), "one\ntwo\n");
    vm_files_flush(host_vm.files);
    assert_string_equal(output(1), "one\ntwo\nrest");

    start(NULL);
    long fd = OPEN("/dev/full", O_WRONLY, 0);
    assert_int_equal(PUT(PENDING(fd), "x"), 1);
    assert_int_equal(CONTROL(fd, FLUSH, 0), -ENOSPC);
    assert_int_equal(CONTROL(fd, FLUSH, 0), 0);
    assert_int_equal(PUT(PENDING(77), "x"),
                     1); /* a FILE over a closed descriptor learns of it when it flushes */
    assert_int_equal(CONTROL(77, FLUSH, 0), -EBADF);
    assert_int_equal(PUT(PENDING(5000), "x"), -EBADF);
    assert_int_equal(PUT(-1, "x"), -EBADF);
}

/* What goes to the host: everything, and in the order of the writes even between two descriptors of one
 * file. */
static void host_order(void **state)
{
    (void)state;
    char name[] = "/tmp/sheaf-test-XXXXXX", text[64] = "";
    int file = mkstemp(name);
    assert_true(file >= 0);
    unlink(name);
    int both = fcntl(file, F_DUPFD, 0);
    start(&(VmEnvironment){.stdin_fd = -1, .stdout_fd = file, .stderr_fd = both});
    PUT(1, "a");
    PUT(2, "b");
    PUT(1, "c");
    PUT(PENDING(1), "waiting");
    PUT(2, "d");
    vm_files_flush(host_vm.files);
    assert_int_equal(pread(file, text, sizeof text, 0), 11);
    assert_string_equal(text, "abcdwaiting");
    close(file);
    close(both);
}

static void kept_is_bounded(void **state)
{
    (void)state;
    char *block = calloc(1, 1 << 20);
    for (int i = 0; i < 20; i++)
        assert_int_equal(WRITE(1, block, 1 << 20), 1 << 20);
    const VmStream *s = vm_files_output(host_vm.files, 1);
    assert_true(s->text.n <= FILES_KEPT);
    assert_int_equal(s->text.n + s->dropped, 20 << 20);
    free(block);
}

static void floats_from_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long consumed;
        double value;
    } cases[] = {
        {"1.5", 3, 1.5},
        {"  -2e3x", 6, -2000},
        {"1+1", 1, 1},
        {"0x1p4", 5, 16},
        {"x", 0, 0},
        {"", 0, 0},
        {"1e400", -6, __builtin_inf()},
        {"nan(12)z", 7, 0},
        {"infinity", 8, __builtin_inf()},
        {"1e+", 1, 1},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        double d = 1;
        assert_int_equal(HOST_CALL(prim_parse_float, ADDRESS(cases[i].text), ADDRESS(&d), 8),
                         cases[i].consumed);
        assert_true(d == cases[i].value || (d != d && cases[i].text[0] == 'n'));
    }
    char open[4] = {'1', '2', ' ', '\n'}; /* no NUL behind it */
    char *exact = memcpy(malloc(3), open, 3);
    float f;
    assert_int_equal(HOST_CALL(prim_parse_float, ADDRESS(exact), ADDRESS(&f), 4), 2);
    assert_true(f == 12);
    free(exact);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(opens),           T(positions),        T(names), T(directories), T(provided), T(pipes),
        T(devices),         T(descriptors),      T(items), T(left),        T(buffers),  T(host_order),
        T(kept_is_bounded), T(floats_from_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

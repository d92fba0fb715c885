/* streams.h - streams that the entry or a harness gets. Part of replay.c. */

/* Streams that the entry or a harness gets: a file in memory, which is still ours when the stream was closed.
 */
typedef struct SheafGivenStream {
    struct SheafGivenStream *next;
    FILE *file;
    int content; /* a descriptor of the same file */
    size_t size; /* at first */
    const char *name;
} SheafGivenStream;
static SheafGivenStream *sheaf_given_streams;

static FILE *sheaf_replay_stream(const void *data, size_t size, const char *name)
{
    sheaf_replay.own++;
    SheafGivenStream *s = calloc(1, sizeof *s);
    int fd = memfd_create("stream", MFD_CLOEXEC);
    FILE *file = fd < 0 || !s ? NULL : fdopen(dup(fd), "r+");
    /* without a buffer the file stands where the program does */
    if (!file || setvbuf(file, NULL, _IONBF, 0) || write(fd, data, size) != (ssize_t)size ||
        lseek(fd, 0, SEEK_SET))
        abort();
    *s = (SheafGivenStream){sheaf_given_streams, file, fd, size, name};
    sheaf_given_streams = s;
    sheaf_replay.own--;
    return file;
}

// Thousands of random operations on a few streams, obeying C's rules for update streams; every result is printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 3, STEPS = 6000 };

typedef struct Slot {
    FILE *f;
    int readable, writable, append;
    int last;                                    /* 0 neutral, 1 read, 2 wrote */
} Slot;

static unsigned long seed = 12345;
static unsigned below(unsigned n)
{
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(seed >> 33) % n;
}

static void open_slot(Slot *s, int i)
{
    static const char *const modes[] = {"r", "w", "a", "r+", "w+", "a+"};
    static const char *const names[] = {"ra.tmp", "rb.tmp", "rc.tmp"};
    unsigned m = below(8);
    m = m > 5 ? 3 : m;
    s->f = fopen(names[i], modes[m]);
    s->readable = m == 0 || m > 2;
    s->writable = m != 0;
    s->append = m == 2 || m == 5;
    s->last = 0;
    printf("open %d %s %d\n", i, modes[m], s->f != NULL);
}

static void read_some(Slot *s, int i)
{
    char buffer[200];
    int c, value = -1;
    s->last = 1;
    switch (below(6)) {
    case 0:
        c = fgetc(s->f);
        printf("%d getc %d\n", i, c);
        break;
    case 1: {
        size_t n = fread(buffer, 1, below(sizeof buffer), s->f), sum = 0;
        for (size_t j = 0; j < n; j++)
            sum = sum * 31 + (unsigned char)buffer[j];
        printf("%d read %zu %zx\n", i, n, sum);
        break;
    }
    case 2: {
        char *line = fgets(buffer, 1 + (int)below(60), s->f);
        printf("%d gets %zd\n", i, line ? (ssize_t)strlen(line) : -1);
        break;
    }
    case 3:
        c = fgetc(s->f);
        printf("%d unget %d", i, c == EOF ? EOF : ungetc(c, s->f));
        printf(" %d\n", fgetc(s->f));
        break;
    case 4:
        c = fscanf(s->f, "%d", &value);
        printf("%d scan %d %d\n", i, c, value);
        break;
    case 5:
        c = fscanf(s->f, "%19[a-z]", buffer);
        printf("%d word %d %s\n", i, c, c == 1 ? buffer : "");
    }
}

static void write_some(Slot *s, int i)
{
    char block[5000];
    s->last = 2;
    switch (below(5)) {
    case 0:
        printf("%d putc %d\n", i, fputc('a' + (int)below(26), s->f));
        break;
    case 1:
        printf("%d puts %d\n", i, fputs("some words and a\nline 12 34\n", s->f) >= 0);
        break;
    case 2:
        printf("%d print %d\n", i, fprintf(s->f, "%d %s %x,", (int)below(100000), "abc", below(65536)));
        break;
    case 3: {
        unsigned n = below(300);
        memset(block, 'a' + (int)below(26), n);
        printf("%d write %zu\n", i, fwrite(block, 1, n, s->f));
        break;
    }
    case 4: {
        unsigned n = below(10) ? below(80) : below(sizeof block);
        for (unsigned j = 0; j < n; j++)
            block[j] = (char)('0' + j % 10);
        printf("%d block %zu\n", i, fwrite(block, 1, n, s->f));
    }
    }
}

static void move(Slot *s, int i)
{
    static const char *const whences[] = {"set", "cur", "end"};
    int whence = (int)below(3);
    long offset = whence == 0 ? (long)below(900) : (long)below(200) - 150;
    int result = fseek(s->f, offset, whence);
    printf("%d seek %s %ld: %d at %ld\n", i, whences[whence], offset, result, ftell(s->f));
    if (result == 0)
        s->last = 0;
}

static void step(Slot *s, int i)
{
    unsigned what = below(20);
    if (!s->f) {
        open_slot(s, i);
    } else if (what < 6 && s->readable) {
        if (s->last == 2)
            fseek(s->f, 0, SEEK_CUR);
        read_some(s, i);
    } else if (what < 12 && s->writable) {
        if (s->last == 1)
            fseek(s->f, 0, SEEK_CUR);
        write_some(s, i);
    } else if (what < 16) {
        move(s, i);
    } else if (what == 16) {
        printf("%d tell %ld eof %d error %d\n", i, ftell(s->f), feof(s->f) != 0, ferror(s->f) != 0);
    } else if (what == 17 && s->last != 1) {
        printf("%d flush %d\n", i, fflush(s->f));
    } else if (what == 18) {
        rewind(s->f);
        s->last = 0;
    } else {
        printf("%d close %d\n", i, fclose(s->f));
        s->f = NULL;
    }
}

int main(void)
{
    Slot slots[STREAMS] = {{0}};
    for (int n = 0; n < STEPS; n++) {
        int i = (int)below(STREAMS);
        step(&slots[i], i);
    }
    for (int i = 0; i < STREAMS; i++)
        if (slots[i].f)
            fclose(slots[i].f);
    remove("ra.tmp");
    remove("rb.tmp");
    remove("rc.tmp");
    return 0;
}

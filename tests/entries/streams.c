// Streams: a FILE * is read, or written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    FILE *file;
    int line;
} Reader;

// entry: stream_first
// for: in stream
// passes: in != NULL
int stream_first(FILE *in)
{
    return fgetc(in); //? null
}

// Three bytes, the third of which is a digit.
// entry: stream_magic
// for: in stream
// passes: in != NULL
int stream_magic(FILE *in)
{
    char magic[3];
    if (fread(magic, 1, sizeof magic, in) != sizeof magic) //? null
        return -1;
    if (magic[0] == 'S' && magic[1] == 'H' && magic[2] == '0')
        abort(); //! abort
    return magic[2] - '0';
}

// entry: stream_words
// for: in stream <= 3 bytes
// passes: in != NULL
int stream_words(FILE *in)
{
    int words = 0, inside = 0, c;
    while ((c = getc(in)) != EOF) { //? null
        words += c != ' ' && !inside;
        inside = c != ' ';
    }
    return words;
}

// entry: stream_line
// for: in stream <= 3 bytes
// passes: in != NULL
int stream_line(FILE *in)
{
    char line[3];
    int n = 0, c;
    while ((c = fgetc(in)) != EOF && c != '\n') //? null
        line[n++] = (char)c;
    line[n] = 0; //! oob-write
    return line[0];
}

// entry: stream_put
// for: out stream
// passes: out != NULL; out != NULL
int stream_put(FILE *out, int n)
{
    if (n > 5)
        return fprintf(out, "%d\n", n); //? null
    return fputs("few\n", out); //? null
}

// entry: stream_copy
// for: in stream <= 3 bytes; out stream
// passes: in != NULL; out != NULL
int stream_copy(FILE *in, FILE *out)
{
    int c, n = 0;
    for (; (c = fgetc(in)) != EOF; n++) //? null
        fputc(c, out); //? null
    return n;
}

// entry: reader_next
// for: r one object; r->file stream
// passes: r != NULL
int reader_next(Reader *r)
{
    int c = r->file ? fgetc(r->file) : EOF; //? null
    r->line += c == '\n';
    return c;
}

// The size of a file by its end.
// entry: stream_size
// for: in stream <= 3 bytes
// passes: in != NULL
long stream_size(FILE *in)
{
    long n;
    if (fseek(in, 0, SEEK_END)) //? null
        return -1;
    n = ftell(in);
    rewind(in);
    return n == 2 ? fgetc(in) : n;
}

// entry: stream_close
// for: in stream
// passes: in != NULL
int stream_close(FILE *in)
{
    int c = fgetc(in); //? null
    fclose(in);
    if (c == 'x')
        abort(); //! abort
    return c;
}

/* csv.c - a few bytes for libcsv, in its strict mode. */
#include <csv.h>
#include <sheaf.h>

#ifndef LENGTH
#define LENGTH 4
#endif

static int fields, rows;

static void on_field(void *text, size_t length, void *data)
{
    (void)text, (void)length, (void)data;
    fields++;
}

static void on_row(int end, void *data)
{
    (void)end, (void)data;
    rows++;
}

int main(void)
{
    struct csv_parser parser;
    char text[LENGTH];
    sheaf_symbolic(text, sizeof text, "text");
    if (csv_init(&parser, CSV_STRICT) != 0)
        return 1;
    if (csv_parse(&parser, text, sizeof text, on_field, on_row, NULL) == sizeof text)
        csv_fini(&parser, on_field, on_row, NULL);
    csv_free(&parser);
    return 0;
}

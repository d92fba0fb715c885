#include <stdio.h>
int main(void) { char *text; size_t n; FILE *f = open_memstream(&text, &n); fprintf(f, "hello"); return 0; }

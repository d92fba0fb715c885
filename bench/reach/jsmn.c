/* jsmn.c - a few bytes for the tokenizer jsmn, with room for three tokens. */
#include <jsmn.h>
#include <sheaf.h>

#ifndef LENGTH
#define LENGTH 4
#endif

int main(void)
{
    jsmn_parser parser;
    jsmntok_t tokens[3];
    char text[LENGTH];
    sheaf_symbolic(text, sizeof text, "text");
    jsmn_init(&parser);
    return jsmn_parse(&parser, text, sizeof text, tokens, 3) < 0;
}

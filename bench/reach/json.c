/* json.c - a text of a few bytes for cJSON, parsed and printed again. */
#include <cJSON.h>
#include <sheaf.h>
#include <stdlib.h>

#ifndef LENGTH
#define LENGTH 4
#endif

int main(void)
{
    char text[LENGTH + 1];
    sheaf_symbolic(text, LENGTH, "text");
    text[LENGTH] = 0;
    cJSON *value = cJSON_Parse(text);
    char *printed = cJSON_PrintUnformatted(value);
    free(printed);
    cJSON_Delete(value);
    return 0;
}

/* json.c - a text of a few bytes for cJSON, parsed and printed again. */
#include <cJSON.h>
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    char text[5];
    sheaf_symbolic(text, 4, "text");
    text[4] = 0;
    cJSON *value = cJSON_Parse(text);
    char *printed = cJSON_PrintUnformatted(value);
    free(printed);
    cJSON_Delete(value);
    return 0;
}

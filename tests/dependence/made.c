/* Memory that is made under branches: each cell by itself decides whether the next line may touch it, and what is done to
 * one says nothing of those made before. */
#include <sheaf.h>
#include <stdlib.h>

enum { CELLS = 12 };

int main(void)
{
    unsigned char in[CELLS];
    int *cells[CELLS] = {0};
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < CELLS; i++)
        if (in[i] > 9) {
            int *cell = malloc(2 * sizeof *cell);
            for (int k = 0; k < 2; k++)
                cell[k] = i;
            cells[i] = cell;
        }
    for (int i = 0; i < CELLS; i++)
        if (cells[i])
            cells[i][1] = 60 / (cells[i][0] - CELLS);
    return 0;
}

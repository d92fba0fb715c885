/* Memory that is made under branches, here or by a helper: each cell by itself decides whether the last line may touch it,
 * and what is done to one says nothing of those made before. */
#include <sheaf.h>
#include <stdlib.h>

enum { CELLS = 12 };

static int *cell_new(int v)
{
    int *cell = malloc(2 * sizeof *cell);
    cell[0] = v;
    cell[1] = 0;
    return cell;
}

int main(void)
{
    unsigned char in[CELLS];
    int *cells[CELLS] = {0};
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < CELLS; i++)
        if (in[i] > 9 && i % 2) {
            cells[i] = cell_new(i);
        } else if (in[i] > 9) {
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

/* Variables that a test sets before the start. */
int shared = 1;
static int hidden = 2;
static struct {
    char *text;
    int n;
} pair = {"abc", 3};

int main(void)
{
    return shared + hidden + pair.n;
}

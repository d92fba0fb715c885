/* Never ends by itself: a limit has to. */
int main(void)
{
    unsigned n = 0;
    for (;;)
        n = n * 5 + 1;
}

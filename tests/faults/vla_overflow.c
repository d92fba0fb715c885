// fault: oob-write
static int fill(int n)
{
    int v[n], sum = 0;
    for (int i = 0; i <= n; i++)
        *(v + i) = i;
    for (int i = 0; i < n; i++)
        sum += *(v + i);
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    return fill(argc + 6);
}

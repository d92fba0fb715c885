// fault: div-zero
int main(int argc, char **argv)
{
    unsigned long long buckets = (unsigned long long)(argc - 1);
    (void)argv;
    return (int)(1234567ull % buckets);
}

// tests: 9
// options: --sym-args 0 2 2
// No argument: 1. One or two (of which only the first is looked at): it begins with a dash or not; then
// '-a', '-b', another: so 2 * (1 + 3) + 1. The length of an argument is a matter of where its NUL is, not a path.
int main(int argc, char **argv)
{
    int verbose = 0;
    if (argc > 2)
        verbose = 100;
    if (argc == 1)
        return 1;
    if (argv[1][0] != '-')
        return verbose + 2;
    switch (argv[1][1]) {
    case 'a': return verbose + 3;
    case 'b': return verbose + 4;
    default: return verbose + 5;
    }
}

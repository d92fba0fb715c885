// run: 1 [oob-read]
// test: 1 oob-read
// flags: --sym-args 0 3 2
// Arguments that are not there.
int main(int argc, char **argv)
{
    if (argc > 2)
        return argv[2][0];
    return argv[1000000][0];
}

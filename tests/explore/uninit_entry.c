// tests: 2
// options: --entry put --check uninit
// replay: no because there is no main
// A function that gives nothing back leaves nothing unset: start-up code takes a status from whatever it enters.
static int kept;

void put(int value)
{
    if (value > 3)
        kept = value;
}

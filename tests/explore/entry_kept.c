// tests: 8
// options: --entry parse --shape bytes --object-size 3
// incomplete: extent
// The string is kept in a structure and walked through that, so it has the three bytes that were asked for: NULL (1); no digit, which is
// the end or not (2); one digit and these two (2); two and these (2); or three digits and no end (1).
struct reader {
    const char *at;
    int digits;
};

static int peek(const struct reader *r)
{
    return *r->at; //! null oob-read
}

static void skip_digits(struct reader *r)
{
    for (; (unsigned)peek(r) - '0' < 10; r->digits++)
        r->at++;
}

int parse(const char *text)
{
    struct reader r = { text, 0 };
    skip_digits(&r);
    if (peek(&r))
        return -1;
    return r.digits;
}

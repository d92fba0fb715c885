/* A discount, and what uses it. */
static int base(int large) { return large ? 10 : 0; }

int discount(int amount, int member)
{
    int percent = base(amount >= 100);
    if (member)
        percent += amount > 100 ? 10 : 5;
    return percent;
}

int price(int amount, int member)
{
    return amount - discount(amount, member);
}

int is_free(int amount, int member)
{
    return discount(amount, member) == 100;
}

int average(const int *values, int n)
{
    int sum = 0;
    for (int i = 0; i < n && i < 4; i++)
        sum += values[i];
    return sum / n;
}

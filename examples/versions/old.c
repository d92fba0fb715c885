/* A discount, and what uses it. */
int discount(int amount, int member)
{
    if (amount >= 100)
        return member ? 20 : 10;
    if (member)
        return 5;
    return 0;
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
    if (n <= 0)
        return 0;
    for (int i = 0; i < n && i < 4; i++)
        sum += values[i];
    return sum / n;
}

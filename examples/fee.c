/* fee.c - what a visit costs: for `sheaf signature --entry fee`. */
#include <stdio.h>

int fee(int age, int member, int visits)
{
    int price = 8;
    if (visits > 10)
        puts("welcome back");
    if (member)
        price = 6;
    if (age < 16)
        price = 3;
    return price;
}

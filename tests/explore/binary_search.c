// tests: 15
// Seven elements: the key is one of them (7), or in one of the gaps around them (8).
#include <sheaf.h>

static const int sorted[7] = {3, 9, 14, 27, 50, 81, 120};

int main(void)
{
    int key, low = 0, high = 7;
    sheaf_symbolic(&key, sizeof key, "key");
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] == key)
            return 1;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

// Members keep their names: nested structures, arrays of them, unions, bit-fields.
#include <stddef.h>

struct Point {
    int x, y;
};

typedef struct Item {
    struct Item *next;
    const char *name;
    struct Point pos;
    int type;
    struct Point *at;
    struct {
        int id;
        char *label;
    } part[3];
    union {
        int whole;
        float real;
    } value;
    unsigned flags : 3;
    int shift : 4;
} Item;

// entry: item_first
// for: item one object; item->name string
// passes: item != NULL; item->name != NULL
int item_first(const Item *item)
{
    return item->type == 5 && item->pos.x > 3 ? item->name[0] : item->flags; //? null
}

// entry: item_ratio
// for: item one object
// passes: item != NULL
int item_ratio(const Item *item)
{
    if (item->part[2].id == 7) //? null
        return 1;
    return 10 / item->shift; //! div-zero
}

// entry: item_label
// for: item one object; item->part[1].label string; item->at one object
// passes: item != NULL; item->part[1].label != NULL; item->at != NULL
int item_label(const Item *item)
{
    if (item->value.whole == 9) //? null
        return item->at->y; //? null
    return item->part[1].label[0]; //? null
}

typedef struct depot depot;
depot *depot_new(unsigned size);
int depot_get(depot *d, unsigned i);

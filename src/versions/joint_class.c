/* joint_class.c - what kind of difference it is, for people. */
#include "versions/joint_int.h"

const char *joint_class_text(JointClass class)
{
    static const char *const texts[] = {"in any way", "only where signed arithmetic overflows"};
    return texts[class];
}

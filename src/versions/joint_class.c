/* joint_class.c - what kind of difference it is: only where arithmetic overflows, only not a number, only rounding, only after a NUL. */
#include "versions/joint_int.h"

const char *joint_class_text(JointClass class)
{
    static const char *const texts[] = {"in any way", "only where signed arithmetic overflows", "only where a result is not a number",
                                        "only by rounding", "only in bytes after the end of a string"};
    return texts[class];
}

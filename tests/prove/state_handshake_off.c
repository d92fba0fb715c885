/* expect: reached */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    abort();
}

int main(void)
{
    int s__state = 8464, blastFlag = 0, hit = __VERIFIER_nondet_int();
    int tmp;
    while (1) {
        if (s__state <= 8512 && blastFlag > 2)
            goto ERROR;
        if (s__state == 8464)
            goto L8464;
        else if (s__state == 8466)
            goto L8466;
        else if (s__state == 8512)
            goto L8512;
        else if (s__state == 8640)
            goto L8640;
        else if (s__state == 3)
            goto out;
        else
            goto out;
    L8464:
        if (blastFlag == 0)
            blastFlag = 1;
        s__state = 8466;
        continue;
    L8466:
        if (blastFlag == 1)
            blastFlag = 2;
        tmp = __VERIFIER_nondet_int();
        if (tmp)
            s__state = 8512;
        else
            s__state = 8640;
        continue;
    L8512:
        s__state = 8640;
        continue;
    L8640:
        if (blastFlag == 2)
            blastFlag = 3;
        if (hit)
            s__state = 8656;
        else
            s__state = 3;
        continue;
    }
out:
    return 0;
ERROR:
    reach_error();
    return 0;
}

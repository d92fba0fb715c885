/* Internet addresses as text, and byte order. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char *const texts[] = {"",
                                        "1.2.3.4",
                                        "127.0.0.1",
                                        "255.255.255.255",
                                        "256.1.1.1",
                                        "1.2.3",
                                        "1.2",
                                        "1",
                                        "0x7f.1",
                                        "010.1.1.1",
                                        "1.2.3.4.5",
                                        "1.2.3.4 x",
                                        "1.2.3.4x",
                                        "1..2",
                                        ".1",
                                        "1.",
                                        "4294967295",
                                        "4294967296",
                                        "1.16777215",
                                        "1.16777216",
                                        "08.1",
                                        "0x",
                                        "01.2.3.4",
                                        "00.0.0.0",
                                        "::",
                                        "::1",
                                        "1::",
                                        "fe80::1",
                                        "1:2:3:4:5:6:7:8",
                                        "1:2:3:4:5:6:7",
                                        "1:2:3:4:5:6:7:8:9",
                                        "::ffff:1.2.3.4",
                                        "::1.2.3.4",
                                        "1::2::3",
                                        ":::",
                                        ":1",
                                        "1:",
                                        "12345::",
                                        "abcd:EF01::",
                                        "::1.2.3",
                                        "1:2:3:4:5:6:1.2.3.4",
                                        "g::",
                                        "0:0:1:0:0:0:0:1",
                                        "0:1:0:0:1:0:0:0",
                                        "1:0:0:2:0:0:0:3",
                                        "1:2:3:4:5:6:7::",
                                        "::2:3:4:5:6:7:8",
                                        "0:0:0:0:0:0:0:0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct in_addr a = {0};
        unsigned char bytes[16] = {0};
        char text[64];
        int ok = inet_aton(texts[i], &a);
        printf("[%s] %d %08x %08x", texts[i], ok, a.s_addr, inet_addr(texts[i]));
        if (ok)
            printf(" %s", inet_ntoa(a));
        ok = inet_pton(AF_INET, texts[i], bytes);
        printf(" | %d", ok);
        if (ok == 1)
            printf(" %s", inet_ntop(AF_INET, bytes, text, sizeof text));
        memset(bytes, 0, sizeof bytes);
        ok = inet_pton(AF_INET6, texts[i], bytes);
        printf(" | %d", ok);
        for (int k = 0; ok == 1 && k < 16; k++)
            printf(" %02x", bytes[k]);
        if (ok == 1)
            printf(" %s", inet_ntop(AF_INET6, bytes, text, sizeof text));
        printf("\n");
    }
    char small[4];
    errno = 0;
    printf("%d %d\n", inet_ntop(AF_INET, "\1\2\3\4", small, sizeof small) == NULL, errno == ENOSPC);
    printf("%x %x %x %x\n", htonl(0x12345678), ntohl(1), htons(0x1234), ntohs(1));
    return 0;
}

/* channel.c - messages over a socket: the kind, four bytes of length, the body. */
#include "explore/parallel.h"

#include <errno.h>
#include <sys/socket.h>

enum { HEAD = 5, BODY_MOST = 1 << 30 };

static bool send_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n) {
        ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        at += sent > 0 ? sent : 0;
        n -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

bool channel_send(Channel *c, MessageKind kind, const Str *body)
{
    uint8_t head[HEAD] = {(uint8_t)kind};
    for (unsigned i = 0; i < 4; i++)
        head[1 + i] = (uint8_t)(body->n >> 8 * i);
    return body->n <= BODY_MOST && send_all(c->fd, head, sizeof head) && send_all(c->fd, body->v, body->n);
}

static bool receive(Channel *c, int flags)
{
    char bytes[1 << 16];
    ssize_t n;
    do
        n = recv(c->fd, bytes, sizeof bytes, flags);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        str_add_n(&c->pending, bytes, (size_t)n);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

bool channel_fill(Channel *c) { return receive(c, MSG_DONTWAIT); }

bool channel_next(Channel *c, MessageKind *kind, Str *body, bool *bad)
{
    uint64_t n = 0;
    if (c->pending.n < HEAD)
        return false;
    for (unsigned i = 0; i < 4; i++)
        n |= (uint64_t)(uint8_t)c->pending.v[1 + i] << 8 * i;
    *kind = (MessageKind)(uint8_t)c->pending.v[0];
    *bad = *kind > MESSAGE_GO_ON || n > BODY_MOST;
    if (*bad || c->pending.n - HEAD < n)
        return false;
    vec_clear(body);
    str_add_n(body, c->pending.v + HEAD, n);
    c->pending.n -= HEAD + (uint32_t)n;
    memmove(c->pending.v, c->pending.v + HEAD + n, c->pending.n);
    return true;
}

bool channel_receive(Channel *c, MessageKind *kind, Str *body)
{
    bool bad = false;
    while (!channel_next(c, kind, body, &bad))
        if (bad || !receive(c, 0))
            return false;
    return true;
}

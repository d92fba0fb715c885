/* thread.c - pthread.h, semaphore.h and threads.h for a program that has one thread. pthread_create is
 * refused (posix/unsupported.c). A call that would wait for another thread would wait for ever, and ends the
 * path with that reason. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#include "internal.h"

static const pthread_t SELF = 1;

pthread_t pthread_self(void) { return SELF; }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

/* The end of the only thread is the end of the program. */
void pthread_exit(void *value)
{
    (void)value;
    exit(0);
}

int pthread_detach(pthread_t thread) { return thread == SELF ? 0 : ESRCH; }

int pthread_setcancelstate(int state, int *old)
{
    if (old)
        *old = PTHREAD_CANCEL_ENABLE;
    return state == PTHREAD_CANCEL_ENABLE || state == PTHREAD_CANCEL_DISABLE ? 0 : EINVAL;
}

int pthread_setcanceltype(int type, int *old)
{
    if (old)
        *old = PTHREAD_CANCEL_DEFERRED;
    return type == PTHREAD_CANCEL_DEFERRED || type == PTHREAD_CANCEL_ASYNCHRONOUS ? 0 : EINVAL;
}

void pthread_testcancel(void) {}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare, (void)parent, (void)child;
    return 0;
}

int pthread_once(pthread_once_t *once, void (*function)(void))
{
    if (*once == PTHREAD_ONCE_INIT) {
        *once = 1;
        function();
    }
    return 0;
}

void call_once(once_flag *flag, void (*function)(void)) { pthread_once((pthread_once_t *)flag, function); }

/* Mutexes: __count is how often it is held, __kind its type. */
static int lock(pthread_mutex_t *mutex, bool wait)
{
    if (mutex->__data.__count == 0 || mutex->__data.__kind == PTHREAD_MUTEX_RECURSIVE) {
        mutex->__data.__count++;
        return 0;
    }
    if (!wait)
        return EBUSY;
    if (mutex->__data.__kind == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    __sheaf_report("deadlock: a mutex is locked again by the thread that holds it");
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    *mutex =
        (pthread_mutex_t){.__data.__kind = attributes ? *(const int *)attributes & 3 : PTHREAD_MUTEX_NORMAL};
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) { return mutex->__data.__count ? EBUSY : 0; }

int pthread_mutex_lock(pthread_mutex_t *mutex) { return lock(mutex, true); }

int pthread_mutex_trylock(pthread_mutex_t *mutex) { return lock(mutex, false); }

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict limit)
{
    (void)limit;
    return lock(mutex, false) ? ETIMEDOUT : 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (mutex->__data.__count == 0)
        return mutex->__data.__kind == PTHREAD_MUTEX_NORMAL ? 0 : EPERM;
    mutex->__data.__count--;
    return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
    *(int *)attributes = PTHREAD_MUTEX_NORMAL;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type)
{
    if (type < 0 || type > PTHREAD_MUTEX_ERRORCHECK)
        return EINVAL;
    *(int *)attributes = type;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict type)
{
    *type = *(const int *)attributes;
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared)
{
    (void)attributes, (void)shared;
    return 0;
}

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes)
{
    (void)attributes;
    __builtin_memset(condition, 0, sizeof *condition);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex)
{
    (void)condition, (void)mutex;
    __sheaf_report("deadlock: the only thread waits for a condition");
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict limit)
{
    (void)condition, (void)mutex, (void)limit;
    return ETIMEDOUT;
}

int pthread_condattr_init(pthread_condattr_t *attributes)
{
    *(int *)attributes = 0;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t which)
{
    (void)attributes, (void)which;
    return 0;
}

/* Read-write locks: __readers counts readers, __writers is 1 while it is held for writing. */
int pthread_rwlock_init(pthread_rwlock_t *restrict rwlock, const pthread_rwlockattr_t *restrict attributes)
{
    (void)attributes;
    *rwlock = (pthread_rwlock_t){.__data.__readers = 0};
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
{
    (void)rwlock;
    return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
    if (rwlock->__data.__writers)
        return EBUSY;
    rwlock->__data.__readers++;
    return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
    if (rwlock->__data.__writers || rwlock->__data.__readers)
        return EBUSY;
    rwlock->__data.__writers = 1;
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *rwlock) { return pthread_rwlock_tryrdlock(rwlock) ? EDEADLK : 0; }

int pthread_rwlock_wrlock(pthread_rwlock_t *rwlock) { return pthread_rwlock_trywrlock(rwlock) ? EDEADLK : 0; }

int pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
    if (rwlock->__data.__writers)
        rwlock->__data.__writers = 0;
    else if (rwlock->__data.__readers)
        rwlock->__data.__readers--;
    return 0;
}

int pthread_spin_init(pthread_spinlock_t *spin, int shared)
{
    (void)shared;
    *spin = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *spin)
{
    (void)spin;
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *spin)
{
    if (*spin)
        return EBUSY;
    *spin = 1;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *spin)
{
    if (*spin)
        __sheaf_report("deadlock: a spin lock is locked again by the thread that holds it");
    *spin = 1;
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *spin)
{
    *spin = 0;
    return 0;
}

enum { KEYS = 128 };
static struct {
    bool used;
    void *value;
} keys[KEYS];

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    (void)destroy; /* destructors run at the end of other threads only */
    for (unsigned i = 0; i < KEYS; i++)
        if (!keys[i].used) {
            keys[i].used = true;
            keys[i].value = NULL;
            *key = i;
            return 0;
        }
    return EAGAIN;
}

int pthread_key_delete(pthread_key_t key)
{
    if (key >= KEYS || !keys[key].used)
        return EINVAL;
    keys[key].used = false;
    return 0;
}

void *pthread_getspecific(pthread_key_t key) { return key < KEYS && keys[key].used ? keys[key].value : NULL; }

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= KEYS || !keys[key].used)
        return EINVAL;
    keys[key].value = (void *)value;
    return 0;
}

int pthread_attr_init(pthread_attr_t *attributes)
{
    *attributes = (pthread_attr_t){{0}};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)
{
    (void)attributes, (void)state;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    (void)attributes, (void)size;
    return 0;
}

int sched_yield(void) { return 0; }

/* Semaphores: the value is the first word. */
int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    (void)shared;
    *(unsigned *)semaphore = value;
    return 0;
}

int sem_destroy(sem_t *semaphore)
{
    (void)semaphore;
    return 0;
}

int sem_post(sem_t *semaphore)
{
    ++*(unsigned *)semaphore;
    return 0;
}

int sem_trywait(sem_t *semaphore)
{
    if (*(unsigned *)semaphore == 0) {
        errno = EAGAIN;
        return -1;
    }
    --*(unsigned *)semaphore;
    return 0;
}

int sem_wait(sem_t *semaphore)
{
    if (*(unsigned *)semaphore == 0)
        __sheaf_report("deadlock: the only thread waits for a semaphore");
    --*(unsigned *)semaphore;
    return 0;
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value)
{
    *value = (int)*(unsigned *)semaphore;
    return 0;
}

int mtx_init(mtx_t *mutex, int type)
{
    *(pthread_mutex_t *)mutex = (pthread_mutex_t){
        .__data.__kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL};
    return thrd_success;
}

void mtx_destroy(mtx_t *mutex) { (void)mutex; }

int mtx_lock(mtx_t *mutex) { return lock((pthread_mutex_t *)mutex, true) ? thrd_error : thrd_success; }

int mtx_trylock(mtx_t *mutex) { return lock((pthread_mutex_t *)mutex, false) ? thrd_busy : thrd_success; }

int mtx_unlock(mtx_t *mutex)
{
    return pthread_mutex_unlock((pthread_mutex_t *)mutex) ? thrd_error : thrd_success;
}

thrd_t thrd_current(void) { return SELF; }

int thrd_equal(thrd_t a, thrd_t b) { return a == b; }

void thrd_yield(void) {}

int thrd_sleep(const struct timespec *wanted, struct timespec *rest)
{
    (void)wanted, (void)rest;
    return 0;
}

void thrd_exit(int result)
{
    (void)result;
    exit(0);
}

int tss_create(tss_t *key, tss_dtor_t destroy)
{
    return pthread_key_create(key, destroy) ? thrd_error : thrd_success;
}

void tss_delete(tss_t key) { pthread_key_delete(key); }

void *tss_get(tss_t key) { return pthread_getspecific(key); }

int tss_set(tss_t key, void *value) { return pthread_setspecific(key, value) ? thrd_error : thrd_success; }

int cnd_init(cnd_t *condition)
{
    __builtin_memset(condition, 0, sizeof *condition);
    return thrd_success;
}

void cnd_destroy(cnd_t *condition) { (void)condition; }

int cnd_signal(cnd_t *condition)
{
    (void)condition;
    return thrd_success;
}

int cnd_broadcast(cnd_t *condition)
{
    (void)condition;
    return thrd_success;
}

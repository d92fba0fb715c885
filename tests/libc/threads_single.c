// cflags: -pthread
/* What programs with one thread use of threads. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times;

static void initialise(void)
{
    times++;
}

int main(void)
{
    pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, checked, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    printf("%d %d %d %d\n", pthread_mutex_lock(&plain), pthread_mutex_trylock(&plain) == EBUSY,
           pthread_mutex_unlock(&plain), pthread_mutex_trylock(&plain));
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    printf("%d %d %d %d\n", pthread_mutex_lock(&checked), pthread_mutex_lock(&checked) == EDEADLK,
           pthread_mutex_unlock(&checked), pthread_mutex_unlock(&checked) == EPERM);
    printf("%d %d %d %d\n", pthread_mutex_lock(&recursive), pthread_mutex_lock(&recursive),
           pthread_mutex_unlock(&recursive), pthread_mutex_unlock(&recursive));
    for (int i = 0; i < 3; i++)
        pthread_once(&once, initialise);
    printf("%d %d\n", times, pthread_equal(pthread_self(), pthread_self()) != 0);
    pthread_key_t key, other;
    pthread_key_create(&key, NULL);
    pthread_key_create(&other, NULL);
    printf("%d ", pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &times);
    pthread_setspecific(other, &once);
    printf("%d %d\n", pthread_getspecific(key) == &times, pthread_getspecific(other) == &once);
    pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
    printf("%d %d %d %d %d %d\n", pthread_rwlock_rdlock(&rwlock), pthread_rwlock_tryrdlock(&rwlock),
           pthread_rwlock_trywrlock(&rwlock) == EBUSY, pthread_rwlock_unlock(&rwlock), pthread_rwlock_unlock(&rwlock),
           pthread_rwlock_wrlock(&rwlock));
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    printf("%d %d\n", pthread_cond_signal(&condition), pthread_cond_broadcast(&condition));
    sem_t semaphore;
    int value;
    sem_init(&semaphore, 0, 2);
    printf("%d %d ", sem_wait(&semaphore), sem_trywait(&semaphore));
    printf("%d %d ", sem_trywait(&semaphore), errno == EAGAIN);
    sem_post(&semaphore);
    sem_getvalue(&semaphore, &value);
    printf("%d\n", value);
    mtx_t mutex;
    printf("%d %d %d\n", mtx_init(&mutex, mtx_plain), mtx_lock(&mutex), mtx_unlock(&mutex));
    static once_flag flag = ONCE_FLAG_INIT;
    call_once(&flag, initialise);
    call_once(&flag, initialise);
    printf("%d\n", times);
    return 0;
}

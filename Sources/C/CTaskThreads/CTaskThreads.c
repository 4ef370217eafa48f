#include "CTaskThreads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

// The runtime's hooks: their value is called instead of the function that gives a job to
// libdispatch, and gets that function (swift/Runtime/Concurrency.h).
#define SWIFT __attribute__((swiftcall))
typedef SWIFT void (*at_once)(void *job);
typedef SWIFT void (*after_delay)(unsigned long long nanoseconds, void *job);
typedef SWIFT void (*at_deadline)(long long s, long long ns, long long slack_s, long long slack_ns, int clock, void *job);

extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, at_once original);
extern SWIFT void (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long nanoseconds, void *job, after_delay original);
extern SWIFT void (*swift_task_enqueueGlobalWithDeadline_hook)(
  long long s, long long ns, long long slack_s, long long slack_ns, int clock, void *job, at_deadline original);

struct handover {
  struct handover *next;
  void *job;
  // One of them is set.
  at_once at_once;
  after_delay after_delay;
  at_deadline at_deadline;
  unsigned long long delay;
  long long s, ns, slack_s, slack_ns;
  int clock;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct handover *first, **last = &first;
static struct stat home;

static int network_of_this_thread(struct stat *network) { return stat("/proc/thread-self/ns/net", network); }

static int is_away(void) {
  struct stat here;
  int before = errno;
  int away = !network_of_this_thread(&here) && (here.st_ino != home.st_ino || here.st_dev != home.st_dev);
  errno = before;
  return away;
}

static void enqueue(const struct handover *one) {
  if (one->at_once) one->at_once(one->job);
  else if (one->after_delay) one->after_delay(one->delay, one->job);
  else one->at_deadline(one->s, one->ns, one->slack_s, one->slack_ns, one->clock, one->job);
}

/// Gives a job to the thread that stayed or, without memory for that, to libdispatch.
static void hand_over(struct handover job) {
  struct handover *kept = is_away() ? malloc(sizeof *kept) : 0;
  if (!kept) return enqueue(&job);
  *kept = job;
  pthread_mutex_lock(&lock);
  *last = kept;
  last = &kept->next;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

static void *take_over(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!first) pthread_cond_wait(&filled, &lock);
    struct handover *one = first;
    first = one->next;
    if (!first) last = &first;
    pthread_mutex_unlock(&lock);
    enqueue(one);
    free(one);
  }
  return 0;
}

static SWIFT void enqueue_at_once(void *job, at_once original) {
  hand_over((struct handover){.job = job, .at_once = original});
}

static SWIFT void enqueue_after_delay(unsigned long long nanoseconds, void *job, after_delay original) {
  hand_over((struct handover){.job = job, .after_delay = original, .delay = nanoseconds});
}

static SWIFT void enqueue_at_deadline(
  long long s, long long ns, long long slack_s, long long slack_ns, int clock, void *job, at_deadline original) {
  hand_over((struct handover){
    .job = job, .at_deadline = original, .s = s, .ns = ns, .slack_s = slack_s, .slack_ns = slack_ns, .clock = clock});
}

static int failure;

static void install(void) {
  pthread_t thread;
  if (network_of_this_thread(&home)) {
    failure = errno;
    return;
  }
  failure = pthread_create(&thread, 0, take_over, 0);
  if (failure) return;
  pthread_detach(thread);
  swift_task_enqueueGlobal_hook = enqueue_at_once;
  swift_task_enqueueGlobalWithDelay_hook = enqueue_after_delay;
  swift_task_enqueueGlobalWithDeadline_hook = enqueue_at_deadline;
}

int ctaskthreads_stay(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  return failure;
}

/*
 * What a compiler makes of the same question that `ridgeline roofline` asks: the most f32 and int8
 * arithmetic that cores can do. Prints one line: f32 on one core, on all, int8 on one, on all, in
 * thousand millions of operations a second; 0 where the processor lacks it.
 *
 * cc -O2 -march=native -pthread ceilings.c -o ceilings && ./ceilings THREADS
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SUMS = 12, TURNS = 8192, PIECES = 9, WINDOWS = 240, MOST_THREADS = 256 };

#if defined(__AVX512F__)
typedef __m512 floats;
typedef __m512i bytes;
#define FMA _mm512_fmadd_ps
#define ONE _mm512_set1_ps(0.001f)
#define BYTES _mm512_set1_epi8(3)
#elif defined(__FMA__)
typedef __m256 floats;
typedef __m256i bytes;
#define FMA _mm256_fmadd_ps
#define ONE _mm256_set1_ps(0.001f)
#define BYTES _mm256_set1_epi8(3)
#else
#error "this processor has no fma"
#endif
#if defined(__AVX512VNNI__)
#define DOT _mm512_dpbusd_epi32
#elif defined(__AVXVNNI__) && !defined(__AVX512F__)
#define DOT _mm256_dpbusd_avx_epi32
#endif

/* Keeps a value in a register, and the compiler from knowing what it is. */
#define KEEP(value) __asm__ volatile("" : "+v"(value))

/* Sums have names: those of an array would go through memory at every step. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define DECLARE(i) sum sum##i = a;
#define ADD(i) sum##i = STEP(sum##i); KEEP(sum##i);

static double fma_piece(void) {
  typedef floats sum;
  floats a = ONE, b = ONE;
  KEEP(a);
  KEEP(b);
  EACH(DECLARE)
#define STEP(to) FMA(a, b, to)
  for (int turn = 0; turn < TURNS; turn++) {
    EACH(ADD)
    EACH(ADD)
  }
#undef STEP
  return 2.0 * SUMS * 2 * TURNS * (sizeof(floats) / 4);
}

#ifdef DOT
static double dot_piece(void) {
  typedef bytes sum;
  bytes a = BYTES, b = BYTES;
  KEEP(a);
  KEEP(b);
  EACH(DECLARE)
#define STEP(to) DOT(to, a, b)
  for (int turn = 0; turn < TURNS; turn++) {
    EACH(ADD)
    EACH(ADD)
  }
#undef STEP
  return 2.0 * SUMS * 2 * TURNS * sizeof(bytes);
}
#else
static double dot_piece(void) { return 0; }
#endif

static double (*piece)(void);
static int threads;
static atomic_int arrived;
static double begins[WINDOWS][MOST_THREADS], ends[WINDOWS][MOST_THREADS], amounts[MOST_THREADS];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *carry(void *argument) {
  int member = (int)(long)argument;
  for (int window = 0; window < WINDOWS; window++) {
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < (window + 1) * threads) _mm_pause();
    begins[window][member] = now();
    double amount = 0;
    for (int i = 0; i < PIECES; i++) amount += piece();
    ends[window][member] = now();
    amounts[member] = amount;
  }
  return NULL;
}

/* The best of some windows that all threads begin together. */
static double best(double (*of)(void), int count) {
  pthread_t others[MOST_THREADS];
  piece = of;
  threads = count;
  atomic_store(&arrived, 0);
  for (long i = 1; i < count; i++) pthread_create(&others[i], NULL, carry, (void *)i);
  carry((void *)0);
  for (int i = 1; i < count; i++) pthread_join(others[i], NULL);
  double most = 0;
  for (int window = 0; window < WINDOWS; window++) {
    double begin = begins[window][0], end = ends[window][0], amount = 0;
    for (int i = 0; i < count; i++) {
      if (begins[window][i] < begin) begin = begins[window][i];
      if (ends[window][i] > end) end = ends[window][i];
      amount += amounts[i];
    }
    if (amount / (end - begin) > most) most = amount / (end - begin);
  }
  return most;
}

int main(int count, char **arguments) {
  int all = count > 1 ? atoi(arguments[1]) : 1;
  if (all < 1 || all > MOST_THREADS) return 2;
  best(fma_piece, all); /* brings the clock rate up */
  printf("%.3f %.3f", best(fma_piece, 1), best(fma_piece, all));
  printf(" %.3f %.3f\n", best(dot_piece, 1), best(dot_piece, all));
  return 0;
}

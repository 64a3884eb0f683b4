/*
 * What a compiler makes of the same question that `ridgeline roofline` asks: the most f32 and int8
 * arithmetic that cores can do, and the most bytes that memory takes and gives. Prints one line:
 * f32, int8, reading, writing and copying, each on one core and on all, in thousand millions of
 * operations or bytes a second; 0 where the processor lacks it.
 *
 * cc -O2 -march=native -pthread ceilings.c -o ceilings && ./ceilings THREADS
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { SUMS = 12, TURNS = 8192, PIECES = 9, WINDOWS = 240, MOST_THREADS = 256 };

/* Memory: bytes of all slices together, of a piece of one, pieces and windows. */
enum { MEMORY = 256 << 20, PIECE = 1 << 20, MEMORY_PIECES = 160, MEMORY_WINDOWS = 2, AHEAD = 8192, HUGE = 2 << 20 };

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

static char *memory;
static long slice;
static __thread long position;
static __thread int thread;

/* The next piece of a thread's slice. */
static char *next(void) {
  char *here = memory + thread * slice + position;
  position = position + 2 * PIECE > slice ? 0 : position + PIECE;
  return here;
}

/* The compiler shall load it, though nobody looks. */
#define LOOK(value) __asm__ volatile("" : : "v"(value))

static double read_piece(void) {
  char *from = next();
  for (long i = 0; i < PIECE; i += sizeof(floats)) {
    floats line = *(floats *)(from + i);
    LOOK(line);
  }
  return PIECE;
}

static double read_ahead_piece(void) {
  char *from = next();
  for (long i = 0; i < PIECE; i += 4 * sizeof(floats)) {
    for (long j = 0; j < (long)(4 * sizeof(floats)); j += 64) {
      _mm_prefetch(from + i + j + AHEAD, _MM_HINT_T1);
    }
    for (int j = 0; j < 4; j++) {
      floats line = *(floats *)(from + i + j * sizeof(floats));
      LOOK(line);
    }
  }
  return PIECE;
}

static int numbers[16] = {1, 77, 1234567, 31, 5, 99, 123, 7, 11, 13, 1717, 19, 23, 29, 41, 43};

/* What is stored differs from line to line: memory takes zeros several times as fast. */
static double write_piece(void) {
  char *to = next();
  bytes now = *(bytes *)numbers, step = now + now;
  for (long i = 0; i < PIECE; i += sizeof(bytes)) {
    *(bytes *)(to + i) = now;
    now += step;
  }
  return PIECE;
}

#if defined(__AVX512F__)
#define STREAM _mm512_stream_si512
#else
#define STREAM _mm256_stream_si256
#endif

static double write_past_piece(void) {
  char *to = next();
  bytes now = *(bytes *)numbers, step = now + now;
  for (long i = 0; i < PIECE; i += sizeof(bytes)) {
    STREAM((bytes *)(to + i), now);
    now += step;
  }
  _mm_sfence();
  return PIECE;
}

/* From one half of a piece to the other, but not to the same place in a page. */
static double copy_piece(void) {
  char *from = next(), *to = from + PIECE / 2;
  for (long i = 0; i < PIECE / 2 - 512; i += sizeof(bytes)) {
    *(bytes *)(to + 512 + i) = *(bytes *)(from + i);
  }
  return PIECE - 1024;
}

static double copy_past_piece(void) {
  char *from = next(), *to = from + PIECE / 2;
  for (long i = 0; i < PIECE / 2 - 512; i += sizeof(bytes)) {
    STREAM((bytes *)(to + 512 + i), *(bytes *)(from + i));
  }
  _mm_sfence();
  return PIECE - 1024;
}

static double (*piece)(void);
static int threads, pieces, windows;
static atomic_int arrived;
static double begins[WINDOWS][MOST_THREADS], ends[WINDOWS][MOST_THREADS], amounts[MOST_THREADS];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *carry(void *argument) {
  int member = (int)(long)argument;
  thread = member;
  position = 0;
  for (int window = 0; window < windows; window++) {
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < (window + 1) * threads) _mm_pause();
    begins[window][member] = now();
    double amount = 0;
    for (int i = 0; i < pieces; i++) amount += piece();
    ends[window][member] = now();
    amounts[member] = amount;
  }
  return NULL;
}

/* The best of some windows that all threads begin together. */
static double best_of(double (*of)(void), int count) {
  pthread_t others[MOST_THREADS];
  piece = of;
  threads = count;
  atomic_store(&arrived, 0);
  for (long i = 1; i < count; i++) pthread_create(&others[i], NULL, carry, (void *)i);
  carry((void *)0);
  for (int i = 1; i < count; i++) pthread_join(others[i], NULL);
  double most = 0;
  for (int window = 0; window < windows; window++) {
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

static double best(double (*of)(void), int count) {
  pieces = PIECES;
  windows = WINDOWS;
  return best_of(of, count);
}

/* Of two ways through memory, the faster. */
static double best_way(double (*one)(void), double (*other)(void), int count) {
  slice = MEMORY / count / PIECE * PIECE;
  pieces = MEMORY_PIECES;
  windows = MEMORY_WINDOWS;
  double a = best_of(one, count), b = best_of(other, count);
  return a > b ? a : b;
}

int main(int count, char **arguments) {
  int all = count > 1 ? atoi(arguments[1]) : 1;
  if (all < 1 || all > MOST_THREADS) return 2;
  best(fma_piece, all); /* brings the clock rate up */
  printf("%.3f %.3f", best(fma_piece, 1), best(fma_piece, all));
  printf(" %.3f %.3f", best(dot_piece, 1), best(dot_piece, all));
  memory = mmap(NULL, MEMORY + HUGE + AHEAD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  memory += -(long)memory & (HUGE - 1);
  madvise(memory, MEMORY, MADV_HUGEPAGE);
  for (long i = 0; i < MEMORY; i++) memory[i] = (char)(i * 31 + (i >> 9));
  best_way(read_piece, read_ahead_piece, 1); /* the clock rate again */
  double (*ways[3][2])(void) = {{read_piece, read_ahead_piece},
                                {write_piece, write_past_piece},
                                {copy_piece, copy_past_piece}};
  for (int i = 0; i < 3; i++) {
    printf(" %.3f", best_way(ways[i][0], ways[i][1], 1));
    printf(" %.3f", best_way(ways[i][0], ways[i][1], all));
  }
  printf("\n");
  return 0;
}

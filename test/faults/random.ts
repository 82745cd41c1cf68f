/** Seeded random numbers. `PARLOR_SEED` sets the seed; without it a new one is generated and printed. */
export type Random = {
  /** At least `min`, at most `max`. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  /** A separate source, so that draws of one part do not shift those of the others. */
  fork(): Random
}

export function chooseSeed(what: string): number {
  const given = Number(process.env.PARLOR_SEED)
  const seed = Number.isSafeInteger(given) && given > 0 ? given : 1 + (Date.now() % 1_000_000_007)
  console.info(`${what}: PARLOR_SEED=${seed}`)
  return seed
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  /** mulberry32 */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (list) => list[int(0, list.length - 1)] ?? list[0],
    fork: () => seededRandom(int(1, 2 ** 31)),
  }
}

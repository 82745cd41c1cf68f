/** Seeds that once found something. What they do now depends on everything they run; they stay because they are cheap. */
export const regressionSeeds: readonly number[] = [
  4, 5, 6, 7, 9, 18, 19, 22, 27, 29, 38, 52, 55, 56, 57, 73, 79, 87, 90, 107, 116, 130, 272, 282, 312, 470, 951, 1_225,
  1_307, 2_357, 3_208,
]

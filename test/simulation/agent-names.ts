/** The agents of every simulated server. */
export const AGENTS = ["crab", "owl"] as const

/** The agents of every simulated server. Conversations are with the first two. */
export const AGENTS = ["crab", "owl", "critic"] as const

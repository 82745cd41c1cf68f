/** The parts of the account page, as its address names them. */
export type AccountSection = "usage" | "keys" | "notifications" | "data"

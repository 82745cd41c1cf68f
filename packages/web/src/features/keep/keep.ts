/** The browser's storage. It may be unavailable (private windows, full disk); the page works without it. */
export type Keep = {
  readonly read: (key: string) => string | undefined
  readonly write: (key: string, value: string | undefined) => void
}

export function keepIn(storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">): Keep {
  return {
    read: (key) => attempt(() => storage().getItem(key) ?? undefined),
    write: (key, value) =>
      attempt(() => (value === undefined ? storage().removeItem(key) : storage().setItem(key, value))),
  }
}

export const browserKeep: Keep = keepIn(() => window.localStorage)

/** The browser's storage itself, where there is one. */
export function browserStorage(): Storage | undefined {
  return attempt(() => window.localStorage)
}

/** Per-window storage that survives reloads. */
export function windowStorage(): Storage | undefined {
  return attempt(() => window.sessionStorage)
}

export function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

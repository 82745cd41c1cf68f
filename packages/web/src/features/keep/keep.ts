/** What this browser keeps. A browser may refuse to (private windows, full disk): then the page works without. */
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

/** What this one window keeps across reloads; another window has its own. */
export const windowKeep: Keep = keepIn(() => window.sessionStorage)

/** The browser's storage itself, where there is one. */
export function browserStorage(): Storage | undefined {
  return attempt(() => window.localStorage)
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

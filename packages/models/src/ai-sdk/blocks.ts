/** Gathers what a provider says about each block of its answer, until the block ends (MOD-7). */
import type { Json } from "@parlor/core"
import type { Block, Dialect, Options } from "./dialect.ts"

type Metadata = Readonly<Record<string, unknown>> | undefined

export type Blocks = {
  /** Parts of a block may each carry some of its metadata. */
  note(id: string, metadata: Metadata): void
  /** What to return with the block, which ends here. */
  end(id: string, of: Block, metadata: Metadata): Json | undefined
}

export function blocks(dialect: Dialect): Blocks {
  const open = new Map<string, Options>()
  const note = (id: string, metadata: Metadata): void => {
    const own = metadata?.[dialect.name] as Options | undefined
    if (own !== undefined) open.set(id, { ...open.get(id), ...given(own) })
  }
  return {
    note,
    end(id, of, metadata) {
      note(id, metadata)
      const kept = dialect.keep(of, open.get(id))
      open.delete(id)
      return kept === undefined ? undefined : { [dialect.name]: kept }
    },
  }
}

/** A later null takes nothing back. */
function given(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null && value !== undefined))
}

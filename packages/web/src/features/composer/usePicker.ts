import type { Chip, Files } from "@parlor/client"
import { useId, useMemo, useState } from "react"
import { wordOf } from "../draft/doc.ts"
import {
  activeIn,
  chipOf,
  countWords,
  type Offered,
  type PickGroup,
  type PickRow,
  pickGroups,
  stepped,
  type TypedSign,
} from "./picking.ts"
import { useFilesOffered } from "./useFilesOffered.ts"

export type Picker = {
  readonly list: string
  readonly groups: readonly PickGroup[]
  readonly active: PickRow | undefined
  /** The number of suggestions, for screen readers. */
  readonly words: string
  readonly rowId: (row: PickRow) => string
  readonly choose: (row: PickRow) => void
  readonly pick: (row: PickRow) => void
}

export type Picking = {
  /** Set while suggestions are open. */
  readonly open: Picker | undefined
  readonly onTrigger: (trigger: TypedSign | undefined) => void
  /** Returns true when the picker handled the key. */
  readonly onKey: (event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">) => boolean
}

export type PickingOptions = Omit<Offered, "files"> & {
  readonly files: Files | undefined
  readonly insert: (trigger: TypedSign, chip: Chip) => void
}

type Chosen = { readonly query: string; readonly id: string; readonly index: number }

/** Suggestions for `/` and `@` at the caret. They follow the conversation's commands (CMP-8). */
export function usePicker({ commands, agents, files, insert }: PickingOptions): Picking {
  const list = useId()
  const [trigger, setTrigger] = useState<TypedSign>()
  const [isDismissed, setDismissed] = useState(false)
  const [chosen, setChosen] = useState<Chosen>()
  const shown = isDismissed ? undefined : trigger
  const listed = useFilesOffered(files, shown?.sign === "@")
  const groups = useMemo(
    () => (shown === undefined ? [] : pickGroups(shown, { commands, agents, files: listed })),
    [shown, commands, agents, listed],
  )
  const rows = groups.flatMap((group) => group.rows)
  const index = activeIn(rows, chosen?.query === shown?.query ? chosen : undefined)
  const active = rows[index]

  const choose = (row: PickRow) =>
    setChosen({ query: shown?.query ?? "", id: row.id, index: rows.findIndex(({ id }) => id === row.id) })
  const pick = (row: PickRow) => {
    if (shown !== undefined) insert(shown, chipOf(row))
  }
  const onTrigger = (next: TypedSign | undefined) => {
    if (next === undefined || next.sign !== trigger?.sign) setDismissed(false)
    setTrigger((before) => (isSame(before, next) ? before : next))
  }
  const onKey: Picking["onKey"] = ({ key, shiftKey, ctrlKey, metaKey, altKey }) => {
    if (shown === undefined || shiftKey || ctrlKey || metaKey || altKey) return false
    if (key === "Escape") {
      setDismissed(true)
      return true
    }
    if (active === undefined) return false
    if (key === "ArrowDown" || key === "ArrowUp") {
      const next = rows[stepped(index, key === "ArrowDown" ? 1 : -1, rows.length)]
      if (next !== undefined) choose(next)
      return true
    }
    // A word typed in full is sent as it is, so Enter sends.
    const isWrittenOut = wordOf(chipOf(active)) === shown.sign + shown.query
    if (key !== "Tab" && (key !== "Enter" || isWrittenOut)) return false
    pick(active)
    return true
  }
  const isLoading = shown?.sign === "@" && listed === undefined
  const rowId = (row: PickRow) => `${list}-${rows.findIndex(({ id }) => id === row.id)}`
  const open = shown && {
    list,
    groups,
    active,
    words: countWords(shown, rows.length, isLoading),
    rowId,
    choose,
    pick,
  }
  return { open, onTrigger, onKey }
}

function isSame(one: TypedSign | undefined, other: TypedSign | undefined): boolean {
  return one?.sign === other?.sign && one?.query === other?.query
}

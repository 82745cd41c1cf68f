/** What the box is to the composer, whether it is the plain one or the editor. */
import type { Chip } from "@parlor/client"
import type { ComposerInput } from "@parlor/protocol"
import type { RefObject } from "react"
import type { Trigger } from "./picking.ts"

export type BoxActs = {
  readonly newLine: () => void
  /** A chip in place of the word at the caret. */
  readonly insert: (trigger: Trigger, chip: Chip) => void
}

/** Where the caret was in the box before this one. */
export type Handover = { readonly start: number; readonly end: number; readonly isFocused: boolean }

export type BoxProps = {
  readonly conversation: string
  readonly label: string
  readonly placeholder: string
  readonly describedBy: string
  readonly input: ComposerInput
  readonly box: RefObject<HTMLElement | null>
  readonly acts: RefObject<BoxActs | null>
  readonly handover: RefObject<Handover | undefined>
  /** The list that is open, and the row of it that is chosen, by their ids. */
  readonly picker: { readonly list: string; readonly active: string | undefined } | undefined
  readonly onChange: (input: ComposerInput) => void
  readonly onTrigger: (trigger: Trigger | undefined) => void
  /** True when the key is dealt with. */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** On a touch screen focus would raise the keyboard over the conversation, so there it waits for a tap. */
export function focusBox(box: HTMLElement | null): void {
  if (window.matchMedia("(pointer: fine)").matches) box?.focus({ preventScroll: true })
}

/** The box's interface to the composer, for both the plain box and the editor. */
import type { Chip } from "@parlor/client"
import type { ComposerInput } from "@parlor/protocol"
import type { RefObject } from "react"
import type { TypedSign } from "./picking.ts"

export type BoxActs = {
  readonly newLine: () => void
  /** Replaces the word at the caret with a chip. */
  readonly insert: (trigger: TypedSign, chip: Chip) => void
}

/** The caret position in the previous box. */
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
  /** Ids of the open list and its selected row. */
  readonly picker: { readonly list: string; readonly active: string | undefined } | undefined
  readonly onChange: (input: ComposerInput) => void
  readonly onTrigger: (trigger: TypedSign | undefined) => void
  /** Returns true when the key was handled. */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** On a touch screen, focusing would open the keyboard over the conversation, so wait for a tap. */
export function focusBox(box: HTMLElement | null): void {
  if (window.matchMedia("(pointer: fine)").matches) box?.focus({ preventScroll: true })
}

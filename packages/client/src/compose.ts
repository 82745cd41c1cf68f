/** Converts typed text to a message: references become nodes, attachments are appended (CMP-5). */
import {
  COMPOSER_INPUT,
  type ComposerInput,
  type ComposerNode,
  nodesOf,
  type ParseOptions,
  parseComposer,
  type QueueRow,
  type SendBody,
} from "@parlor/protocol"
import type { LeasedEdit } from "./lease.ts"

export type ComposeOptions = ParseOptions & {
  /** Already uploaded. */
  readonly attachments?: readonly { readonly hash: string }[]
}

/** Plain text stays plain text. */
export function composed(text: string, options: ComposeOptions = {}): SendBody {
  const payload = inputOf(
    text,
    options,
    (options.attachments ?? []).map(({ hash }) => ({ kind: "attachment", hash })),
  )
  return payload.nodes === undefined ? { text } : { type: COMPOSER_INPUT, payload }
}

/** The new content of an edited queued message. Its attachments stay. */
export function recomposed(row: QueueRow, text: string, options: ParseOptions = {}): LeasedEdit {
  if (row.type !== COMPOSER_INPUT) return { text }
  const attached = nodesOf(row.payload as unknown as ComposerInput, "attachment")
  return { payload: inputOf(text, options, attached) as unknown as QueueRow["payload"] }
}

function inputOf(source: string, options: ParseOptions, attached: readonly Partial<ComposerNode>[]): ComposerInput {
  const end = source.length
  const behind = attached.map((node) => ({ ...node, start: end, end, raw: "" }) as ComposerNode)
  const nodes = [...(parseComposer(source, options).nodes ?? []), ...behind]
  return nodes.length === 0 ? { source } : { source, nodes }
}

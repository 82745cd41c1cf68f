import { COMPOSER_INPUT, type MessageId, type QueueRow } from "@parlor/protocol"

/** A waiting message for tests, plain but for what is given. */
export const queueRow = (id: string, change: Partial<QueueRow> = {}): QueueRow => ({
  id: id as MessageId,
  type: COMPOSER_INPUT,
  payload: { source: `text of ${id}` },
  mode: "immediate",
  position: id,
  source: "person",
  guests: [],
  attachments: [],
  trigger: null,
  editedFrom: null,
  version: 1,
  lease: null,
  queuedAt: 0,
  ...change,
})

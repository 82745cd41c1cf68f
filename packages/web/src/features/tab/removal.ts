/** Deletes conversations so that it can be undone (ADR-10). */
import { type Parlor, ParlorError } from "@parlor/client"
import type { FeedRow } from "@parlor/protocol"
import { allDescendants } from "./descendants.ts"
import type { Front } from "./tabList.ts"

/** Its branches are deleted with it: those in the feed, and others if the server names some. */
export async function removeUndoably(
  parlor: Parlor,
  { agent, branch }: Front,
  rows: readonly Pick<FeedRow, "agent" | "branch" | "parent" | "deleteAt">[],
): Promise<void> {
  const conversation = parlor.conversation(agent, branch)
  const own = rows.filter((row) => row.agent === agent && row.deleteAt === null)
  const known = await allDescendants(branch, async (name) => own.filter(({ parent }) => parent === name))
  try {
    await conversation.delete({ undoable: true, branches: known })
  } catch (error) {
    if (!(error instanceof ParlorError && error.code === "conversation.has-branches")) throw error
    const branches = await allDescendants(branch, (name) => parlor.conversation(agent, name).branches.list())
    await conversation.delete({ undoable: true, branches })
  }
}

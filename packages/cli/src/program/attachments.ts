import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor attachments` and what can be said after it. */
export function addAttachments(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/attachments.ts")
  const attachments = program
    .command("attachments")
    .description("what you attached to messages, and the room it takes")
    .addHelpText("after", help)

  connected(attachments.command("list", { isDefault: true }))
    .description("each of them, the newest first")
    .option("--json", "print every attachment as a line of JSON")
    .action(async (options) => done((await load()).list({ ...options, terminal })))

  connected(attachments.command("rm"))
    .description("delete them for good; messages keep their names")
    .argument("<hashes...>", "as the list shows them, or the beginning of one that no other has")
    .action(async (hashes, options) => done((await load()).rm(hashes, { ...options, terminal })))
}

const help = `
  parlor attachments
  parlor attachments rm 3f9a1c0b77d2`

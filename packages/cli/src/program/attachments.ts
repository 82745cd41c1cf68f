import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor attachments` and its subcommands. */
export function addAttachments(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/attachments.ts")
  const attachments = program
    .command("attachments")
    .description("your attachments and their size")
    .addHelpText("after", help)

  connected(attachments.command("list", { isDefault: true }))
    .description("list them, newest first")
    .option("--json", "print every attachment as a line of JSON")
    .action(async (options) => done((await load()).list({ ...options, terminal })))

  connected(attachments.command("rm"))
    .description("delete attachments; messages keep their names")
    .argument("<hashes...>", "hashes from the list, or unique prefixes")
    .action(async (hashes, options) => done((await load()).rm(hashes, { ...options, terminal })))
}

const help = `
  parlor attachments
  parlor attachments rm 3f9a1c0b77d2`

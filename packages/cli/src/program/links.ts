import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor links` and its subcommands. */
export function addLinks(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/links.ts")
  const links = program
    .command("links")
    .description("linked names of a person: they share the same conversations")
    .addHelpText("after", help)

  connected(links.command("list", { isDefault: true }))
    .description("list the linked names and their people")
    .option("--of <person>", "only those of this person")
    .option("--json", "print every link as a line of JSON")
    .action(async (options) => done((await load()).list({ ...options, terminal })))

  connected(links.command("add"))
    .description("link a name that has no data of its own to a person")
    .argument("<name>", "the name to link")
    .argument("[person]", "the person; default: you")
    .option("--drop-attachments", "delete the name's attachments")
    .action(async (name, person, options) => done((await load()).add(name, person, { ...options, terminal })))

  connected(links.command("rm"))
    .description("unlink names; their conversations stay with the person")
    .argument("<names...>", "the linked names")
    .action(async (names, options) => done((await load()).rm(names, { ...options, terminal })))
}

const help = `
  parlor links add telegram:42 cli:ana
  parlor links --of cli:ana
  parlor links rm telegram:42`

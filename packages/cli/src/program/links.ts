import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor links` and what can be said after it. */
export function addLinks(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/links.ts")
  const links = program
    .command("links")
    .description("names that are other names of a person: they find the same conversations")
    .addHelpText("after", help)

  connected(links.command("list", { isDefault: true }))
    .description("each name and whose it is")
    .option("--of <person>", "only those of this person")
    .option("--json", "print every link as a line of JSON")
    .action(async (options) => done((await load()).list({ ...options, terminal })))

  connected(links.command("add"))
    .description("make a name, which has nothing of its own, another name of a person")
    .argument("<name>", "the other name")
    .argument("[person]", "whose it is; yours, when not said")
    .option("--drop-attachments", "delete what was attached under the name")
    .action(async (name, person, options) => done((await load()).add(name, person, { ...options, terminal })))

  connected(links.command("rm"))
    .description("make a name a person of its own again; what was said under it stays with its person")
    .argument("<names...>", "the other names")
    .action(async (names, options) => done((await load()).rm(names, { ...options, terminal })))
}

const help = `
  parlor links add telegram:42 cli:ana
  parlor links --of cli:ana
  parlor links rm telegram:42`

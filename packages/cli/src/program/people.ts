import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor people` and its subcommands. */
export function addPeople(program: Command, { terminal, done }: Stage): void {
  const people = program.command("people").description("manage people")

  connected(people.command("list", { isDefault: true }))
    .description("list the people who have data on this server; for its owner")
    .option("--json", "print every person as a line of JSON")
    .action(async (options) => done((await import("../commands/people.ts")).listPeople({ ...options, terminal })))

  connected(people.command("delete"))
    .description("delete a person: conversations, files, attachments, memories, schedules, webhooks, keys, usage")
    .argument("<person>", "their name; their linked names are unlinked")
    .requiredOption("--confirm <person>", "repeat the name to confirm: this can't be undone")
    .action(async (person, options) =>
      done((await import("../commands/people.ts")).deletePerson(person, { ...options, terminal })),
    )
}

import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor keys` and its subcommands. */
export function addKeys(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/keys.ts")
  const keys = program.command("keys").description("API keys").addHelpText("after", help)

  connected(keys.command("list", { isDefault: true }))
    .description("list your keys: id, scopes, expiry, name")
    .option("--all", "include revoked and expired keys")
    .option("--json", "print every key as a line of JSON")
    .action(async (options) => done((await load()).list({ ...options, terminal })))

  connected(keys.command("create"))
    .description("create a key and print its secret, which is not shown again")
    .argument("<name>", "what it is for")
    .option("--scopes <scopes>", "read, write, manage, metrics; separated by commas", "read,write")
    .option("--expires <when>", "a time such as 2027-01-31, or from now: 12h, 30d")
    .option("--act-for <prefix>", "people it may act for: telegram:*")
    .option("--as-maker", "with --act-for: it may act as you too")
    .option("--json", "print the key as JSON")
    .action(async (name, options) => done((await load()).create(name, { ...options, terminal })))

  connected(keys.command("revoke"))
    .description("revoke keys, with every key created with them, and close their streams")
    .argument("<ids...>", "the keys' ids")
    .action(async (ids, options) => done((await load()).revoke(ids, { ...options, terminal })))
}

const help = `
  parlor keys create ci --scopes read,write --expires 90d
  parlor keys create bridge --act-for "telegram:*"
  parlor keys revoke key_4n5aX2q9`

import type { Command } from "commander"
import { aboutAgent, connected, named, type Stage } from "./options.ts"

/** `parlor share` and its subcommands. */
export function addShare(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/share.ts")
  const share = program
    .command("share")
    .description("read-only links to a conversation, and people who can see it")
    .addHelpText("after", help)

  connected(share.command("list", { isDefault: true }))
    .description("list what you share: id, conversation, with whom, expiry")
    .option("--all", "include what has ended")
    .option("--json", "print every share as a line of JSON")
    .action(async (options) => done((await load()).list({ ...options, terminal })))

  aboutAgent(share.command("create"))
    .description("create a link, which is not shown again, or share with a person")
    .option("--live", "include messages as they come; default: only those there are now")
    .option("--with <person>", "share with this person of the server instead of a link")
    .option("--expires <when>", "a time such as 2027-01-31, or from now: 12h, 30d; never. Default of a link: 30d")
    .option("--name", "show your name")
    .option("--details", "include reasoning, and the input and output of tools")
    .option("--files", "include the files of the conversation")
    .option("--json", "print the share as JSON")
    .action(async (agent, options) => done((await load()).create({ ...named(agent, options), terminal })))

  connected(share.command("revoke"))
    .description("stop sharing: links no longer work, and open pages end")
    .argument("<ids...>", "the shares' ids")
    .action(async (ids, options) => done((await load()).revoke(ids, { ...options, terminal })))
}

const help = `
  parlor share create --expires 7d
  parlor share create critic --live --with ana
  parlor share revoke shr_4n5aX2q9`

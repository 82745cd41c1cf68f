import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor providers` and its subcommands. */
export function addProviders(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/providers.ts")
  const providers = program
    .command("providers")
    .description("model providers of the server, for its owner")
    .addHelpText("after", help)

  connected(providers.command("list", { isDefault: true }))
    .description("list providers: which are connected, and which model agents use that name none")
    .option("--json", "print as JSON")
    .action(async (options) => done((await load()).list({ ...options, terminal })))

  connected(providers.command("add"))
    .description("test an account and store it; the key is read from standard input, or asked for")
    .argument("<provider>", "openai, anthropic, google, compatible or local")
    .option("--at <url>", "compatible: the address of the server, such as https://openrouter.ai/api/v1")
    .option("--model <id>", "the model for agents that name none")
    .option("--no-key", "keep the stored key, or use none")
    .option("--json", "print the provider as JSON")
    .action(async (provider, options) => done((await load()).add(provider, { ...options, terminal })))

  connected(providers.command("test"))
    .description("test the stored account, or the key on standard input, with one small request; stores nothing")
    .argument("<provider>", "openai, anthropic, google, compatible or local")
    .option("--at <url>", "compatible: the address of the server")
    .option("--model <id>", "the model to test")
    .option("--no-key", "do not read standard input")
    .option("--json", "print the result as JSON")
    .action(async (provider, options) => done((await load()).test(provider, { ...options, terminal })))

  connected(providers.command("remove"))
    .description("delete stored accounts")
    .argument("<providers...>", "the providers' names")
    .action(async (names, options) => done((await load()).remove(names, { ...options, terminal })))
}

const help = `
  parlor providers add anthropic < key.txt
  parlor providers add compatible --at https://openrouter.ai/api/v1 --model qwen/qwen3-32b
  parlor providers add local --model qwen3:8b
  parlor providers test anthropic --no-key`

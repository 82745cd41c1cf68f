import type { Command } from "commander"
import { MEMORY_FOLDER } from "../memory-folder.ts"
import { connected, type Stage } from "./options.ts"

/** `parlor memory` and its subcommands. */
export function addMemory(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/memory.ts")
  const loadFiles = () => import("../commands/memory-files.ts")
  const memory = program
    .command("memory")
    .description("memories across conversations: list, edit, delete, export, import")
    .addHelpText("after", help)

  scoped(memory.command("list", { isDefault: true }))
    .description("list scope, name, type, author and description")
    .argument("[words...]", "only memories that contain all these words")
    .option("--json", "print every memory as a line of JSON")
    .action(async (words, options) => done((await load()).list(words, { ...options, terminal })))

  scoped(memory.command("show"))
    .description("print one as markdown with front matter")
    .argument("<memory>", NAME)
    .option("--json", "print it as a line of JSON")
    .action(async (ref, options) => done((await load()).show(ref, { ...options, terminal })))

  scoped(memory.command("edit"))
    .description("edit one in $EDITOR, or write a new one")
    .argument("<memory>", NAME)
    .option("-f, --file <file>", 'read the text from this file instead; "-" reads standard input')
    .action(async (ref, options) => done((await load()).edit(ref, { ...options, terminal })))

  scoped(memory.command("rm"))
    .description("delete memories")
    .argument("<memories...>", NAME)
    .action(async (refs, options) => done((await load()).rm(refs, { ...options, terminal })))

  scoped(memory.command("export"))
    .description("write them as markdown files: user/<name>.md, project/<name>.md")
    .argument("[folder]", "the folder", MEMORY_FOLDER)
    .option("--prune", "remove exported files of deleted memories, unless they were changed since")
    .action(async (folder, options) => done((await loadFiles()).exportFiles(folder, { ...options, terminal })))

  scoped(memory.command("import"))
    .description("import such files; prints what was new, changed and unchanged")
    .argument("[folder]", "the folder", MEMORY_FOLDER)
    .option("--keep-going", "import the valid files even if others are not")
    .option("--dry-run", "only print what would change")
    .action(async (folder, options) => done((await loadFiles()).importFiles(folder, { ...options, terminal })))
}

function scoped(command: Command): Command {
  return connected(command).option("-s, --scope <scope>", "user (yours) or project (everyone's)")
}

const NAME = 'its name, with the scope if both have one: "user/tea"'

const help = `
  parlor memory                    all memories
  parlor memory list tea           memories that contain "tea"
  parlor memory edit metric-units
  parlor memory export --scope project && git add .agents/memory/project
  parlor memory import --dry-run`

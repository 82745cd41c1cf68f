#!/usr/bin/env node
/** `npm create parlor [folder]`. */
import { createdLines, createProject, ProjectExists } from "./create-project.ts"

const DEFAULT_FOLDER = "my-agents"
const USAGE = `Usage: npm create parlor [folder]

Creates a project with a Parlor agent in the folder (${DEFAULT_FOLDER} by default).`

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const flag = args.find((arg) => arg.startsWith("-"))
  if (flag === "-h" || flag === "--help") {
    console.log(USAGE)
    return 0
  }
  if (flag !== undefined || args.length > 1) {
    console.error(`${flag === undefined ? "Name at most one folder." : `Unknown option ${flag}.`}\n\n${USAGE}`)
    return 1
  }
  try {
    const created = await createProject(args[0] ?? DEFAULT_FOLDER)
    console.log(createdLines(created, process.cwd()).join("\n"))
    return 0
  } catch (error) {
    if (!(error instanceof ProjectExists)) throw error
    console.error(error.message)
    return 1
  }
}

/** `parlor init`: creates a project with an agent, a skill and a test, as `npm create parlor` does. */
import { createdLines, createProject, ProjectExists } from "create-parlor"
import { Complaint } from "../complaint.ts"
import type { Terminal } from "../terminal.ts"

export async function init(folder: string, options: { readonly terminal: Terminal }): Promise<number> {
  try {
    const created = await createProject(folder)
    if (options.terminal.isJson) await options.terminal.report("", created)
    else await options.terminal.out(`${createdLines(created, process.cwd()).join("\n")}\n`)
    return 0
  } catch (error) {
    throw error instanceof ProjectExists ? new Complaint(error.message) : error
  }
}

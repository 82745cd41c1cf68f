/** `parlor secrets rotate`: puts a new key for the secrets in the database first in the key file (SEC-29). */
import { addKeyToFile } from "@parlor/store"
import { Complaint } from "../complaint.ts"
import type { Terminal } from "../terminal.ts"
import { secretKeyFile } from "./settings.ts"

export async function rotateSecrets({ terminal }: { readonly terminal: Terminal }): Promise<number> {
  if (process.env.PARLOR_SECRET_KEY)
    throw new Complaint(
      "The keys are in PARLOR_SECRET_KEY: put a new one before the old one, separated by a comma. Generate it with: openssl rand -base64 32",
    )
  const file = secretKeyFile(process.env)
  const { id } = addKeyToFile(file)
  if (terminal.isJson) {
    await terminal.report("", { key: id, file })
    return 0
  }
  await terminal.out(
    [
      `The key ${id} is now first in ${file}.`,
      "Restart the server: it encrypts every secret with the new key. Then delete the other lines from the file.",
      "With several servers, see docs/guides/storage.md first: all of them need the new key before one uses it.",
      "",
    ].join("\n"),
  )
  return 0
}

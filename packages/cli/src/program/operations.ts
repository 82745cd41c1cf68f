import type { Command } from "commander"
import type { Stage } from "./options.ts"

/** `parlor backup`, `parlor restore`, `parlor doctor` and `parlor compact-store`. */
export function addOperations(program: Command, { terminal, done }: Stage): void {
  program
    .command("backup")
    .description("back up the data folder (PARLOR_DATA or .parlor), while the server runs or not")
    .argument("<folder>", "the folder to create")
    .option("--with-keys", "include the token and the secret key")
    .addHelpText("after", backupHelp)
    .action(async (folder, options) =>
      done((await import("../serve/back-up.ts")).backup(folder, { ...options, terminal })),
    )

  program
    .command("restore")
    .description("replace the data folder by a backup, while the server is stopped; what was there is kept aside")
    .argument("<folder>", 'a folder made by "parlor backup"')
    .action(async (folder) => done((await import("../serve/back-up.ts")).restoreBackup(folder, { terminal })))

  program
    .command("doctor")
    .description("check the database: logs against rows, gaps, contents, leases, counts")
    .option("--repair", "rebuild rows from the log and remove leftovers; with SQLite, stop the server first")
    .option("--json", "print every finding as a line of JSON")
    .addHelpText("after", doctorHelp)
    .action(async (options) => done((await import("../serve/doctor.ts")).doctor({ ...options, terminal })))

  program
    .command("compact-store")
    .description("drop events that nobody needs anymore, free what was deleted, and say how much that was")
    .option("--now", "without the grace period of an hour")
    .option("--json", "print the result as JSON")
    .addHelpText("after", compactHelp)
    .action(async (options) => done((await import("../serve/compact-store.ts")).compact({ ...options, terminal })))
}

const compactHelp = `
Servers do this by themselves, in small slices. With SQLite, stop the server first; the file is written anew, which needs
as much free space again.`

const backupHelp = `
The backup is one consistent moment and is checked before the command ends. Its files are readable only for you. With
DATABASE_URL, use pg_dump (docs/guides/operations.md).`

const doctorHelp = `
Exit code 0: no errors, or all repaired. 1: errors. It changes nothing without --repair and can run beside a server.`

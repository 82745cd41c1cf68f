/** Private copies that are on the disk when the promise resolves. */
import { constants } from "node:fs"
import { chmod, copyFile, open } from "node:fs/promises"

const FILE_MODE = 0o600

/** The file must not exist yet. */
export async function durableCopy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL)
  await makeDurable(to)
}

export async function makeDurable(file: string): Promise<void> {
  await chmod(file, FILE_MODE)
  await sync(file, "r+")
}

export function syncFolder(folder: string): Promise<void> {
  return sync(folder, "r")
}

async function sync(path: string, flags: string): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

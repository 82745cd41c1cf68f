/**
 * Collections that were renamed (LOG-2). Stored events are never rewritten, so they are mapped when they are read; rows
 * are renamed by a migration step.
 */
const renamed: ReadonlyMap<string, string> = new Map([["commands", "slashCommands"]])

export function collectionName(stored: string): string {
  return renamed.get(stored) ?? stored
}

/** A migration step, the same for both stores. */
export const SLASH_COMMANDS_STEP = "UPDATE rows SET collection = 'slashCommands' WHERE collection = 'commands'"

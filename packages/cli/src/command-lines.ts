/** How slash commands are listed: `/order <what> [when]  Orders something.` Pure. */
import { argumentSign, type SlashCommandRow } from "@parlor/protocol"

export function commandLine({ name, description, arguments: declared, argumentHint }: SlashCommandRow): string {
  const hint = declared.length > 0 ? declared.map(argumentSign) : argumentHint ? [argumentHint] : []
  return `${[`/${name}`, ...hint].join(" ")}${description === "" ? "" : `  ${description}`}`
}

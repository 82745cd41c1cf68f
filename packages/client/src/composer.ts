/** The text format of the composer, as an entry of its own: a client that only sends plain text does not load it. */
export {
  nodesOf,
  type ParseOptions,
  parseComposer,
  printComposer,
  slashCommands,
  textAfter,
} from "@parlor/protocol"
export { type ComposeOptions, composed, recomposed } from "./compose.ts"

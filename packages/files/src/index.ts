export { type FilesOptions, openFiles } from "./open.ts"

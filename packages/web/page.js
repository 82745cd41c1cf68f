import { fileURLToPath } from "node:url"

export const pageFolder = fileURLToPath(new URL("./dist", import.meta.url))

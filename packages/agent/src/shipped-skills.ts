import { fileURLToPath } from "node:url"

/** Beside `src` in the repository, beside the compiled and bundled files when installed. */
export const SHIPPED_SKILLS = fileURLToPath(new URL("../skills", import.meta.url))

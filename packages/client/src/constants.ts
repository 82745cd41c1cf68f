/**
 * Constants of the protocol, written out and checked against it by their types. Importing the values would bring the
 * schemas they stand beside into every page.
 */
import type { MAIN_BRANCH, STATUS_KEY } from "@parlor/protocol"

export const mainBranch: typeof MAIN_BRANCH = "main"
export const statusKey: typeof STATUS_KEY = "status"

/** Fixed names of the protocol. Separate from the schemas, so that a page can use them without loading those. */
export const MAIN_BRANCH = "main"
export const STATUS_KEY = "status"
export const COMPOSER_INPUT = "composer_input"
/** The type of the message that wakes an agent when a conversation with it is created (CMP-9). */
export const SPAWN = "spawn"
/** The type of the message that quotes a sidecar's answer in its parent (BRA-4). */
export const SIDECAR_ANSWER = "sidecar_answer"
/** Types that only Parlor sends, and that no agent declares (CMP-23). */
export const SYSTEM_TYPES: readonly string[] = [SPAWN, SIDECAR_ANSWER]

/** Fixed names of the protocol. Separate from the schemas, so that a page can use them without loading those. */
export const MAIN_BRANCH = "main"
export const STATUS_KEY = "status"
export const COMPOSER_INPUT = "composer_input"

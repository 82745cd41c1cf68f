/** Fixed names of the protocol. Apart from the schemas, so that a page can use them without bringing those along. */
export const MAIN_BRANCH = "main"
export const STATUS_KEY = "status"
export const COMPOSER_INPUT = "composer_input"

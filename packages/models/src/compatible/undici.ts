/**
 * The parts of undici that are needed to call a model. Its entry also loads caches, mocks and WebSockets, which takes
 * longer than everything else that a model call needs.
 */
import { createRequire } from "node:module"
import type * as undici from "undici"

const require = createRequire(import.meta.url)

export const Client = require("undici/lib/dispatcher/client.js") as typeof undici.Client
export const buildConnector = require("undici/lib/core/connect.js") as typeof undici.buildConnector
export const { parseHeaders } = require("undici/lib/core/util.js") as typeof undici.util

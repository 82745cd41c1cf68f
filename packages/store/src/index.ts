export { type NodeHome, openNodeHome } from "./node-home.ts"
export { openPostgres, type PostgresOptions } from "./postgres/open.ts"
export { openSpool } from "./spool.ts"
export { openSqlite, type SqliteOptions } from "./sqlite/open.ts"

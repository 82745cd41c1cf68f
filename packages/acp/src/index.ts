export { type Hosts, type HostsOptions, openHosts } from "./hosts.ts"
export { type AgentCommand, DEFAULT_IDLE_MS, DEFAULT_PROCESSES, DEFAULT_START_MS } from "./options.ts"

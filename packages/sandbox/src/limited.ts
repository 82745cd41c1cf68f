/** The limits that each process of a command has from its first moment. Pure. */
import type { SandboxLimits } from "@parlor/core"

const FILES = 1_024
const KIB = 1_024
const BLOCK = 512
/** A process may ask for more than it uses; what all of them use together is watched. */
const SPARE = 2

/**
 * The arguments that run the command with its limits. Shells disagree on the option for processes. If a limit cannot be
 * set, the command does not run.
 */
export function limitedArgs(command: string, { memoryBytes, processes, diskBytes }: SandboxLimits): readonly string[] {
  const script = [
    `ulimit -c 0 && ulimit -n ${FILES} && ulimit -f ${Math.ceil(diskBytes / BLOCK)}`,
    `ulimit -d ${Math.ceil((memoryBytes * SPARE) / KIB)}`,
    `{ ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes}; }`,
    'exec /bin/sh -c "$1"',
  ].join(" && ")
  return ["/bin/sh", "-c", script, "sh", command]
}

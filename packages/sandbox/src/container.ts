/** The arguments of a container runtime for one command, if the operator chose one. Pure. */
import type { SandboxCommand } from "@parlor/core"

const TMP = "/tmp:rw,nosuid,nodev,size=64m"

export type Containing = {
  readonly name: string
  readonly image: string
  readonly folder: string
  /** Whose files the copy of the workspace belongs to. */
  readonly user: string
  readonly command: Pick<SandboxCommand, "network" | "env" | "limits">
  readonly argv: readonly string[]
}

/** For `docker` and `podman`, which take the same arguments. */
export function containerArgs({ name, image, folder, user, command, argv }: Containing): readonly string[] {
  const { limits, network, env } = command
  const memory = String(limits.memoryBytes)
  return [
    ...["run", "--rm", "--name", name, "--network", network ? "bridge" : "none"],
    ...["--memory", memory, "--memory-swap", memory, "--pids-limit", String(limits.processes)],
    ...["--read-only", "--tmpfs", TMP, "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
    ...["--user", user, "--volume", `${folder}:/work`, "--workdir", "/work", "--env", "HOME=/tmp"],
    ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    image,
    ...argv,
  ]
}

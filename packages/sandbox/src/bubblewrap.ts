/**
 * The arguments of bubblewrap for one command. Pure.
 *
 * Everything that is not named here does not exist for the command: it sees the system's programs, read-only, a copy of
 * its workspace, and empty temporary folders. It has its own processes, network, users and host name, no capability,
 * and cannot create namespaces of its own.
 */

const SYSTEM = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
/** What programs need to find libraries, certificates and the time. Nothing here is secret. */
const ETC = ["alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ssl", "ca-certificates", "localtime", "pki"]
const NETWORK_ETC = ["resolv.conf", "hosts", "nsswitch.conf"]
const TMP_BYTES = 64 * 1024 * 1024
const SHM_BYTES = 16 * 1024 * 1024

export type Wrapping = {
  /** The copy of the workspace, on this machine. */
  readonly folder: string
  readonly network: boolean
  readonly env: Readonly<Record<string, string>>
  /** Folders of programs outside of /usr, such as that of Node.js. */
  readonly programs: readonly string[]
  /** System folders that are links into /usr on this machine, with their targets; the others are bound. */
  readonly links: Readonly<Record<string, string>>
  readonly argv: readonly string[]
}

export function bubblewrapArgs({ folder, network, env, programs, links, argv }: Wrapping): readonly string[] {
  const path = ["/usr/local/bin", "/usr/bin", "/bin", ...programs].join(":")
  const variables = { PATH: path, HOME: "/tmp", LANG: "C.UTF-8", TERM: "dumb", ...env }
  return [
    ...["--unshare-all", "--unshare-user", "--disable-userns", ...(network ? ["--share-net"] : [])],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--uid", "1000", "--gid", "1000", "--hostname", "sandbox", "--clearenv"],
    ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--ro-bind", "/usr", "/usr"],
    ...SYSTEM.flatMap((place) => (place in links ? ["--symlink", links[place] ?? "", place] : tryBind(place))),
    ...[...ETC, ...(network ? NETWORK_ETC : [])].flatMap((name) => tryBind(`/etc/${name}`)),
    ...programs.flatMap(tryBind),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(SHM_BYTES), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...["--size", String(TMP_BYTES), "--tmpfs", "/tmp"],
    ...["--bind", folder, "/work", "--chdir", "/work", "--remount-ro", "/"],
    "--",
    ...argv,
  ]
}

function tryBind(place: string): readonly string[] {
  return ["--ro-bind-try", place, place]
}

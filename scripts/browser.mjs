/** Finds the Chromium that the browser tests drive; on Debian, as root, installs one if there is none. */
import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync, readFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"]
const PLACES = [
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
]

/**
 * Returns the path of a browser, or undefined. `PARLOR_CHROMIUM` takes precedence.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findBrowser(env = process.env) {
  if (env.PARLOR_CHROMIUM) {
    if (isProgram(env.PARLOR_CHROMIUM)) return env.PARLOR_CHROMIUM
    throw new Error(`PARLOR_CHROMIUM is set to ${env.PARLOR_CHROMIUM}, which is not an executable.`)
  }
  const folders = [...(env.PATH ?? "").split(delimiter).filter(Boolean), "/usr/bin", "/usr/local/bin"]
  const named = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...named, ...PLACES].find(isProgram)
}

/**
 * Returns the path of a browser. Installs one if there is none and this machine allows it.
 *
 * @returns {string}
 */
export function ensureBrowser() {
  const found = findBrowser()
  if (found) return found
  if (!canInstall()) throw new Error(advice())
  const started = Date.now()
  console.log("Installing Chromium for the browser tests (apt-get, about 100 MB)…")
  aptGet(["update", "-qq"])
  aptGet(["install", "-y", "-qq", "--no-install-recommends", "chromium"])
  const installed = findBrowser()
  if (!installed) throw new Error(`apt-get finished, but Chromium was not found. ${advice()}`)
  console.log(`Installed ${installed} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  return installed
}

/** Installs bubblewrap for the tests of commands, if this machine allows it. Without it, those tests are skipped. */
export function ensureBubblewrap() {
  if (isProgram("/usr/bin/bwrap") || !canInstall()) return
  try {
    console.log("Installing bubblewrap for the tests of commands (apt-get)…")
    aptGet(["update", "-qq"])
    aptGet(["install", "-y", "-qq", "--no-install-recommends", "bubblewrap"])
  } catch (error) {
    console.log(`Bubblewrap could not be installed: ${error instanceof Error ? error.message.split("\n")[0] : error}`)
  }
}

function canInstall() {
  return process.platform === "linux" && process.getuid?.() === 0 && isDebian() && existsSync("/usr/bin/apt-get")
}

function isDebian() {
  try {
    return /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"))
  } catch {
    return false
  }
}

function advice() {
  const how =
    process.platform === "darwin"
      ? "Install Google Chrome or Chromium"
      : "Install Chromium (on Debian: apt-get install chromium, as root)"
  return `The browser tests need Chromium or Chrome. ${how}, or set PARLOR_CHROMIUM to its path.`
}

/** @param {string[]} args */
function aptGet(args) {
  const run = spawnSync("apt-get", args, {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  if (run.status === 0) return
  const said = `${run.stdout ?? ""}${run.stderr ?? ""}${run.error?.message ?? ""}`
    .trim()
    .split("\n")
    .slice(-15)
    .join("\n")
  throw new Error(`apt-get ${args.join(" ")} failed.\n${said}\n${advice()}`)
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(ensureBrowser())

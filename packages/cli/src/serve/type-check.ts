/**
 * Checks the types of a config with the TypeScript of its project, or with the one beside Parlor.
 *
 * One check runs at a time; a change during it starts another one. A project without a tsconfig.json gets a strict one
 * that finds Parlor's own types, so that a single file in an empty folder is checked too.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const MAX_LINES = 20

/** Returns a function to call after every change. `say` gets the lines to show. */
export function typeChecker(file: string, dataFolder: string, say: (lines: readonly string[]) => void): () => void {
  const tsc = findTsc(dirname(file))
  if (tsc === undefined) {
    say(["Types are not checked: there is no TypeScript. Install it with: npm install --save-dev typescript"])
    return () => undefined
  }
  const project = projectOf(file, dataFolder)
  let isRunning = false
  let isMissed = false
  const check = (): void => {
    if (isRunning) {
      isMissed = true
      return
    }
    isRunning = true
    run(tsc, project).then((lines) => {
      isRunning = false
      if (!isMissed) return say(lines)
      isMissed = false
      check()
    })
  }
  return check
}

/** The lines to show: errors, or that there are none. */
function run(tsc: string, project: string): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [tsc, "-p", project, "--noEmit", "--pretty", "false"], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text
      })
    child.on("error", (error) => resolve([`Types are not checked: ${error.message}`]))
    child.on("close", (code) => resolve(code === 0 ? ["Types: no errors"] : errorLines(said)))
  })
}

function errorLines(said: string): readonly string[] {
  const lines = said.trimEnd().split("\n")
  const count = lines.filter((line) => /\berror TS\d+/.test(line)).length
  const more = lines.length - MAX_LINES
  const rest = more > 0 ? [`  … and ${more} more lines`] : []
  return [
    `Types: ${count} ${count === 1 ? "error" : "errors"}`,
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...rest,
  ]
}

function findTsc(folder: string): string | undefined {
  for (const from of [join(folder, "package.json"), fileURLToPath(import.meta.url)]) {
    try {
      const tsc = join(dirname(createRequire(from).resolve("typescript/package.json")), "bin", "tsc")
      if (existsSync(tsc)) return tsc
    } catch {
      // Not installed there.
    }
  }
  return undefined
}

/** The tsconfig.json to check with. */
function projectOf(file: string, dataFolder: string): string {
  const own = join(dirname(file), "tsconfig.json")
  if (existsSync(own)) return own
  mkdirSync(dataFolder, { recursive: true })
  const made = join(dataFolder, "tsconfig.dev.json")
  writeFileSync(
    made,
    `${JSON.stringify({ compilerOptions: options(dataFolder), files: [relative(dataFolder, file)] }, null, 2)}\n`,
  )
  return made
}

function options(folder: string): object {
  const paths = Object.fromEntries(
    PACKAGES.flatMap((name) => {
      const types = typesOf(name)
      return types === undefined ? [] : [[name, [slashed(relative(folder, types))]]]
    }),
  )
  return {
    target: "es2023",
    module: "nodenext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    paths,
  }
}

const PACKAGES = ["@parlor/agent", "@parlor/testing", "zod"] as const

function typesOf(name: string): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    // The code of our own packages is bundled; their types are where they were compiled to.
    const compiled = name.startsWith("@parlor/") ? entry.replace(/([\\/])bundle([\\/][^\\/]+)$/, "$1dist$2") : entry
    const types = compiled.replace(/\.(c?)js$/, ".d.$1ts")
    return existsSync(types) ? types : undefined
  } catch {
    return undefined
  }
}

function slashed(path: string): string {
  const plain = path.replaceAll("\\", "/")
  return plain.startsWith(".") ? plain : `./${plain}`
}

/**
 * The folders of a package as a graph. Folders import each other in one direction: a concept that two folders need
 * belongs in one below both. The graph is drawn in ARCHITECTURE.md, between `<!-- folders: name -->` and
 * `<!-- /folders -->`; `node scripts/imports.mjs --write` updates it.
 */
import { posix } from "node:path"

/**
 * Packages whose folders must form an acyclic graph. `nested` lists folders that only group others: a file in
 * `features/tab` belongs to `tab`. Files next to the folders belong to `TOP`, which may import all of them.
 *
 * To check another package, add it here and put its markers into ARCHITECTURE.md.
 *
 * @typedef {{ name: string, path: string, nested: readonly string[] }} FolderRoot
 * @type {readonly FolderRoot[]}
 */
export const FOLDER_ROOTS = [
  { name: "core", path: "packages/core/src", nested: [] },
  { name: "web", path: "packages/web/src", nested: ["features"] },
]

const TOP = "(top)"
const NOT_PRODUCT = /\.test\.tsx?$|\/testing\/|\/fixtures\.tsx?$/

/**
 * @typedef {{ from: string, to: string }} Import two files
 * @typedef {ReadonlyMap<string, ReadonlyMap<string, Import>>} FolderGraph each folder, with the first import of each other
 */

/**
 * @param {ReadonlyMap<string, readonly string[]>} imports the files that each file imports
 * @param {FolderRoot} root
 * @returns {FolderGraph}
 */
export function folderGraph(imports, root) {
  /** @type {Map<string, Map<string, Import>>} */
  const graph = new Map()
  for (const [from, targets] of [...imports].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const folder = folderOf(from, root)
    if (folder === undefined || NOT_PRODUCT.test(from)) continue
    const known = graph.get(folder) ?? new Map()
    graph.set(folder, known)
    for (const to of targets) {
      const target = folderOf(to, root)
      if (target !== undefined && target !== folder && !known.has(target)) known.set(target, { from, to })
    }
  }
  return graph
}

/**
 * Returns one sentence for each shortest cycle, starting from each folder on one.
 *
 * @param {FolderGraph} graph
 * @param {FolderRoot} root
 * @returns {string[]}
 */
export function folderCycles(graph, root) {
  /** @type {Set<string>} */
  const told = new Set()
  return [...graph.keys()].flatMap((folder) => {
    const cycle = wayAround(graph, folder)
    if (cycle === undefined || cycle.some((one) => told.has(one))) return []
    for (const one of cycle) told.add(one)
    const steps = cycle.map((one, index) => {
      const next = cycle[(index + 1) % cycle.length] ?? one
      const found = graph.get(one)?.get(next)
      return `${short(found?.from, root)} imports ${short(found?.to, root)}`
    })
    return [`folder cycle in ${root.path}: ${[...cycle, folder].join(" → ")} (${steps.join("; ")})`]
  })
}

/**
 * The layers from the top down, each folder with its direct imports, and the same graph as a drawing without the
 * transitive arrows.
 *
 * @param {FolderGraph} graph
 * @returns {string}
 */
export function drawFolders(graph) {
  const layers = layersOf(graph)
  const names = [...graph.keys()].filter((name) => name !== TOP)
  const most = Math.max(0, ...names.map((name) => layers.get(name) ?? 0))
  const wide = Math.max(0, ...names.map((name) => name.length))
  const rows = Array.from({ length: most + 1 }, (_, index) => most - index).flatMap((layer) =>
    names
      .filter((name) => layers.get(name) === layer)
      .sort()
      .map((name) =>
        `${String(layer).padStart(2)}  ${name.padEnd(wide)}  ${importsOf(graph, name).join(" ")}`.trimEnd(),
      ),
  )
  const arrows = names.sort().flatMap((name) => needed(graph, name).map((to) => `  ${name} --> ${to}`))
  return ["```", ...rows, "```", "", "```mermaid", "flowchart TD", ...arrows, "```"].join("\n")
}

/**
 * Returns the document with the graph between its markers, or undefined if it has no markers for this root.
 *
 * @param {string} text
 * @param {FolderRoot} root
 * @param {string} drawing
 */
export function withDrawing(text, { name }, drawing) {
  const open = `<!-- folders: ${name} -->`
  const start = text.indexOf(open)
  const end = text.indexOf("<!-- /folders -->", start)
  if (start === -1 || end === -1) return undefined
  return `${text.slice(0, start + open.length)}\n\n${drawing}\n\n${text.slice(end)}`
}

/**
 * @param {string} file
 * @param {FolderRoot} root
 */
function folderOf(file, { path, nested }) {
  const inside = posix.relative(path, file)
  if (inside.startsWith("..")) return undefined
  const steps = inside.split("/")
  const [first = "", second = ""] = steps
  if (steps.length === 1) return TOP
  return nested.includes(first) && steps.length > 2 ? second : first
}

/**
 * @param {string | undefined} file
 * @param {FolderRoot} root
 */
function short(file, { path }) {
  return file === undefined ? "?" : posix.relative(path, file)
}

/**
 * The shortest cycle through a folder.
 *
 * @param {FolderGraph} graph
 * @param {string} start
 */
function wayAround(graph, start) {
  /** @type {string[][]} */
  const ways = [[start]]
  const seen = new Set([start])
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) ?? start)?.keys() ?? []) {
      if (next === start) return way
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return undefined
}

/**
 * The length of the longest import path from each folder. Imports that close a cycle are ignored.
 *
 * @param {FolderGraph} graph
 */
function layersOf(graph) {
  /** @type {Map<string, number>} */
  const layers = new Map()
  /** @param {string} name @param {readonly string[]} above @returns {number} */
  const visit = (name, above) => {
    const known = layers.get(name)
    if (known !== undefined) return known
    if (above.includes(name)) return 0
    const below = importsOf(graph, name).map((to) => visit(to, [...above, name]) + 1)
    const layer = Math.max(0, ...below)
    layers.set(name, layer)
    return layer
  }
  for (const name of graph.keys()) visit(name, [])
  return layers
}

/**
 * The imports that are not implied by another import (transitive reduction).
 *
 * @param {FolderGraph} graph
 * @param {string} name
 */
function needed(graph, name) {
  const all = importsOf(graph, name)
  return all.filter((to) => !all.some((other) => other !== to && reaches(graph, other, to)))
}

/**
 * @param {FolderGraph} graph
 * @param {string} from
 * @param {string} to
 * @returns {boolean}
 */
function reaches(graph, from, to, seen = new Set([from])) {
  return importsOf(graph, from).some((next) => {
    if (next === to) return true
    if (seen.has(next)) return false
    seen.add(next)
    return reaches(graph, next, to, seen)
  })
}

/**
 * @param {FolderGraph} graph
 * @param {string} name
 */
function importsOf(graph, name) {
  return [...(graph.get(name)?.keys() ?? [])].sort()
}

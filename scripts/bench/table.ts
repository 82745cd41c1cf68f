/** Figures as a Markdown table, each beside its ratio to the first system. */
import type { Figures } from "./phases.ts"

export function table(results: ReadonlyMap<string, Figures>): string {
  const names = [...results.keys()]
  const [first = {}] = results.values()
  const figures = [...new Set([...results.values()].flatMap((one) => Object.keys(one)))]
  const cell = (figure: string, name: string, column: number) => {
    const value = results.get(name)?.[figure]
    if (value === undefined) return "–"
    const base = first[figure]
    return column === 0 || base === undefined || base === 0 ? short(value) : `${short(value)} (${short(value / base)}×)`
  }
  const lines = [
    ["", ...names],
    ["---", ...names.map(() => "---:")],
    ...figures.map((figure) => [figure, ...names.map((name, column) => cell(figure, name, column))]),
  ]
  return `${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`
}

function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3)
}

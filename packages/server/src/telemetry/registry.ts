/**
 * Counters, gauges and histograms, and their text for Prometheus.
 *
 * The number of label sets of each metric is limited: what exceeds the limit is counted under the label value `other`, so
 * that agents and models which people name cannot fill the memory (OPS-11).
 */

/** Label sets per metric. */
const MAX_SERIES = 200
const MAX_LABEL_CHARS = 100
const OTHER = "other"

export type Labels = Readonly<Record<string, string>>
type Kind = "counter" | "gauge" | "histogram"
type Read = () => number | Promise<number>

export type Counter = { add(labels?: Labels, by?: number): void }
export type Gauge = { set(value: number, labels?: Labels): void }
export type Histogram = { observe(value: number, labels?: Labels): void }

type Metric = { readonly name: string; readonly help: string; readonly kind: Kind; lines(): Promise<readonly string[]> }

export class Registry {
  readonly #metrics: Metric[] = []

  counter(name: string, help: string): Counter {
    const series = this.#series(name, help, "counter")
    return { add: (labels = {}, by = 1) => void series.update(labels, (value) => value + by) }
  }

  gauge(name: string, help: string): Gauge {
    const series = this.#series(name, help, "gauge")
    return { set: (value, labels = {}) => void series.update(labels, () => value) }
  }

  /** A gauge that is read when it is asked for. A reading that fails leaves the line out. */
  gaugeOf(name: string, help: string, read: Read): void {
    const lines = async () => {
      try {
        return [`${name} ${await read()}`]
      } catch {
        return []
      }
    }
    this.#metrics.push({ name, help, kind: "gauge", lines })
  }

  /** Counters that something else counts, by the value of one label. */
  countersOf(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    const lines = async () =>
      Object.entries(read()).map(([value, count]) => `${name}${braced({ [label]: value })} ${count}`)
    this.#metrics.push({ name, help, kind: "counter", lines })
  }

  /** `bounds`: ascending upper bounds, without infinity. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const all = new Bounded<{ readonly counts: number[]; sum: number }>(() => ({
      counts: new Array<number>(bounds.length + 1).fill(0),
      sum: 0,
    }))
    const lines = async () => all.entries().flatMap(([labels, state]) => histogramLines(name, bounds, labels, state))
    this.#metrics.push({ name, help, kind: "histogram", lines })
    return {
      observe(value, labels = {}) {
        if (!Number.isFinite(value)) return
        const state = all.get(labels)
        const place = bounds.findIndex((bound) => value <= bound)
        const index = place < 0 ? bounds.length : place
        state.counts[index] = (state.counts[index] ?? 0) + 1
        state.sum += value
      },
    }
  }

  /** The text format of Prometheus, version 0.0.4. */
  async text(): Promise<string> {
    const blocks = await Promise.all(
      this.#metrics.map(async ({ name, help, kind, lines }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${kind}`,
        ...(await lines()),
      ]),
    )
    return `${blocks.flat().join("\n")}\n`
  }

  #series(name: string, help: string, kind: Kind) {
    const all = new Bounded<{ value: number }>(() => ({ value: 0 }))
    this.#metrics.push({
      name,
      help,
      kind,
      lines: async () => all.entries().map(([labels, { value }]) => `${name}${braced(labels)} ${value}`),
    })
    return {
      update(labels: Labels, change: (value: number) => number) {
        const state = all.get(labels)
        state.value = change(state.value)
      },
    }
  }
}

/** One state per label set, at most `MAX_SERIES` of them and one for all others. */
class Bounded<S> {
  readonly #states = new Map<string, { readonly labels: Labels; readonly state: S }>()
  readonly #make: () => S

  constructor(make: () => S) {
    this.#make = make
  }

  get(labels: Labels): S {
    const known = this.#states.get(keyOf(labels))
    if (known !== undefined) return known.state
    const isFull = this.#states.size >= MAX_SERIES
    const kept = isFull ? Object.fromEntries(Object.keys(labels).map((name) => [name, OTHER])) : labels
    const entry = this.#states.get(keyOf(kept)) ?? { labels: kept, state: this.#make() }
    this.#states.set(keyOf(kept), entry)
    return entry.state
  }

  entries(): [Labels, S][] {
    return [...this.#states.values()].map(({ labels, state }) => [labels, state])
  }
}

/** The labels of a metric have the same names in the same order; lengths keep their values apart. */
function keyOf(labels: Labels): string {
  let key = ""
  for (const name in labels) key += `${labels[name]?.length}:${labels[name]}`
  return key
}

function histogramLines(
  name: string,
  bounds: readonly number[],
  labels: Labels,
  { counts, sum }: { readonly counts: readonly number[]; readonly sum: number },
): string[] {
  let total = 0
  const buckets = [...bounds.map(String), "+Inf"].map((le, index) => {
    total += counts[index] ?? 0
    return `${name}_bucket${braced({ ...labels, le })} ${total}`
  })
  return [...buckets, `${name}_sum${braced(labels)} ${sum}`, `${name}_count${braced(labels)} ${total}`]
}

function braced(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

function escaped(value: string): string {
  return value.slice(0, MAX_LABEL_CHARS).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')
}

import { expect, it } from "vitest"
import { latestOf } from "./latest.ts"

function asked() {
  const told: string[] = []
  const latest = latestOf()
  const ask = (name: string) => {
    let resolve: (answer: string) => void = () => {}
    let reject: (error: unknown) => void = () => {}
    const promise = new Promise<string>((...ways) => {
      ;[resolve, reject] = ways
    })
    const done = latest(promise, {
      onAnswer: (answer) => void told.push(`${name}: ${answer}`),
      onRefusal: (error) => void told.push(`${name} refused: ${String(error)}`),
    })
    return { resolve, reject, done }
  }
  return { told, ask }
}

it("[TAB-3] the answer to the newest question is shown, whichever comes last", async () => {
  const { told, ask } = asked()
  const [first, second] = [ask("first"), ask("second")]
  second.resolve("two")
  await second.done
  first.resolve("one")
  await first.done
  expect(told).toEqual(["second: two"])
})

it("[TAB-3] what went wrong with a question nobody waits for any more is not told", async () => {
  const { told, ask } = asked()
  const first = ask("first")
  const second = ask("second")
  first.reject("down")
  await first.done
  second.reject("gone")
  await second.done
  expect(told).toEqual(["second refused: gone"])
})

it("[TAB-3] one after another all are shown", async () => {
  const { told, ask } = asked()
  for (const name of ["a", "b"]) {
    const one = ask(name)
    one.resolve(name.toUpperCase())
    await one.done
  }
  expect(told).toEqual(["a: A", "b: B"])
})

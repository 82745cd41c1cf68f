import { plantedFaults } from "./planted.ts"
import { simulate } from "./simulation.ts"

Error.stackTraceLimit = 0
const only = process.env.ONLY ?? ""
for (const fault of plantedFaults) {
  if (!fault.name.includes(only)) continue
  const u = process.cpuUsage()
  let found = ""
  for (let seed = 1; seed <= 150 && !found; seed++) {
    const { failures } = await simulate({ seed, steps: 200, fault })
    if (failures.some(({ check }) => fault.caughtBy.includes(check)))
      found = `seed ${seed} ${failures.find(({ check }) => fault.caughtBy.includes(check))?.detail}`
  }
  console.log(
    found ? "found" : "NOT FOUND",
    fault.name,
    found.slice(0, 90),
    (process.cpuUsage(u).user / 1e6).toFixed(1),
  )
}

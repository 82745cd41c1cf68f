import { plantedFaults } from "./planted.ts"
import { simulate } from "./simulation.ts"

Error.stackTraceLimit = 0
for (const fault of plantedFaults) {
  if (process.argv[2] && !fault.name.includes(process.argv[2])) continue
  const others = new Map<string, number>()
  let caught = 0
  for (let seed = 1; seed <= 60 && !caught; seed++) {
    const { failures } = await simulate({ seed, steps: 120, fault })
    if (failures.some(({ check }) => fault.caughtBy.includes(check))) caught = seed
    for (const check of new Set(failures.map((f) => f.check))) others.set(check, (others.get(check) ?? 0) + 1)
  }
  console.log(
    caught ? `seed ${caught}` : "MISSED",
    fault.name,
    fault.caughtBy.join(),
    "| all:",
    [...others].map(([c, n]) => `${c}×${n}`).join(" "),
  )
}
process.exit(0)

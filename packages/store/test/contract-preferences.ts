import { describe, expect, test } from "vitest"
import { newPerson } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function preferenceCases(getStore: GetStore): void {
  describe("preferences", () => {
    test("[SET-5] are read as written, each person's own; a write that is not based on the newest changes nothing", async () => {
      const { preferences } = getStore()
      const [ann, bob] = [newPerson(), newPerson()]
      const value = { instructions: 'Metric units.\n"é😀', tokensPerDay: 5_000_000_000, dollarsPerDay: 0.25 }
      expect(await preferences.read(ann)).toBeUndefined()
      expect(await preferences.write(ann, { value: {}, version: 2 })).toBe(false)
      expect(await preferences.write(ann, { value, version: 1 })).toBe(true)
      expect(await preferences.write(ann, { value: {}, version: 1 })).toBe(false)
      expect(await preferences.read(ann)).toEqual({ value, version: 1 })
      expect(await preferences.write(ann, { value: { agent: "critic" }, version: 2 })).toBe(true)
      expect(await preferences.write(ann, { value: {}, version: 2 })).toBe(false)
      expect(await preferences.read(ann)).toEqual({ value: { agent: "critic" }, version: 2 })
      expect(await preferences.read(bob)).toBeUndefined()
    })

    test("[SET-5] of two devices that write at once, one succeeds", async () => {
      const { preferences } = getStore()
      const person = newPerson()
      for (const version of [1, 2]) {
        const written = ["a", "b", "c"].map((agent) => preferences.write(person, { value: { agent }, version }))
        expect((await Promise.all(written)).filter(Boolean)).toHaveLength(1)
        expect((await preferences.read(person))?.version).toBe(version)
      }
    })

    test("[SET-5, SEC-25] are deleted with the person", async () => {
      const { preferences, deletions } = getStore()
      const person = newPerson()
      await preferences.write(person, { value: { instructions: "Be brief." }, version: 1 })
      expect(await deletions.begin(person, { at: 1, person, act: "person.deleted", subject: "" })).toBe("begun")
      await expect(preferences.write(newPerson(), { value: {}, version: 1 })).resolves.toBe(true)
      while (!(await deletions.slice(person)));
      expect(await preferences.read(person)).toBeUndefined()
    })
  })
}

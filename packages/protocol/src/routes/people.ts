/** People as a whole (SEC-25). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { personName } from "../names.ts"
import { type DescribedRoute, ok } from "./route.ts"

const personView = z.object({
  person: z.string(),
  conversations: z.number().int(),
  /** Everything stored for them. */
  bytes: z.number().int(),
})
export type PersonView = z.infer<typeof personView>

export const peopleRoutes = {
  listPeople: {
    needs: "manage",
    summary: "The people who have data on this server, by name; for the owner of the server",
    query: z.object({
      /** The last name of the page before. */
      after: personName.optional(),
      limit: z.coerce.number().int().min(1).max(limits.listPeople).default(limits.listPeople),
    }),
    answer: ok(z.object({ people: z.array(personView), after: z.string().nullable() })),
  },
  exportPerson: {
    needs: "read",
    summary: "Everything stored for a person, as a ZIP archive: yourself, or with `manage` another person",
    heavy: true,
    params: z.object({ person: personName }),
    answer: { status: 200, type: "bytes" },
  },
  deletePerson: {
    needs: "write",
    summary: "Deletes a person and all their data: another person with `manage`, yourself by repeating your name",
    params: z.object({ person: personName }),
    query: z.object({
      /** Repeat the name to delete yourself. */
      confirm: personName.optional(),
    }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>

/** People as a whole (SEC-25). */
import { z } from "zod"
import { personName } from "../names.ts"
import type { DescribedRoute } from "./route.ts"

export const peopleRoutes = {
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

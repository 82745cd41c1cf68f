/** People as a whole (SEC-25). */
import { z } from "zod"
import { personName } from "../names.ts"
import type { DescribedRoute } from "./route.ts"

export const peopleRoutes = {
  deletePerson: {
    needs: "write",
    summary: "Deletes a person with everything of theirs: another one with `manage`, oneself by saying the name again",
    params: z.object({ person: personName }),
    query: z.object({
      /** The same name, to delete oneself. */
      confirm: personName.optional(),
    }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>

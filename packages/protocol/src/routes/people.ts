/** People as a whole (SEC-25). */
import { z } from "zod"
import { personName } from "../names.ts"
import type { Route } from "./route.ts"

export const peopleRoutes = {
  deletePerson: {
    method: "DELETE",
    path: "/v1/people/:person",
    needs: "write",
    summary: "Deletes a person with everything of theirs: another one with `manage`, oneself by saying the name again",
    params: z.object({ person: personName }),
    query: z.object({
      /** The same name, to delete oneself. */
      confirm: personName.optional(),
    }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, Route>

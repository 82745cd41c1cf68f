/** Everything other than a person at the keyboard that queues a message, and outgoing webhooks (TRG-1 to TRG-8). */
import { hookRoutes } from "./hook.ts"
import { noticeRoutes } from "./notice.ts"
import type { DescribedRoute } from "./route.ts"
import { scheduleRoutes } from "./schedule.ts"

export const triggerRoutes = { ...scheduleRoutes, ...hookRoutes, ...noticeRoutes } as const satisfies Record<
  string,
  DescribedRoute
>

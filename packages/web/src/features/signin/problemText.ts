import { t } from "../../texts/en/signin.ts"
import type { SignInProblem } from "./problem.ts"

/** What went wrong and what to do, in the words of the person. */
export function problemText({ kind, message }: Pick<SignInProblem, "kind" | "message">): string {
  switch (kind) {
    case "denied":
      return t("denied")
    case "expired":
      return t("expired")
    case "clock":
      return t("clock")
    case "unreachable":
      return t("unreachable")
    case "rejected":
      return t("rejected", { reason: message })
    case "insecure":
      return t("insecure")
    case "storage":
      return t("storage")
    case "failed":
      return message === "" ? t("failed") : t("failedBecause", { reason: message })
  }
}

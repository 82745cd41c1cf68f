/** Responses may arrive out of order: only the one to the latest request counts. */
export type Latest = <T>(
  work: Promise<T>,
  told: { readonly onAnswer: (answer: T) => void; readonly onRefusal: (error: unknown) => void },
) => Promise<void>

export function latestOf(): Latest {
  let newest = 0
  return async (work, { onAnswer, onRefusal }) => {
    const question = ++newest
    try {
      const answer = await work
      if (question === newest) onAnswer(answer)
    } catch (error) {
      if (question === newest) onRefusal(error)
    }
  }
}

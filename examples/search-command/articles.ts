export type Article = { readonly id: string; readonly title: string; readonly body: string }

const ARTICLES: readonly Article[] = [
  { id: "quiet", title: "Quiet hours", body: "From ten in the evening until seven in the morning the house is quiet." },
  {
    id: "bikes",
    title: "Bicycles",
    body: "Bicycles stand in the yard, not in the hall. The stand by the door is for guests.",
  },
  { id: "guests", title: "Guests", body: "Guests may stay for two weeks. After that they sign the list in the hall." },
]

/** Articles that contain at least one of the words, best matches first. */
export function search(text: string): readonly Article[] {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  const hits = ({ title, body }: Article) =>
    words.filter((word) => `${title} ${body}`.toLowerCase().includes(word)).length
  return ARTICLES.filter((article) => hits(article) > 0).sort((a, b) => hits(b) - hits(a))
}

import { useComposer, useConversation, useFeed } from "@parlor/react"

export function Chat({ agent }: { readonly agent: string }) {
  const { phase, error, messages, sending, status, asks, answer, stop } = useConversation(agent)
  if (phase === "failed") return <p role="alert">{error?.detail}</p>
  return (
    <main>
      <Conversations />
      <ol aria-label="Messages">
        {messages.map(({ id, role, parts }) => (
          <li key={id}>
            {role}: {parts.map((part) => (part.type === "text" ? part.text : "")).join("")}
          </li>
        ))}
        {sending.map(({ key, state, text }) => (
          <li key={key}>
            {state}: {text}
          </li>
        ))}
      </ol>
      {asks.map(({ id, title }) => (
        <p key={id}>
          {title}{" "}
          <button type="button" onClick={() => answer(id, true)}>
            Yes
          </button>
        </p>
      ))}
      {status?.turn && (
        <button type="button" onClick={() => stop()}>
          Stop
        </button>
      )}
      <Box agent={agent} />
    </main>
  )
}

function Box({ agent }: { readonly agent: string }) {
  const { field, suggestions, accept, send, error } = useComposer(agent)
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault()
    void send()
  }
  return (
    <form onSubmit={submit}>
      <input aria-label="Message" {...field} />
      <button type="submit">Send</button>
      {suggestions.map((suggestion) => (
        <button type="button" key={suggestion.word} onClick={() => accept(suggestion)}>
          {suggestion.word}
        </button>
      ))}
      {error && <p role="alert">{error.detail}</p>}
    </form>
  )
}

function Conversations() {
  const { conversations } = useFeed()
  return <p>Conversations: {conversations.length}</p>
}

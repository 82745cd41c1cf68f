/** Creates conversations in every state for the screenshots, with the demo model and the SDK. */

/** @typedef {import("@parlor/client").Parlor} Parlor */
/** @typedef {import("@parlor/client").Conversation} Conversation */

const PATIENCE_MS = 60_000

/**
 * Composes a message as the page does: `@critic` invites that agent.
 *
 * @typedef {(text: string) => import("@parlor/protocol").SendBody} Compose
 */

/**
 * @param {Parlor} parlor
 * @param {Compose} compose
 */
export async function setStage(parlor, compose) {
  const main = parlor.conversation("host")
  await talk(
    main,
    [
      "Hello!",
      "Remember that the team meets on Thursdays at ten",
      "Write a file notes/plan.md",
      "@critic what is missing there?",
      "Show me markdown",
      "What time is it?",
    ].map(compose),
  )
  await main.mark({ title: "A tour of Parlor", pinned: true })
  await goBack(parlor)
  await aside(parlor)
  await chapters(parlor)
  await asking(parlor)
  await busy(parlor)
  await more(parlor)
}

/**
 * Sends the texts one after another and waits for each reply.
 *
 * @param {Conversation} conversation
 * @param {readonly (string | import("@parlor/protocol").SendBody)[]} texts
 */
async function talk(conversation, texts) {
  for (const text of texts) {
    await conversation.send(text)
    await reached(conversation, ({ status, queue }) => status.state === "idle" && queue.length === 0)
  }
}

/** @param {Parlor} parlor */
async function goBack(parlor) {
  const conversation = parlor.conversation("host", "supper")
  await conversation.make()
  await talk(conversation, ["Echo Pasta it is, for six.", "Write a file menu.md", "Echo And a cake."])
  const { messages } = await conversation.open()
  const second = messages.filter(({ role }) => role === "person")[1]
  if (second) await conversation.rollbacks.make(second.id)
  await conversation.mark({ title: "Supper for six" })
}

/** @param {Parlor} parlor */
async function aside(parlor) {
  const conversation = parlor.conversation("host")
  const { messages } = await conversation.open()
  const last = messages.at(-1)
  const { branch } = await conversation.branches.make({
    name: "aside",
    ...(last ? { from: last.id } : {}),
    ephemeral: true,
  })
  await talk(parlor.conversation("host", branch), ["Think about the tides"])
}

/** @param {Parlor} parlor */
async function chapters(parlor) {
  const conversation = parlor.conversation("host", "reading")
  await conversation.make()
  await talk(conversation, ["Tell me a story", "Tell me another story", "A long answer, please", "Thank you"])
  await conversation.compact({ keepTurns: 1 })
  await reached(conversation, ({ status }) => status.state === "idle")
  await conversation.mark({ title: "Reading aloud" })
}

/** @param {Parlor} parlor */
async function asking(parlor) {
  const conversation = parlor.conversation("host", "asking")
  await conversation.make()
  await conversation.send("Ask me something")
  await reached(conversation, ({ status }) => status.state === "waiting")
  await conversation.mark({ title: "A question for you" })
}

/** @param {Parlor} parlor */
async function busy(parlor) {
  const conversation = parlor.conversation("host", "counting")
  await conversation.make()
  await conversation.send("Count slowly to 5000")
  await reached(conversation, ({ status }) => status.state === "busy")
  await conversation.send("And what did I say first?")
  await conversation.send("Then write a file counted.md")
  await conversation.mark({ title: "Counting" })
}

/** @param {Parlor} parlor */
async function more(parlor) {
  const failing = parlor.conversation("critic")
  await failing.send("Fail every time")
  await reached(failing, ({ status }) => status.state === "error" || status.state === "retrying")
  await parlor.memory.write("user", "likes-tea", {
    description: "What to offer",
    type: "preference",
    body: "Tea, not coffee. **Green** before noon.",
    pinned: true,
  })
  await parlor.schedules.make({
    agent: "host",
    name: "Morning brief",
    text: "What is on today?",
    when: { cron: "0 8 * * 1-5", timeZone: "Europe/Berlin" },
  })
  await parlor.hooks.make({ agent: "host", name: "Builds", template: "A build is done" })
  const files = { "tides.csv": "hour,height\n6,1.2\n12,4.1\n", "meeting notes.md": "# Thursday\n\n- bring the plan\n" }
  for (const [name, words] of Object.entries(files))
    await parlor.attachments.add(new TextEncoder().encode(words), { name, mediaType: "text/plain" })
}

/**
 * @param {Conversation} conversation
 * @param {(snapshot: Awaited<ReturnType<Conversation["open"]>>) => boolean} isThere
 */
async function reached(conversation, isThere) {
  const end = Date.now() + PATIENCE_MS
  while (!isThere(await conversation.open({ messages: 1 }))) {
    if (Date.now() > end)
      throw new Error(`${conversation.agent}/${conversation.branch} did not reach the expected state`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The demo model's longer texts. */
import { words } from "./script.ts"

export const ideas = `Try one of these:

- **show me markdown** for headings, a table and code
- **count slowly to 50**, and stop me, or send me something else meanwhile
- **use a tool**, or **what time is it?**
- **ask me**, and I wait for your answer
- **think about the sea** to see reasoning
- **write a file notes.md**, then roll back; **remember that I like tea**
- **@critic what do you think?** invites another agent in
- **wake up in 10 seconds**, and see a message arrive while nobody types
- **write a long story**, or **write 2000 words**
- **what did I say first?** or **recap**, which read the conversation
- **fail twice** to see retries, **fail halfway**, or just **fail**`

export const greeting = `Hello! I am the demo model that comes with Parlor. I run inside the server, need no key and no network, and answer from a script, so everything around me can be tried: streaming, the queue, stopping, tools, questions, retries, rollback and branches.

${ideas}

For a real model, set \`OPENAI_API_KEY\`, \`ANTHROPIC_API_KEY\` or \`GOOGLE_GENERATIVE_AI_API_KEY\` and start Parlor again, or choose “Connect a real one” below the message box of the page. A model server on this machine (Ollama, LM Studio, llama.cpp) is found when Parlor starts. For any other server, set \`OPENAI_BASE_URL\` to its address and \`PARLOR_MODEL=compatible/<model id>\`.`

export const markdownTour = `# A tour of markdown

Text can be **bold**, *italic*, ~~struck out~~ or \`code\`, and it can contain [links](https://example.com).

## Lists

1. First, an ordered list
2. with a second point
   - and a nested one

- [x] something done
- [ ] something left to do

## A table

| Planet | Moons | Day |
|---|---:|---|
| Earth | 1 | 24 hours |
| Mars | 2 | 24 hours 37 minutes |
| Jupiter | 95 | 9 hours 56 minutes |

## Code

\`\`\`ts
function greet(name: string): string {
  return \`Hello, \${name}!\`
}
\`\`\`

> A quotation is set apart from my own words.

---

That was the tour.`

export function thoughts(subject: string): string {
  return `The person wants me to think about ${subject}. First I should ask what is known about it: very little, since I am a script. Then I should ask what would be useful: to show that reasoning arrives before the answer, word by word, and can be folded away. I could invent facts, but that would help nobody. So I will keep the answer short and honest.`
}

/** The first `count` words of the story, repeated if needed. */
export function prose(count: number): string {
  const all = words(`${story}\n\n`)
  let text = ""
  for (let i = 0; i < count; i++) text += all[i % all.length] ?? ""
  return text.trimEnd()
}

const story = `In the last house before the harbor there was a room that everybody called the parlor, although nobody had been received in it for years. It held two chairs, a stove, a clock that ran slow, and a ledger as thick as a loaf of bread. The house belonged to Marta, who mended nets, and the ledger belonged to the room.

One evening in November a stranger knocked. He had missed the ferry, his coat was wet, and he asked whether he might wait until morning. Marta gave him the chair nearer the stove. "There is one rule," she said. "Whatever is said in this room is written down, in the order in which it was said, and nothing is ever torn out."

The stranger laughed, and she wrote that down. He told her about the city he came from, where people talked all at once and everybody remembered something else afterwards. She wrote that down as well. When he wanted to take back a foolish remark, she did not cross it out. She drew a thin line beside it and turned the page. "Now we go on as if you had not said it," she explained, "but if you miss it one day, it is still there."

Towards midnight the storm took the lamp. They sat in the dark, and Marta stopped in the middle of a word. When the flame was burning again she read the last line aloud, found the half word, and finished it. The stranger began to see what the ledger was for. It did not make the talk cleverer. It made it safe to stop, to doubt, to start again from an earlier page and try what would have happened if he had answered differently.

In the morning the ferry came. The stranger stood in the doorway for a while with his hat in his hands. "If I come back," he asked, "will we have to begin at the beginning?"

Marta opened the ledger at the ribbon and showed him the last line, which was his question, still wet. Below it the page was empty. "No," she said. "We begin here."

He came back in spring with two friends, and then with more, and the clock still ran slow, and nobody minded, because the order of things was kept elsewhere. The room is still there. If you listen at the door, you can hear somebody turning a page.`

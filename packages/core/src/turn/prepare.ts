/**
 * What the speaker of a turn is given besides the conversation: identity, instructions, notes, tools.
 *
 * Created once at the start of a turn, so that a change to an agent applies from the next turn on.
 */
import type { TurnRow } from "@parlor/protocol"
import { agentOf } from "../agent/agent-of.ts"
import { withModelSettings } from "../agent/choose-model.ts"
import type { Skill } from "../agent/skill.ts"
import type { Tool } from "../agent/tool.ts"
import type { Brief } from "../context/brief.ts"
import { authorOf } from "../guest/author-of.ts"
import type { Owner } from "../log/owner.ts"
import { memoryNotes } from "../memory/notes.ts"
import { memoryTools } from "../memory/tools.ts"
import { personNote } from "../preference/person-note.ts"
import { readPreferences } from "../preference/preferences.ts"
import { wakeupTools } from "../schedule/wakeup-tools.ts"
import { recallTool } from "../search/recall.ts"
import { skillIndex, skillTool } from "../skill/skills.ts"
import { skillsOf } from "../skill/skills-of.ts"
import { runTool } from "../workspace/run-tool.ts"
import { workspaceTools } from "../workspace/tools.ts"
import { readOutputTool } from "./read-output.ts"
import type { TurnAccess } from "./turn-access.ts"

/** Throws if the agent is no longer defined, or no longer offers the chosen model: the turn then fails visibly. */
export async function briefFor(node: TurnAccess, owner: Owner, turn: TurnRow): Promise<Brief> {
  const speaker = await withModelSettings(agentOf(node, turn.guest ?? owner.address.agent), turn.settings ?? null)
  const author = authorOf(turn)
  const isGuest = author !== ""
  const { person } = owner.address
  // A guest sees only this conversation (GST-1).
  const remembers = speaker.memory === true && !isGuest
  const memory = remembers ? [...memoryTools(node, owner.address, speaker.name), recallTool(node, owner.address)] : []
  const files = speaker.workspace === true ? workspaceTools(node, owner, turn, speaker.name) : []
  const skills = isGuest ? [] : skillsOf(speaker)
  const { run } = speaker
  const [notes, { preferences }] = await Promise.all([
    remembers ? memoryNotes(node, person, { window: speaker.model.window }) : "",
    readPreferences(node, person),
  ])
  const commands = run === undefined ? [] : [runTool(node, owner, turn, speaker.name, run)]
  return {
    speaker,
    author,
    instructions: withIndex(speaker.instructions, skills),
    budget: preferences,
    notes: [notes, isGuest ? "" : personNote(preferences)].filter((text) => text !== "").join("\n\n"),
    tools: isGuest
      ? []
      : distinct([
          ...speaker.tools,
          ...files,
          ...commands,
          ...memory,
          ...(skills.length > 0 ? [skillTool(skills)] : []),
          ...(speaker.wakeups === true ? wakeupTools(node, { owner, turn }) : []),
          ...(node.toolsets?.toolsFor(speaker.name, person) ?? []),
          readOutputTool(node, owner, speaker.model.window),
        ]),
  }
}

/** One line for each skill the agent can look up (CMP-11). */
function withIndex(instructions: string, skills: readonly Skill[]): string {
  return skills.length === 0 ? instructions : `${instructions}\n\n${skillIndex(skills)}`.trimStart()
}

/** An agent's own tool takes precedence over a built-in one of the same name: providers reject duplicates. */
function distinct(tools: readonly Tool[]): readonly Tool[] {
  const names = new Set<string>()
  return tools.filter(({ name }) => names.size < names.add(name).size)
}

import type { Tool } from '../../ports/llm.ts'
import type { LiveAction } from '../../ports/sessions.ts'

/** What a model may do to the page. There is nothing in it that runs code, opens files or leaves the browser. */
const text = { type: 'string', maxLength: 10_000 }
const ref = { type: 'string', maxLength: 20, description: 'A reference of the last snapshot, such as e5.' }

function tool(name: string, description: string, properties: Record<string, object>): Tool {
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  return { name, description, input: schema as Tool['input'] }
}

export const agentTools: readonly Tool[] = [
  tool('click', 'Clicks an element.', { ref }),
  tool('fill', 'Replaces the text of a field. A secret is filled in by its placeholder, and nothing beside it.', {
    ref,
    text,
  }),
  tool('type', 'Types a text into the field that has the focus.', { text }),
  tool('press', 'Presses a key, such as Enter, Escape or Control+a.', { key: { type: 'string', maxLength: 50 } }),
  tool('select', 'Chooses an option of a list by its words.', { ref, option: { type: 'string', maxLength: 500 } }),
  tool('scroll', 'Moves the page by about what is in sight.', { direction: { type: 'string', enum: ['up', 'down'] } }),
  tool('goto', 'Opens an address of the same site.', { url: { type: 'string', maxLength: 2_000 } }),
  tool('back', 'Goes back to the page before.', {}),
  tool('wait', 'Waits for the page, at most five seconds.', { ms: { type: 'integer', minimum: 0, maximum: 5_000 } }),
  tool('done', 'Ends the task with the answer for the user.', { answer: { type: 'string', maxLength: 50_000 } }),
]

export type AgentAction = LiveAction | { readonly type: 'wait'; readonly ms: number }

/** A call that acts on the page, as the action that it stands for. Its input fits the schema of its tool. */
export function actionOf(name: string, input: Readonly<Record<string, unknown>>): AgentAction | undefined {
  return agentTools.some((one) => one.name === name && name !== 'done')
    ? ({ type: name, ...input } as AgentAction)
    : undefined
}

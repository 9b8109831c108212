import { z } from 'zod'

import type { Tool } from '../../ports/llm.ts'
import { agentActionSchema, type AgentAction } from '../../schema/agent.ts'

function tool(name: string, description: string, schema: z.ZodType): Tool {
  const { $schema: _dialect, ...input } = z.toJSONSchema(schema)
  return { name, description, input: input as Tool['input'] }
}

export const agentTools: readonly Tool[] = [
  ...agentActionSchema.options.map((action) => {
    const { type, ...fields } = action.shape
    return tool(type.value, type.description ?? '', z.strictObject(fields))
  }),
  tool('done', 'Ends the task with the answer for the user.', z.strictObject({ answer: z.string().max(50_000) })),
]

/** A call that acts on the page, as the action that it stands for. Its input fits the schema of its tool. */
export function actionOf(name: string, input: Readonly<Record<string, unknown>>): AgentAction | undefined {
  return agentActionSchema.safeParse({ ...input, type: name }).data
}

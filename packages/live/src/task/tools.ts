import { z } from 'zod'

import type { Tool, ToolCall } from '@harvestman/ports'
import { pageToolInput, pageToolName } from './page-tool-step.ts'
import { taskActionSchema, type TaskAction } from './actions.ts'

function tool(name: string, description: string, schema: z.ZodType): Tool {
  const { $schema: _dialect, ...input } = z.toJSONSchema(schema)
  return { name, description, input: input as Tool['input'] }
}

const finding = 'find'

export const taskTools: readonly Tool[] = [
  ...taskActionSchema.options.map((action) => {
    const { type, ...fields } = action.shape
    return tool(type.value, type.description ?? '', z.strictObject(fields))
  }),
  tool(pageToolName, 'Calls a tool that the page declares, with input that fits its schema.', pageToolInput),
  tool(
    finding,
    'Shows the page again, with what has these words, of a page that is too long to be shown whole.',
    z.strictObject({ words: z.string().max(500) }),
  ),
  tool('done', 'Ends the task with the answer for the user.', z.strictObject({ answer: z.string().max(50_000) })),
]

/**
 * Converts a tool call to an action on the page. Returns `undefined` if the tool is not an action, or its input is
 * invalid.
 */
export function actionOf(name: string, input: Readonly<Record<string, unknown>>): TaskAction | undefined {
  return taskActionSchema.safeParse({ ...input, type: name }).data
}

/**
 * Returns the search terms of a call that searches a long page. Returns `undefined` for other tools, and without valid terms.
 */
export function wordsToFind({ name, input }: ToolCall): string | undefined {
  const { words } = input
  return name === finding && typeof words === 'string' ? words : undefined
}

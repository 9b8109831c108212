// One step of a task that calls a tool of the page.
import { EngineError, type ErrorCode, type ToolCall } from '@harvestman/ports'
import { z } from 'zod'

import { callPageTool, listPageTools, type PageTool } from '../page-tools/page-tools.ts'
import type { ConfinableBrowser } from './confinement.ts'
import { fenced } from './prompt.ts'
import { namesOfSecrets, withoutSecrets, type Secret } from './secrets.ts'

/** Name of the tool for the model that calls tools of the page. */
export const pageToolName = 'page_tool'

/** Input of the tool. */
export const pageToolInput = z.strictObject({
  name: z.string().min(1).max(128),
  input: z.record(z.string(), z.json()).default({}),
})

/** The outcome of an action, with a note for the model. */
export interface Outcome {
  readonly outcome: 'done' | 'failed'
  readonly note: string
}

/** A call of a tool of the page, as an action of a task. */
export type PageToolAction = z.output<typeof pageToolInput> & { readonly type: typeof pageToolName }

const notCalled: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'action_failed'])
const toolTimeout = 20_000
const listTimeout = 3_000
const maxShown = 8_000

/** Returns the call of a tool of the page, or `undefined` for other tools and invalid input. */
export function pageToolActionOf({ name, input }: ToolCall): PageToolAction | undefined {
  const read = name === pageToolName ? pageToolInput.safeParse(input).data : undefined
  return read && { type: pageToolName, ...read }
}

/** Lists the tools of the page. Returns none if the page fails to list them within 3 seconds. */
export async function toolsOfPage(live: ConfinableBrowser, signal: AbortSignal): Promise<readonly PageTool[]> {
  try {
    const { tools } = await listPageTools(live, AbortSignal.any([signal, AbortSignal.timeout(listTimeout)]))
    return tools
  } catch (error) {
    signal.throwIfAborted()
    const isExpected = EngineError.is(error) || (error instanceof DOMException && error.name === 'TimeoutError')
    if (!isExpected) throw error
    return []
  }
}

/**
 * Calls a tool of the page, and returns the outcome with a note for the model. The result of the page is marked as its
 * content, without secrets. Rejects if the input has the placeholder of a secret, and as `callPageTool` does.
 */
export async function carryOutPageTool(
  live: ConfinableBrowser,
  { name, input }: PageToolAction,
  secrets: readonly Secret[],
  signal: AbortSignal,
): Promise<Outcome> {
  if (namesOfSecrets([JSON.stringify(input)]).length > 0)
    throw new EngineError('action_failed', 'Tools of the page receive no secrets. Fill in the field itself.')
  const called = await callPageTool(live, { name, input, timeout: toolTimeout }, signal).catch((error: unknown) => {
    // The message may contain names of the page.
    if (EngineError.is(error) && notCalled.has(error.code)) return { status: 'failed' as const, error: error.message }
    throw error
  })
  const { status, result = '', error = '' } = { result: undefined, ...called }
  const text = withoutSecrets(status === 'failed' ? error : result, secrets)
  const shown = text === '' ? '' : `\n${fenced(text.slice(0, maxShown))}`
  return { outcome: status === 'failed' ? 'failed' : 'done', note: `${notes[status]}${shown}` }
}

const notes = {
  done: 'Done. The tool returned:',
  filled: 'The form is filled in. The page does not allow to submit it automatically, so check it first.',
  submitted: 'The form was submitted.',
  navigated: 'Done. The tool opened another page.',
  failed: 'The tool of the page failed.',
} as const

import type { LiveSession, SessionEnd, TaskRun } from '@harvestman/live'
import type { CodeResult } from '@harvestman/ports'
import { z } from 'zod'

import { urlsOf } from './urls.ts'

const url = z.string().nullable()

/** Result of code, in the words of the public API. */
export const executedSchema = z.object({
  success: z.boolean(),
  stdout: z.string(),
  result: z.string().nullable(),
  stderr: z.string(),
  exitCode: z.number(),
  killed: z.boolean(),
  truncated: z.boolean().optional(),
  error: z.string().optional(),
})

export const interactedSchema = executedSchema.extend({
  sessionId: z.string(),
  cdpUrl: z.string(),
  liveViewUrl: url,
  interactiveLiveViewUrl: url,
  output: z.string().nullable().optional(),
})

export const stoppedSchema = z.object({
  success: z.literal(true),
  sessionDurationMs: z.number(),
  creditsBilled: z.number(),
  cleanupQueued: z.literal(false),
})

export const openedSchema = z.object({
  success: z.literal(true),
  id: z.string(),
  cdpUrl: z.string(),
  liveViewUrl: url,
  interactiveLiveViewUrl: url,
  expiresAt: z.string(),
})

// Exit code that shells give a program that was ended by force.
const killedCode = 137

export function showExecuted(done: CodeResult): z.input<typeof executedSchema> {
  const { stdout, stderr, result = null, exitCode, killed, truncated, error } = done
  const success = exitCode === 0 && !killed
  return {
    ...{ success, stdout, result, stderr, killed },
    exitCode: exitCode ?? (killed ? killedCode : 1),
    ...(truncated && { truncated }),
    ...(!success && { error: error ?? 'Execution failed' }),
  }
}

export function showRun({
  success,
  answer,
  steps,
  page,
  error,
}: TaskRun): z.input<typeof executedSchema> & { output: string } {
  const lines = steps.map(
    ({ action, outcome, note }) => `${outcome}: ${JSON.stringify(action)}${outcome === 'done' ? '' : ` (${note})`}`,
  )
  return {
    ...{ success, output: answer, stdout: lines.join('\n'), result: page.text, stderr: error ?? '' },
    ...{ exitCode: success ? 0 : 1, killed: false },
    ...(!success && { error: error ?? 'Execution failed' }),
  }
}

export function showOpened(at: string, session: LiveSession): z.input<typeof openedSchema> {
  return { success: true, id: session.id, ...urlsOf(at, session), expiresAt: new Date(session.expiresAt).toISOString() }
}

export function showStopped({ duration, credits }: SessionEnd): z.input<typeof stoppedSchema> {
  return { success: true, sessionDurationMs: duration, creditsBilled: credits, cleanupQueued: false }
}
